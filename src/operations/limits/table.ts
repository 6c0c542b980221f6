// The tables of limits: what was taken on a day, of wallets that may take so much a day alone.
import { column, table } from '../../storage/tables/table.ts'

/**
 * What the payments of a Lisbon day come to, at the least those that have not failed.
 *
 * @public Compared with the schema.
 */
export const limitDays = table('limit_days', {
  walletId: column.bigint(),
  day: column.day(),
  taken: column.cents(),
})

/**
 * The payments of which that is the sum; those that failed are removed when their room is needed.
 *
 * @public Compared with the schema.
 */
export const limitUses = table('limit_uses', {
  walletId: column.bigint(),
  day: column.day(),
  operationId: column.uuid(),
  amount: column.cents(),
  /** When it was last admitted; one without an operation is forgotten some time later. */
  reservedAt: column.instant(),
  /** Known to be completed: it stays in its day for good. */
  final: column.boolean(),
})
