// Payouts by schedule: one on each due day.
import { crashPoint } from '../kernel/crash-points.ts'
import { type Day, lisbonDayOf } from '../kernel/lisbon.ts'
import { cents } from '../kernel/money.ts'
import { newId } from '../kernel/random.ts'
import { unwrap } from '../kernel/result.ts'
import { after, minute } from '../kernel/time.ts'
import { isSepaIban } from '../kernel/values/ibans.ts'
import { findOperation } from '../operations/index.ts'
import { createWorker, type Worker } from '../storage/index.ts'
import type { Wallet } from '../wallets/index.ts'
import type { PayoutsDeps } from './deps.ts'
import type { PayoutRun, PayoutSchedule } from './model.ts'
import { fundsOf, leftToPayOut, payableTo, payOut } from './payout.ts'
import { dueAtOn, nextPayoutDay, payoutAmount } from './rules.ts'
import { beginRun, claimSchedulesDue, finishRun, saveSchedule } from './schedule-store.ts'

const pollMs = 5000
const concurrency = 4
/** Longer than a payout takes; also the pause before a retry. */
const leaseMs = 2 * minute

/** Valid from tomorrow; answers the schedule with its next day. */
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

/** Shared by several processes. */
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
      // Missed days are part of this payout.
      const day = nextPayoutDay(schedule, lisbonDayOf(clock.now()))
      if (day !== undefined) await finishRun(database, schedule, ended, { day, dueAt: dueAtOn(day) })
    },
    onError,
  })
}

/** Orders the payout of `day` once, or records the reason for none. */
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
  // Refused if another payout came first: the lease expires, and it is tried again.
  const { payout } = unwrap(await payOut(deps, wallet, { amount, id, channel: 'SCHEDULE' }))
  return { outcome: 'ordered', amount: cents(-payout.amount) }
}
