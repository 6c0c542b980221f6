// The tables of limits: amounts of a day, for wallets with a day limit.
import { column, table } from '../../storage/tables/table.ts'

/** The total of a Lisbon day, never too low. @public Compared with the schema. */
export const limitDays = table('limit_days', {
  walletId: column.bigint(),
  day: column.day(),
  taken: column.cents(),
})

/** The payments behind the total; failed ones are removed when room is needed. @public Compared with the schema. */
export const limitUses = table('limit_uses', {
  walletId: column.bigint(),
  day: column.day(),
  operationId: column.uuid(),
  amount: column.cents(),
  /** Last admission; a use without an operation is deleted some time later. */
  reservedAt: column.instant(),
  /** Completed: it stays in its day. */
  final: column.boolean(),
})
