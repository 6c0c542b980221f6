// What the bank has booked on a day, as it is compared with the ledger.
import { type Day, startOfLisbonDay } from '../../kernel/lisbon.ts'
import { type Cents, cents } from '../../kernel/money.ts'
import { after, hour, type Instant } from '../../kernel/time.ts'
import type { Executor } from '../../storage/index.ts'
import { entriesOfDay } from './store.ts'

/** An entry of the bank; most banks charge in entries of their own, some beside the amount. */
export interface BookedLine {
  readonly id: string
  readonly kind: 'payment' | 'refund' | 'dispute' | 'payout' | 'other'
  readonly amount: Cents
  readonly fee: Cents
  /** Of the order, or of the transfer that arrived. */
  readonly key: string | undefined
  readonly bookedAt: Instant
}

/** Files name days: an entry counts as booked at noon. */
const noonMs = 12 * hour

/**
 * The entries that are booked on a day by the files imported so far, at noon. What the operator has closed with a note
 * is explained, and left out.
 */
export async function statementByFile(db: Executor, day: Day): Promise<BookedLine[]> {
  const bookedAt = after(startOfLisbonDay(day), noonMs)
  return (await entriesOfDay(db, day)).map(
    ({ id, isCredit, amount, charge, orderId, orderKind, isRefund, isTransfer }) => ({
      id,
      kind: isTransfer ? 'payment' : kindOf(orderKind, isCredit, isRefund),
      amount: cents(isCredit ? amount : -amount),
      fee: cents(charge),
      key: isTransfer ? id : orderId,
      bookedAt,
    }),
  )
}

function kindOf(orderKind: string | undefined, isCredit: boolean, isRefund: boolean): BookedLine['kind'] {
  if (orderKind === 'collection') return isCredit ? 'payment' : 'dispute'
  if (orderKind === 'transfer') return isRefund ? 'refund' : 'payout'
  return 'other'
}
