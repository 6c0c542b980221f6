// The tables of payouts by schedule: when each merchant wants them, and what became of each time.
import { column, type RowOf, table } from '../storage/tables/table.ts'

/** The method that payouts are shown with: a transfer in the SEPA area. */
export const payoutMethod = 'SEPA'

export const frequencies = ['none', 'daily', 'weekly', 'monthly'] as const
export type Frequency = (typeof frequencies)[number]

/** Why nothing was paid out. */
export const skipReasons = ['below_minimum', 'no_iban', 'no_bank', 'suspended', 'limit_reached'] as const
export type SkipReason = (typeof skipReasons)[number]

export const payoutSchedules = table(
  'payout_schedules',
  {
    walletId: column.bigint(),
    frequency: column.text<Frequency>(),
    /** Of the week, 1 is Monday and 5 Friday; or of the month, 1 to 31, the last day of shorter ones. */
    day: column.smallint().optional(),
    /** What is paid out at the least. */
    minimum: column.cents(),
    /** What stays on the balance. */
    keep: column.cents(),
    /** The day of the next payout. */
    nextOn: column.day().optional(),
  },
  { dueAt: column.instant().optional(), modifiedAt: column.instant() },
)

/** When and how much a merchant is paid out without asking. */
export type PayoutSchedule = RowOf<typeof payoutSchedules>

export const payoutRuns = table(
  'payout_runs',
  {
    day: column.day(),
    operationId: column.uuid(),
    outcome: column.text<'ordered' | 'skipped'>().optional(),
    amount: column.cents().optional(),
    reason: column.text<SkipReason>().optional(),
    ranAt: column.instant(),
  },
  { walletId: column.bigint() },
)

/** A day on which a schedule was due, and what became of it; without an outcome it is at work. */
export type PayoutRun = RowOf<typeof payoutRuns>
