// Booked entries of a day, for the reconciliation with the ledger.
import { type Day, startOfLisbonDay } from '../../kernel/lisbon.ts'
import { type Cents, cents } from '../../kernel/money.ts'
import { after, hour, type Instant } from '../../kernel/time.ts'
import { type Executor, statement } from '../../storage/index.ts'
import type { OrderKind } from '../model.ts'

/** Most banks book charges as separate entries, some inside the amount. */
export interface BookedLine {
  readonly id: string
  readonly kind: 'payment' | 'refund' | 'dispute' | 'payout' | 'other'
  readonly amount: Cents
  readonly fee: Cents
  readonly key: string | undefined
  readonly bookedAt: Instant
}

/** Files contain days only, so entries count as booked at noon. */
const noonMs = 12 * hour

const selectDay = statement<{
  id: string
  is_credit: boolean
  amount: bigint
  charge: bigint | null
  order_id: string | null
  order_kind: OrderKind | null
  is_refund: boolean
  is_transfer: boolean
}>(`
  select entry.id, entry.direction = 'credit' as is_credit, entry.amount, entry.charge, entry.order_id,
    bank_orders.kind as order_kind,
    bank_orders.refund_of is not null as is_refund, entry.state = 'TRANSFER' as is_transfer
  from bank_entries as entry
  left join bank_orders on bank_orders.id = entry.order_id
  where entry.booked_on = $1::date and entry.state <> 'RESOLVED'`)

/** Entries of a day from the imported files, without those that the operator closed with a note. */
export async function statementByFile(db: Executor, day: Day): Promise<BookedLine[]> {
  const bookedAt = after(startOfLisbonDay(day), noonMs)
  return (await db.run(selectDay, [day])).map((row) => ({
    id: row.id,
    kind: row.is_transfer ? 'payment' : kindOf(row.order_kind, row.is_credit, row.is_refund),
    amount: cents(row.is_credit ? row.amount : -row.amount),
    fee: cents(row.charge ?? 0n),
    key: row.is_transfer ? row.id : (row.order_id ?? undefined),
    bookedAt,
  }))
}

function kindOf(orderKind: OrderKind | null, isCredit: boolean, isRefund: boolean): BookedLine['kind'] {
  if (orderKind === 'collection') return isCredit ? 'payment' : 'dispute'
  if (orderKind === 'transfer') return isRefund ? 'refund' : 'payout'
  return 'other'
}
