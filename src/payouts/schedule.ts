// Payouts by schedule: one on each due day.
import { crashPoint } from '../kernel/crash-points.ts'
import { type Day, lisbonDayOf } from '../kernel/lisbon.ts'
import { cents } from '../kernel/money.ts'
import { newId } from '../kernel/random.ts'
import { unwrap } from '../kernel/result.ts'
import { after, type Instant, minute, toTimestamp } from '../kernel/time.ts'
import { isSepaIban } from '../kernel/values/ibans.ts'
import { findOperation } from '../operations/index.ts'
import {
  createWorker,
  type Executor,
  execute,
  findAll,
  findFirst,
  statement,
  type Worker,
} from '../storage/index.ts'
import type { Wallet } from '../wallets/index.ts'
import { type PayoutRun, type PayoutSchedule, payoutRuns, payoutSchedules } from './model.ts'
import { fundsOf, leftToPayOut, type PayoutsDeps, payableTo, payOut } from './payout.ts'
import { dueAtOn, nextPayoutDay, payoutAmount } from './rules.ts'

const pollMs = 5000
const concurrency = 4
/** The lease is longer than a payout takes. A failed payout is retried after the same time. */
const leaseMs = 2 * minute

/** Stores a schedule, which is valid from tomorrow. Returns it with its next day. */
export async function setSchedule(
  { database, clock }: Pick<PayoutsDeps, 'database' | 'clock'>,
  wallet: Wallet,
  asked: Omit<PayoutSchedule, 'walletId' | 'nextOn'>,
): Promise<PayoutSchedule> {
  const now = clock.now()
  const nextOn = nextPayoutDay(asked, lisbonDayOf(now))
  const schedule = { ...asked, walletId: wallet.id, nextOn }
  const dueAt = nextOn === undefined ? undefined : dueAtOn(nextOn)
  await saveSchedule(database, schedule, dueAt, now)
  return schedule
}

/** The worker of schedules. Several processes share the due ones. */
export function createPayoutSchedules(deps: PayoutsDeps): Worker {
  const { database, clock, onError } = deps
  return createWorker<PayoutSchedule>({
    name: 'payouts',
    database,
    pollMs,
    concurrency,
    claim(limit) {
      const now = clock.now()
      return claimSchedulesDue(database, now, after(now, leaseMs), limit)
    },
    async work(schedule) {
      const { nextOn } = schedule
      if (nextOn === undefined) return
      const ended = await orderFor(deps, schedule, nextOn)
      crashPoint('payout ordered, schedule not moved on')
      // If earlier days were missed, this payout includes their money.
      const day = nextPayoutDay(schedule, lisbonDayOf(clock.now()))
      if (day !== undefined) await finishRun(database, schedule, ended, { day, dueAt: dueAtOn(day) })
    },
    onError,
  })
}

/** Orders the payout of `day` once, or records the reason why there is no payout. */
async function orderFor(
  deps: PayoutsDeps,
  schedule: PayoutSchedule,
  day: Day,
): Promise<Pick<PayoutRun, 'outcome' | 'amount' | 'reason'>> {
  const { database, clock, random } = deps
  const { walletId } = schedule
  const now = clock.now()
  const id = await beginRun(database, { walletId, day, operationId: newId(now, random), ranAt: now })
  crashPoint('payout of a schedule begun, not ordered')
  const known = await findOperation(database, walletId, id)
  if (known !== undefined) return { outcome: 'ordered', amount: cents(-known.amount) }
  const wallet = await deps.wallets.get(walletId)
  if (wallet.suspendedAt !== undefined) return { outcome: 'skipped', reason: 'suspended' }
  if (wallet.iban === null || !isSepaIban(wallet.iban)) return { outcome: 'skipped', reason: 'no_iban' }
  if (!(await payableTo(deps, wallet)).ok) return { outcome: 'skipped', reason: 'no_bank' }
  const { balance, onItsWay } = await fundsOf(deps, wallet)
  const wanted = payoutAmount(schedule, balance - onItsWay)
  if (wanted === undefined) return { outcome: 'skipped', reason: 'below_minimum' }
  const left = await leftToPayOut(deps, database, wallet)
  if (left !== undefined && left < schedule.minimum) return { outcome: 'skipped', reason: 'limit_reached' }
  const amount = left === undefined || wanted <= left ? wanted : cents(left)
  // This throws if another payout was faster. After the lease the worker tries again.
  const { payout } = unwrap(await payOut(deps, wallet, { amount, id, channel: 'SCHEDULE' }))
  return { outcome: 'ordered', amount: cents(-payout.amount) }
}

export const findSchedule = findFirst(payoutSchedules, (walletId: bigint) => [walletId])`
  select ${payoutSchedules.list()} from payout_schedules where wallet_id = $1`

const whole = payoutSchedules.whole

/** Stores a schedule that is due next at `dueAt`. */
export const saveSchedule = execute((schedule: PayoutSchedule, dueAt: Instant | undefined, now: Instant) =>
  whole.values({ ...schedule, dueAt, modifiedAt: now }),
)`
  insert into payout_schedules (${whole.list()}) values (${whole.placeholders()})
  on conflict (wallet_id) do update set frequency = excluded.frequency, day = excluded.day,
    minimum = excluded.minimum, keep = excluded.keep, next_on = excluded.next_on, due_at = excluded.due_at,
    modified_at = excluded.modified_at`

/** Claims due schedules. If this process dies, they are due again at the end of the lease. */
const claimSchedulesDue = findAll(payoutSchedules, (now: Instant, leaseEnd: Instant, limit: number) => [
  toTimestamp(now),
  toTimestamp(leaseEnd),
  limit,
])`
  update payout_schedules set due_at = $2
  where wallet_id in (
    select wallet_id from payout_schedules where due_at <= $1 order by due_at limit $3 for update skip locked
  )
  returning ${payoutSchedules.list()}`

const runOf = payoutRuns.pick('walletId', 'day', 'operationId', 'ranAt')

const insertRun = statement(`
  insert into payout_runs (${runOf.list()}) values (${runOf.placeholders()})
  on conflict (wallet_id, day) do nothing`)

const selectRun = statement<{ operation_id: string }>(
  'select operation_id from payout_runs where wallet_id = $1 and day = $2',
)

/** Returns the id of the day's payout, which the first process chose. */
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

/** Stores nothing if another process ordered the payout or changed the schedule. */
export async function finishRun(
  db: Executor,
  { walletId, nextOn: day }: PayoutSchedule,
  { outcome, amount, reason }: Pick<PayoutRun, 'outcome' | 'amount' | 'reason'>,
  next: { readonly day: Day; readonly dueAt: Instant },
): Promise<void> {
  const result = [outcome, amount ?? null, reason ?? null]
  await db.run(finishRunRow, [walletId, day, ...result, next.day, toTimestamp(next.dueAt)])
}

export const lastRuns = findAll(payoutRuns, (walletId: bigint, limit: number) => [walletId, limit])`
  select ${payoutRuns.list()} from payout_runs
  where wallet_id = $1 and outcome is not null
  order by day desc limit $2`
