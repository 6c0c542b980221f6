// The SQL of payouts by schedule, one for each day.
import type { Day } from '../kernel/lisbon.ts'
import { type Instant, toTimestamp } from '../kernel/time.ts'
import { type Executor, type StoredRowOf, statement } from '../storage/index.ts'
import { type PayoutRun, type PayoutSchedule, payoutRuns, payoutSchedules } from './model.ts'

type ScheduleRow = StoredRowOf<typeof payoutSchedules>

const selectSchedule = statement<ScheduleRow>(
  `select ${payoutSchedules.list()} from payout_schedules where wallet_id = $1`,
)

export async function findSchedule(db: Executor, walletId: bigint): Promise<PayoutSchedule | undefined> {
  return payoutSchedules.first(await db.run(selectSchedule, [walletId]))
}

const whole = payoutSchedules.whole
const upsertSchedule = statement(`
  insert into payout_schedules (${whole.list()}) values (${whole.placeholders()})
  on conflict (wallet_id) do update set frequency = excluded.frequency, day = excluded.day,
    minimum = excluded.minimum, keep = excluded.keep, next_on = excluded.next_on, due_at = excluded.due_at,
    modified_at = excluded.modified_at`)

/** Next due at `dueAt`. */
export async function saveSchedule(
  db: Executor,
  schedule: PayoutSchedule,
  dueAt: Instant | undefined,
  now: Instant,
): Promise<void> {
  await db.run(upsertSchedule, whole.values({ ...schedule, dueAt, modifiedAt: now }))
}

const claimSchedules = statement<ScheduleRow>(`
  update payout_schedules set due_at = $2
  where wallet_id in (
    select wallet_id from payout_schedules where due_at <= $1 order by due_at limit $3 for update skip locked
  )
  returning ${payoutSchedules.list()}`)

/** Due again at the end of the lease, if this process dies. */
export async function claimSchedulesDue(
  db: Executor,
  now: Instant,
  leaseEnd: Instant,
  limit: number,
): Promise<PayoutSchedule[]> {
  const values = [toTimestamp(now), toTimestamp(leaseEnd), limit]
  return (await db.run(claimSchedules, values)).map(payoutSchedules.read)
}

const runOf = payoutRuns.pick('walletId', 'day', 'operationId', 'ranAt')
const insertRun = statement(`
  insert into payout_runs (${runOf.list()}) values (${runOf.placeholders()})
  on conflict (wallet_id, day) do nothing`)
const selectRun = statement<{ operation_id: string }>(
  'select operation_id from payout_runs where wallet_id = $1 and day = $2',
)

/** The id of the day's payout, from the first process that began it. */
export async function beginRun(
  db: Executor,
  run: {
    readonly walletId: bigint
    readonly day: Day
    readonly operationId: string
    readonly ranAt: Instant
  },
): Promise<string> {
  await db.run(insertRun, runOf.values(run))
  const [begun] = await db.run(selectRun, [run.walletId, run.day])
  if (begun === undefined) throw new Error(`the payout of wallet ${run.walletId} on ${run.day} was not begun`)
  return begun.operation_id
}

const finishRunRow = statement(`
  with finished as (
    update payout_runs set outcome = $3, amount = $4, reason = $5
    where wallet_id = $1 and day = $2 and outcome is distinct from 'ordered'
  )
  update payout_schedules set next_on = $6, due_at = $7 where wallet_id = $1 and next_on = $2`)

/** Stores the outcome, unless another process has ordered the payout or changed the schedule meanwhile. */
export async function finishRun(
  db: Executor,
  { walletId, nextOn: day }: PayoutSchedule,
  { outcome, amount, reason }: Pick<PayoutRun, 'outcome' | 'amount' | 'reason'>,
  next: { readonly day: Day; readonly dueAt: Instant },
): Promise<void> {
  const result = [outcome, amount ?? null, reason ?? null]
  await db.run(finishRunRow, [walletId, day, ...result, next.day, toTimestamp(next.dueAt)])
}

const selectRuns = statement<StoredRowOf<typeof payoutRuns>>(`
  select ${payoutRuns.list()} from payout_runs
  where wallet_id = $1 and outcome is not null
  order by day desc limit $2`)

/** Newest first. */
export async function lastRuns(db: Executor, walletId: bigint, limit: number): Promise<PayoutRun[]> {
  return (await db.run(selectRuns, [walletId, limit])).map(payoutRuns.read)
}
