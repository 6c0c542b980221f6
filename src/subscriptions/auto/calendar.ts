// The calendar of automatic charges, and their results.
import { firstIdOf } from '../../kernel/random.ts'
import { type Instant, toTimestamp } from '../../kernel/time.ts'
import type { Executor, PageOfList, StoredRowOf } from '../../storage/index.ts'
import { statement } from '../../storage/index.ts'
import { type Subscription, subscriptions } from '../model.ts'
import { type AutoCharge, type AutoChargeStatus, autoCharges, type Outcome } from './model.ts'

export interface CalendarFilter {
  readonly statuses?: readonly AutoChargeStatus[] | undefined
  readonly outcomes?: readonly Outcome[] | undefined
  /** Due at or after this moment. */
  readonly from?: Instant | undefined
  /** Due before this moment. */
  readonly until?: Instant | undefined
}

const autoColumns = autoCharges.prefixed('auto_')
const shown = subscriptions.prefixed('shown_')

const selectCalendar = statement<
  StoredRowOf<typeof autoColumns> & StoredRowOf<typeof shown> & { total: bigint }
>(`
  with matching as (
    select * from auto_charges
    where wallet_id = $1 and ($2::text[] is null or status = any($2::text[]))
      and ($3::text[] is null or outcome = any($3::text[]))
      and ($4::timestamptz is null or due_at >= $4::timestamptz)
      and ($5::timestamptz is null or due_at < $5::timestamptz)
  )
  select ${autoColumns.aliased('page')}, ${shown.aliased('subscriptions')}, counted.total
  from (select count(*) as total from matching) as counted
  left join lateral (
    select * from matching order by due_at nulls last, subscription_id limit $6 offset $7
  ) as page on true
  left join subscriptions on subscriptions.wallet_id = page.wallet_id and subscriptions.id = page.subscription_id
  order by page.due_at nulls last, page.subscription_id`)

export interface Entry {
  readonly auto: AutoCharge
  readonly subscription: Subscription
}

/** Sorted by due time. */
export async function listCalendar(
  db: Executor,
  walletId: bigint,
  { statuses, outcomes, from, until }: CalendarFilter,
  { limit, offset }: PageOfList,
): Promise<{ readonly total: number; readonly entries: readonly Entry[] }> {
  const moment = (at: Instant | undefined) => (at === undefined ? null : toTimestamp(at))
  const rows = await db.run(selectCalendar, [
    ...[walletId, statuses ?? null, outcomes ?? null, moment(from), moment(until)],
    ...[limit, offset * limit],
  ])
  const found = rows.filter(
    (row) => (row as unknown as Record<string, unknown>).auto_subscription_id !== null,
  )
  return {
    total: Number(rows[0]?.total ?? 0n),
    entries: found.map((row) => ({ auto: autoColumns.read(row), subscription: shown.read(row) })),
  }
}

export interface Results {
  readonly cycles: number
  readonly paidAtOnce: number
  readonly recovered: number
  readonly retrying: number
  readonly failed: number
  readonly recoveredAmount: bigint
  readonly failedAmount: bigint
  readonly reasons: readonly { readonly error: string; readonly charges: number }[]
}

interface ResultRow {
  readonly cycles: bigint
  readonly paid_at_once: bigint
  readonly recovered: bigint
  readonly retrying: bigint
  readonly failed: bigint
  readonly recovered_amount: bigint
  readonly failed_amount: bigint
  readonly reasons: Results['reasons'] | null
}

/** The attempts of a cycle count once, under the reason of the first refusal. */
const selectResults = statement<ResultRow>(`
  with cycles as (
    select charges.wallet_id, charges.subscription_id, charges.number, max(charges.amount) as amount,
      bool_or(charges.status = 'SUCCESS') as paid,
      bool_or(charges.status in ('NEW', 'PROCESSING')) as busy,
      (array_agg(charges.error order by charges.attempt) filter (where charges.error is not null))[1] as error
    from charges
    where charges.wallet_id = $1 and charges.id >= $2 and charges.id < $3 and charges.attempt is not null
    group by charges.wallet_id, charges.subscription_id, charges.number
  ),
  decided as (
    select cycles.*, not paid and (
      busy or exists (
        select from auto_charges
        where auto_charges.wallet_id = cycles.wallet_id and auto_charges.subscription_id = cycles.subscription_id
          and auto_charges.number = cycles.number and auto_charges.outcome in ('RETRYING', 'REFUSED')
      )
    ) as retrying
    from cycles
  )
  select count(*) as cycles,
    count(*) filter (where paid and error is null) as paid_at_once,
    count(*) filter (where paid and error is not null) as recovered,
    count(*) filter (where retrying) as retrying,
    count(*) filter (where not paid and not retrying) as failed,
    coalesce(sum(amount) filter (where paid and error is not null), 0)::bigint as recovered_amount,
    coalesce(sum(amount) filter (where not paid and not retrying), 0)::bigint as failed_amount,
    (
      select jsonb_agg(jsonb_build_object('error', error, 'charges', charges) order by charges desc, error)
      from (select error, count(*) as charges from decided where error is not null group by error) as reason
    ) as reasons
  from decided`)

export async function resultsBetween(
  db: Executor,
  walletId: bigint,
  from: Instant,
  until: Instant,
): Promise<Results> {
  const [row] = await db.run(selectResults, [walletId, firstIdOf(from), firstIdOf(until)])
  if (row === undefined) throw new Error('an aggregate has one row')
  return {
    cycles: Number(row.cycles),
    paidAtOnce: Number(row.paid_at_once),
    recovered: Number(row.recovered),
    retrying: Number(row.retrying),
    failed: Number(row.failed),
    recoveredAmount: row.recovered_amount,
    failedAmount: row.failed_amount,
    reasons: row.reasons ?? [],
  }
}
