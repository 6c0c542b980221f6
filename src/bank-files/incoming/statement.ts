// Booked entries of a day, for the comparison with the ledger.
import { type Day, startOfLisbonDay } from '../../kernel/lisbon.ts'
import type { Cents } from '../../kernel/money.ts'
import { after, hour, type Instant } from '../../kernel/time.ts'
import { column, type Executor, findAll } from '../../storage/index.ts'
import { bankEntries } from './model.ts'

/** A line of the statement. `fee` is the charge that some banks include in an entry. Most banks book it separately. */
export interface BookedLine {
  readonly id: string
  readonly kind: 'payment' | 'refund' | 'dispute' | 'payout' | 'other'
  readonly amount: Cents
  readonly fee: Cents
  readonly key: string | undefined
  readonly bookedAt: Instant
}

/** Files contain only days, so each entry counts as booked at noon. */
const noonMs = 12 * hour

/** Entries of a day from imported files. Entries that the operator closed with a note are left out. */
export async function statementByFile(db: Executor, day: Day): Promise<BookedLine[]> {
  const bookedAt = after(startOfLisbonDay(day), noonMs)
  return (await linesOfDay(db, day)).map((line) => ({ ...line, key: line.key, bookedAt }))
}

const linesOfDay = findAll(
  bankEntries.pick('id').with({
    kind: column.text<BookedLine['kind']>(),
    amount: column.cents(),
    fee: column.cents(),
    key: column.uuid().optional(),
  }),
  (day: Day) => [day],
)`
  select entry.id, coalesce(charge, 0) as fee,
    case entry.direction when 'credit' then entry.amount else -entry.amount end as amount,
    case when state = 'TRANSFER' then entry.id else entry.order_id end as key,
    case
      when state = 'TRANSFER' then 'payment'
      when bank_orders.kind = 'collection' then case entry.direction when 'credit' then 'payment' else 'dispute' end
      when bank_orders.kind = 'transfer' then case when bank_orders.refund_of is null then 'payout' else 'refund' end
      else 'other'
    end as kind
  from bank_entries as entry
  left join bank_orders on bank_orders.id = entry.order_id
  where entry.booked_on = $1::date and state <> 'RESOLVED'`
