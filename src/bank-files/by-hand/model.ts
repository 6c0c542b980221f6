// Orders that an operator answered, because the bank said so otherwise than by file.
import { column, type RowOf, table } from '../../storage/tables/table.ts'
import type { OrderAnswer } from '../model.ts'

/** An answer that somebody gave to an order, or that waits for a second person; one of each kind an order. */
export const bankSettlements = table('bank_settlements', {
  /** Under which its fee is posted. */
  id: column.uuid(),
  walletId: column.bigint(),
  orderId: column.uuid(),
  answer: column.text<OrderAnswer>(),
  /** What the answer moves, in cents: of a debit that came back, without what refunds had sent of it. */
  amount: column.cents(),
  /** What the bank charged, in cents. */
  fee: column.cents(),
  reason: column.text(),
  /** Whether the limit of that time wanted a second person. */
  needsSecond: column.boolean(),
  settledBy: column.text(),
  settledAt: column.instant(),
  approvedBy: column.text().optional(),
  approvedAt: column.instant().optional(),
})

export type Settlement = RowOf<typeof bankSettlements>

/** SQL of whether a settlement answers its order. @param row its table or alias */
export function isGivenSql(row: string): string {
  return `(not ${row}.needs_second or ${row}.approved_at is not null)`
}

/** Whether it waits for a second person. */
export function isWaiting({ needsSecond, approvedAt }: Settlement): boolean {
  return needsSecond && approvedAt === undefined
}
