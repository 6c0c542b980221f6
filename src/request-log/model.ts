// The table of the request log: one row for each request that came with a wallet's API key.
import { column, type RowOf, table } from '../storage/tables/table.ts'

export const requestLog = table('request_log', {
  walletId: column.bigint(),
  /** The tid of the answer. */
  id: column.uuid(),
  answeredAt: column.instant(),
  keyId: column.text(),
  method: column.text(),
  /** The pattern of the path, such as `/api/v2/operations/:id`. */
  route: column.text(),
  /** As it was asked, with its query; without secrets. */
  path: column.text(),
  status: column.integer(),
  /** The error code of a refusal. */
  code: column.integer().optional(),
  durationMs: column.integer(),
  address: column.text().optional(),
  userAgent: column.text().optional(),
  /** JSON without secrets; cut where it is long. */
  body: column.text().optional(),
  /** The same, of refusals and of what was changed. */
  answer: column.text().optional(),
})

export type LoggedRequest = RowOf<typeof requestLog>
