// The tables of the statement: daily totals by account.
import { column, type RowOf, table } from '../storage/tables/table.ts'

export type MovementKind = 'payment' | 'refund' | 'payout' | 'share' | 'bank_charge' | 'other'

export const accountDays = table(
  'account_days',
  {
    day: column.day(),
    kind: column.text<MovementKind>(),
    /** Empty if the operation has no method. */
    method: column.text(),
    /** Before the fee. Negative if the account was debited. */
    gross: column.cents(),
    /** The gateway's fee. */
    fee: column.cents(),
    /** Number of entries. */
    entries: column.bigint(),
  },
  { accountId: column.bigint() },
)

export const dayTotalFields = accountDays.omit('day').with({
  /** Undefined for the total of all days before the first. */
  day: column.day().optional(),
})

export type DayTotal = RowOf<typeof dayTotalFields>

/** The last posting in {@link accountDays} and {@link accountDaySpans}. @public Tested against the schema. */
export const accountDaysUpto = table('account_days_upto', {
  isOnly: column.boolean(),
  upto: column.bigint(),
})

/** The first and last posting of an account on each day. @public Tested against the schema. */
export const accountDaySpans = table('account_day_spans', {
  accountId: column.bigint(),
  day: column.day(),
  firstId: column.bigint(),
  lastId: column.bigint(),
  /** True if a fee took a whole amount, so that no posting on the account shows it. */
  hasFeesAlone: column.boolean(),
})
