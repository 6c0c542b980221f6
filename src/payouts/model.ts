// The tables of payouts by schedule.
import { column, type RowOf, table } from '../storage/tables/table.ts'

/** Payouts are transfers in the SEPA area. */
export const payoutMethod = 'SEPA'

export const frequencies = ['none', 'daily', 'weekly', 'monthly'] as const
export type Frequency = (typeof frequencies)[number]

export const skipReasons = ['below_minimum', 'no_iban', 'no_bank', 'suspended', 'limit_reached'] as const
export type SkipReason = (typeof skipReasons)[number]

export const payoutSchedules = table(
  'payout_schedules',
  {
    walletId: column.bigint(),
    frequency: column.text<Frequency>(),
    /** Weekly: 1 (Monday) to 5 (Friday). Monthly: 1 to 31, or the last day of a shorter month. */
    day: column.smallint().optional(),
    /** The schedule orders no smaller payout. */
    minimum: column.cents(),
    /** The amount that stays on the balance. */
    keep: column.cents(),
    nextOn: column.day().optional(),
  },
  { dueAt: column.instant().optional(), modifiedAt: column.instant() },
)

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

/** A due day of a schedule. It has no outcome while it is in progress. */
export type PayoutRun = RowOf<typeof payoutRuns>
