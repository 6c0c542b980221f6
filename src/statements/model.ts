// The tables of the statement: what moved on each merchant's account, day by day.
import { column, type RowOf, table } from '../storage/tables/table.ts'

/**
 * Why money moved: taken in, given back, sent to the merchant's bank, divided with other wallets, charged by the bank, or
 * another reason.
 */
export type MovementKind = 'payment' | 'refund' | 'payout' | 'share' | 'bank_charge' | 'other'

export const accountDays = table(
  'account_days',
  {
    day: column.day(),
    kind: column.text<MovementKind>(),
    /** Empty where the operation has none. */
    method: column.text(),
    /** Added to the balance, in cents, before the fee; negative where it was taken. */
    gross: column.cents(),
    /** What the gateway kept of it, in cents. */
    fee: column.cents(),
    /** How many postings these are. */
    entries: column.bigint(),
  },
  { accountId: column.bigint() },
)

export const dayTotalFields = accountDays.omit('day').with({
  /** Undefined for all days before the first. */
  day: column.day().optional(),
})

/** What moved on an account on one day, or before the first, of one kind and by one method. */
export type DayTotal = RowOf<typeof dayTotalFields>

/**
 * The last posting that is in {@link accountDays} and {@link accountDaySpans}.
 *
 * @public Compared with the schema.
 */
export const accountDaysUpto = table('account_days_upto', {
  isOnly: column.boolean(),
  upto: column.bigint(),
})

/**
 * The first and the last posting of an account on each day.
 *
 * @public Compared with the schema.
 */
export const accountDaySpans = table('account_day_spans', {
  accountId: column.bigint(),
  day: column.day(),
  firstId: column.bigint(),
  lastId: column.bigint(),
  /** Whether a fee took a whole amount, so that no posting on the account shows it. */
  hasFeesAlone: column.boolean(),
})
