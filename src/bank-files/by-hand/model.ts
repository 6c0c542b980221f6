// Orders settled by hand, because the bank answered outside its files.
import { column, type RowOf, table } from '../../storage/tables/table.ts'
import type { OrderAnswer } from '../model.ts'

/** Settlements: an order has at most one of each answer. */
export const bankSettlements = table('bank_settlements', {
  /** The id is also the operation id of the fee's posting. */
  id: column.uuid(),
  walletId: column.bigint(),
  orderId: column.uuid(),
  answer: column.text<OrderAnswer>(),
  /** The amount that moved. For a returned debit, refunds that were sent before are subtracted. */
  amount: column.cents(),
  fee: column.cents(),
  reason: column.text(),
  /** True if the limit at that time required a second person. */
  needsSecond: column.boolean(),
  settledBy: column.text(),
  settledAt: column.instant(),
  approvedBy: column.text().optional(),
  approvedAt: column.instant().optional(),
})

export type Settlement = RowOf<typeof bankSettlements>

/** SQL condition: the settlement counts, because no approval is missing. `row` is its table or alias. */
export function isGivenSql(row: string): string {
  return `(not ${row}.needs_second or ${row}.approved_at is not null)`
}

export function isWaiting({ needsSecond, approvedAt }: Settlement): boolean {
  return needsSecond && approvedAt === undefined
}
