// The table of the request log.
import { column, type RowOf, table } from '../storage/tables/table.ts'

export const requestLog = table('request_log', {
  walletId: column.bigint(),
  id: column.uuid(),
  answeredAt: column.instant(),
  keyId: column.text(),
  method: column.text(),
  route: column.text(),
  path: column.text(),
  status: column.integer(),
  code: column.integer().optional(),
  durationMs: column.integer(),
  address: column.text().optional(),
  userAgent: column.text().optional(),
  body: column.text().optional(),
  answer: column.text().optional(),
})

export type LoggedRequest = RowOf<typeof requestLog>
