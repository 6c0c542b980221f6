// A merchant's limits: the largest payment and a day's total.
import { addDays, lisbonDayOf, startOfLisbonDay } from '../kernel/lisbon.ts'
import type { Cents } from '../kernel/money.ts'
import { firstIdOf } from '../kernel/random.ts'
import { ok, type Result } from '../kernel/result.ts'
import { after, type Clock, type Instant, minute } from '../kernel/time.ts'
import type { Database, Executor } from '../storage/index.ts'
import {
  countedOfDay,
  countOpenedSince,
  countToDay,
  forgetDaysBefore,
  recountDay,
  takenOfDay,
} from './limits-store.ts'
import { overDay, type PaymentLimits, withinPaymentLimit } from './rules.ts'

/** A charge is opened sooner than this after it was counted. */
const openedWithinMs = 2 * minute

export interface LimitsDeps {
  readonly database: Database
  readonly clock: Clock
}

interface AskedAmount {
  readonly amount: Cents
  readonly field: string
}

export interface AskedPayment extends AskedAmount {
  readonly operationId: string
}

/** Checks limits without counting, for a payment that starts later. Refusals: limit_reached. */
export async function withinLimits(
  { database, clock }: LimitsDeps,
  wallet: PaymentLimits,
  { amount, field }: AskedAmount,
): Promise<Result<undefined>> {
  const { id, dayLimit } = wallet
  const single = withinPaymentLimit(wallet, amount, field)
  if (!single.ok || dayLimit === null) return single
  const day = lisbonDayOf(clock.now())
  if ((await countedOfDay(database, id, day)) + amount <= dayLimit) return ok(undefined)
  const taken = await takenOfDay(database, id, day)
  return taken + amount <= dayLimit ? ok(undefined) : overDay(dayLimit, taken, amount, field)
}

/** Counts a payment for the day, once, before its rail is asked. Refusals: limit_reached. */
export async function admitPayment(
  deps: LimitsDeps,
  wallet: PaymentLimits,
  payment: AskedPayment,
  tx?: Executor,
): Promise<Result<undefined>> {
  const { dayLimit } = wallet
  const single = withinPaymentLimit(wallet, payment.amount, payment.field)
  if (!single.ok || dayLimit === null) return single
  const { database, clock } = deps
  const now = clock.now()
  const use = { ...payment, walletId: wallet.id, day: lisbonDayOf(now) }
  const { amount, field } = payment
  if (await countToDay(tx ?? database, use, dayLimit, now)) return ok(undefined)
  const again = async (locked: Executor): Promise<Result<undefined>> => {
    await recountDay(locked, use, after(now, -openedWithinMs))
    if (await countToDay(locked, use, dayLimit, now)) return ok(undefined)
    return overDay(dayLimit, await countedOfDay(locked, wallet.id, use.day), amount, field)
  }
  return tx === undefined ? database.transaction(again) : again(tx)
}

class DayIsFull extends Error {}

/** Opens and counts in one transaction (decision 0006). False if opened before. Refusals: limit_reached. */
export async function openAdmitted(
  { database, clock }: LimitsDeps,
  { id: walletId, dayLimit }: { readonly id: bigint; readonly dayLimit: Cents },
  { amount, field, operationId }: AskedPayment,
  open: (tx: Executor) => Promise<boolean>,
): Promise<Result<boolean>> {
  const now = clock.now()
  const use = { walletId, operationId, amount, day: lisbonDayOf(now) }

  async function openCounted(): Promise<boolean | undefined> {
    try {
      return await database.transaction(async (tx) => {
        if (!(await open(tx))) return false
        if (await countToDay(tx, use, dayLimit, now)) return true
        throw new DayIsFull()
      })
    } catch (error) {
      if (error instanceof DayIsFull) return undefined
      throw error
    }
  }

  const opened = await openCounted()
  if (opened !== undefined) return ok(opened)
  // The recount has its own transaction, so it is kept even if the day has no room.
  const taken = await database.transaction(async (tx) => {
    await recountDay(tx, use, after(now, -openedWithinMs))
    return countedOfDay(tx, walletId, use.day)
  })
  const openedNow = taken + amount <= dayLimit ? await openCounted() : undefined
  if (openedNow !== undefined) return ok(openedNow)
  return overDay(dayLimit, await countedOfDay(database, walletId, use.day), amount, field)
}

/** Call it in the transaction that sets a day limit. It counts paid operations and those under approval. */
export async function countDaySoFar(tx: Executor, walletId: bigint, now: Instant): Promise<void> {
  const day = lisbonDayOf(now)
  await countOpenedSince(tx, { walletId, day, firstId: firstIdOf(startOfLisbonDay(day)) })
}

/** Yesterday is kept for requests that began before midnight. */
export async function forgetDaysThatAreOver({ database, clock }: LimitsDeps): Promise<void> {
  await forgetDaysBefore(database, addDays(lisbonDayOf(clock.now()), -1))
}

/** Counts a payment that already happened, even above the limit. */
export async function countPaid(
  { database, clock }: LimitsDeps,
  { id, dayLimit }: PaymentLimits,
  { operationId, amount }: Pick<AskedPayment, 'operationId' | 'amount'>,
): Promise<void> {
  if (dayLimit === null) return
  const now = clock.now()
  await countToDay(database, { walletId: id, day: lisbonDayOf(now), operationId, amount }, null, now)
}

export function takenToday({ database, clock }: LimitsDeps, walletId: bigint): Promise<bigint> {
  return takenOfDay(database, walletId, lisbonDayOf(clock.now()))
}
