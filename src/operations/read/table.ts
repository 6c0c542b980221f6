// The table of totals: how many operations a wallet has of each type.
import { column, table } from '../../storage/tables/table.ts'
import type { OperationType } from '../model.ts'

/**
 * Each statement that writes operations adds rows; merged, they are one row per wallet and type.
 */
export const operationCounts = table('operation_counts', {
  walletId: column.bigint(),
  type: column.text<OperationType>(),
  id: column.bigint(),
  operations: column.bigint(),
})
