// The table of operation counts by wallet and type.
import { column, table } from '../../storage/tables/table.ts'
import type { OperationType } from '../model.ts'

/** Each writing statement adds rows; merging leaves one for each wallet and type. */
export const operationCounts = table('operation_counts', {
  walletId: column.bigint(),
  type: column.text<OperationType>(),
  id: column.bigint(),
  operations: column.bigint(),
})
