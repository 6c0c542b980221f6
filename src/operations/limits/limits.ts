// A merchant's limits where money begins: the largest payment, and what a Lisbon day may come to.
import { addDays, lisbonDayOf, startOfLisbonDay } from '../../kernel/lisbon.ts'
import type { Cents } from '../../kernel/money.ts'
import { firstIdOf } from '../../kernel/random.ts'
import { ok, type Result } from '../../kernel/result.ts'
import { after, type Clock, type Instant, minute } from '../../kernel/time.ts'
import type { Database, Executor } from '../../storage/index.ts'
import {
  countedOfDay,
  countOpenedSince,
  countToDay,
  forgetDaysBefore,
  recountDay,
  takenOfDay,
} from './day-store.ts'
import { overDay, type PaymentLimits, withinPaymentLimit } from './rules.ts'

/** Longer than a charge may take between being counted and opening its operation. */
const openedWithinMs = 2 * minute

export interface LimitsDeps {
  readonly database: Database
  readonly clock: Clock
}

/** An amount that somebody asks for, and how the request names it. */
interface AskedAmount {
  readonly amount: Cents
  readonly field: string
}

/** A payment whose rail is about to be asked. */
export interface AskedPayment extends AskedAmount {
  readonly operationId: string
}

/**
 * Whether `amount` could be paid now, for what somebody pays later: nothing is counted. Reads nothing where the wallet
 * has no limit for a day.
 *
 * Refusals: limit_reached naming the field, the limit and the amount.
 */
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

/**
 * Counts a payment to the day before its rail is asked, exactly however many come at once; counted before, it stays so.
 * One that fails leaves the day when its room is needed.
 *
 * @param tx that of who opens the operation; absent: the operation is opened next
 * Refusals: limit_reached naming the field, the limit and the amount.
 */
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

/** Ends a transaction that has opened what the day has no room for. */
class DayIsFull extends Error {}

/**
 * Opens a payment and counts it to the day in one transaction: whoever finds the day full because of it finds what it was
 * opened under as well. False where `open` answers that it was opened before; then nothing is counted.
 *
 * @param wallet one that has a limit for a day
 * Refusals: limit_reached naming the field, the limit and the amount; then nothing was opened.
 */
export async function openAdmitted(
  { database, clock }: LimitsDeps,
  { id: walletId, dayLimit }: { readonly id: bigint; readonly dayLimit: Cents },
  { amount, field, operationId }: AskedPayment,
  open: (tx: Executor) => Promise<boolean>,
): Promise<Result<boolean>> {
  const now = clock.now()
  const use = { walletId, operationId, amount, day: lisbonDayOf(now) }

  /** Undefined where the day is full. */
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
  // In a transaction of its own: what it found out is kept, whether or not there is room now.
  const taken = await database.transaction(async (tx) => {
    await recountDay(tx, use, after(now, -openedWithinMs))
    return countedOfDay(tx, walletId, use.day)
  })
  const openedNow = taken + amount <= dayLimit ? await openCounted() : undefined
  if (openedNow !== undefined) return ok(openedNow)
  return overDay(dayLimit, await countedOfDay(database, walletId, use.day), amount, field)
}

/**
 * Counts what a wallet has taken today before it had a limit for a day, in the transaction that sets the limit: what was
 * opened today and was paid, or is being decided by its rail.
 */
export async function countDaySoFar(tx: Executor, walletId: bigint, now: Instant): Promise<void> {
  const day = lisbonDayOf(now)
  await countOpenedSince(tx, { walletId, day, firstId: firstIdOf(startOfLisbonDay(day)) })
}

/** Forgets a portion of the days that are over; yesterday is kept for requests that began before midnight. */
export async function forgetDaysThatAreOver({ database, clock }: LimitsDeps): Promise<void> {
  await forgetDaysBefore(database, addDays(lisbonDayOf(clock.now()), -1))
}

/** Counts what a customer has paid already, and nobody can refuse any more, to the day. */
export async function countPaid(
  { database, clock }: LimitsDeps,
  { id, dayLimit }: PaymentLimits,
  { operationId, amount }: Pick<AskedPayment, 'operationId' | 'amount'>,
): Promise<void> {
  if (dayLimit === null) return
  const now = clock.now()
  await countToDay(database, { walletId: id, day: lisbonDayOf(now), operationId, amount }, null, now)
}

/** What was taken today, in cents, of a wallet that has a limit for a day. */
export function takenToday({ database, clock }: LimitsDeps, walletId: bigint): Promise<bigint> {
  return takenOfDay(database, walletId, lisbonDayOf(clock.now()))
}
