// Orders settled by hand, because the bank answered outside its files.
import { column, type RowOf, table } from '../../storage/tables/table.ts'
import type { OrderAnswer } from '../model.ts'

/** At most one settlement of each answer for an order. */
export const bankSettlements = table('bank_settlements', {
  /** Also the operation id of the fee's posting. */
  id: column.uuid(),
  walletId: column.bigint(),
  orderId: column.uuid(),
  answer: column.text<OrderAnswer>(),
  /** Amount moved, in cents, without refunds of a returned debit that were sent before. */
  amount: column.cents(),
  fee: column.cents(),
  reason: column.text(),
  /** Whether the limit at that time required a second person. */
  needsSecond: column.boolean(),
  settledBy: column.text(),
  settledAt: column.instant(),
  approvedBy: column.text().optional(),
  approvedAt: column.instant().optional(),
})

export type Settlement = RowOf<typeof bankSettlements>

/** SQL condition: the settlement answers its order. `row` is its table or alias. */
export function isGivenSql(row: string): string {
  return `(not ${row}.needs_second or ${row}.approved_at is not null)`
}

export function isWaiting({ needsSecond, approvedAt }: Settlement): boolean {
  return needsSecond && approvedAt === undefined
}
