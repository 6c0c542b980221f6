// Changes of automatic charges by the merchant and the customer.
import type { Static } from 'typebox'
import { lisbonDayOf, startOfLisbonDay } from '../../kernel/lisbon.ts'
import { ok, type Result, refuse } from '../../kernel/result.ts'
import type { Instant } from '../../kernel/time.ts'
import { type Executor, refusingTransaction } from '../../storage/index.ts'
import { cycleOf } from '../charging/rules.ts'
import type { SubscriptionsDeps } from '../deps.ts'
import type { Subscription } from '../model.ts'
import type { AutoCharge } from './model.ts'
import { isSoft, nextCycleAfterPause, nextCycleAfterStart } from './rules.ts'
import { type autoChargeBody, readAutoCharge } from './schemas.ts'
import {
  changeTerms,
  endAutoCharge,
  findAutoCharge,
  insertAutoCharge,
  lockAutoCharge,
  lockSubscription,
  markAutoCharged,
  pauseAutoCharge,
  repeatedSince,
  resumeAutoCharge,
  retryNow,
} from './store.ts'

type ChangeDeps = Pick<SubscriptionsDeps, 'database' | 'clock'>

/** A customer may try a few times in a day; a thief of the link must not try a card for ever. */
const attemptsPerCycleMax = 12
const repeatedPerDayMax = 3

interface Locked {
  readonly subscription: Subscription
  readonly auto: AutoCharge | undefined
}

/** Both rows as they are under the lock, so that no decision rests on older ones. */
async function locked(tx: Executor, asked: Subscription): Promise<Locked> {
  const subscription = await lockSubscription(tx, asked)
  if (subscription === undefined) throw new Error(`subscription ${asked.id} is gone`)
  return { subscription, auto: await lockAutoCharge(tx, asked) }
}

/**
 * For cycles that are not charged yet. On a subscription that the customer has accepted before, charges begin with the
 * next cycle, because the merchant may have charged this one. Refusals: those of {@link readAutoCharge}, illegal_state.
 */
export async function changeAutoCharge(
  { database, clock }: ChangeDeps,
  found: Subscription,
  asked: Static<typeof autoChargeBody>,
): Promise<Result<AutoCharge>> {
  return refusingTransaction(database, async (tx) => {
    const { subscription, auto: current } = await locked(tx, found)
    const { walletId, id: subscriptionId, status, amount: limit } = subscription
    if (status !== 'NEW' && status !== 'APPROVED') {
      return refuse('illegal_state', `the subscription is ${status}: it is not charged any more`)
    }
    const terms = readAutoCharge(asked, { field: 'auto_charge', limit, current })
    if (!terms.ok) return terms
    const now = clock.now()
    const isAccepted = status === 'APPROVED'
    if (current === undefined) {
      const nextCycle = isAccepted ? nextCycleAfterStart(newSchedule, subscription, now) : 0
      await insertAutoCharge(
        tx,
        {
          ...{ walletId, subscriptionId, ...terms.value, nextCycle },
          status: isAccepted ? 'ACTIVE' : 'NEW',
          dueAt: isAccepted ? now : undefined,
        },
        now,
      )
      await markAutoCharged(tx, subscription)
    } else {
      await changeTerms(tx, current, terms.value, nextCycleAfterStart(current, subscription, now), now)
    }
    const changed = await findAutoCharge(tx, subscription)
    return changed === undefined ? refuse('not_found', notAutoCharged) : ok(changed)
  })
}

const newSchedule = { nextCycle: 0 }
const notAutoCharged = 'the subscription does not charge itself: send auto_charge with PATCH first'

/** Changes an existing schedule and answers with its new state. Refusals: not_found, those of `wanted`. */
function changed(
  { database }: ChangeDeps,
  found: Subscription,
  wanted: AutoCharge['status'],
  change: (tx: Executor, auto: AutoCharge, subscription: Subscription) => Promise<unknown>,
): Promise<Result<AutoCharge>> {
  return refusingTransaction(database, async (tx) => {
    const { subscription, auto } = await locked(tx, found)
    if (auto === undefined) return refuse('not_found', notAutoCharged)
    await change(tx, auto, subscription)
    return isIn(wanted, (await findAutoCharge(tx, subscription)) ?? auto)
  })
}

/** Repeated, it changes nothing. Refusals: not_found, illegal_state. */
export function pause(deps: ChangeDeps, subscription: Subscription): Promise<Result<AutoCharge>> {
  return changed(deps, subscription, 'PAUSED', (tx, auto) => pauseAutoCharge(tx, auto, deps.clock.now()))
}

/** A cycle that began during the pause is not charged. Repeated, it changes nothing. Refusals: not_found, illegal_state. */
export function resume(deps: ChangeDeps, subscription: Subscription): Promise<Result<AutoCharge>> {
  return changed(deps, subscription, 'ACTIVE', (tx, auto, current) => {
    const now = deps.clock.now()
    return resumeAutoCharge(tx, auto, nextCycleAfterPause(auto, current, now), now)
  })
}

function isIn(wanted: AutoCharge['status'], auto: AutoCharge): Result<AutoCharge> {
  return auto.status === wanted
    ? ok(auto)
    : refuse('illegal_state', `auto_charge is ${auto.status}: it must be ACTIVE or PAUSED`)
}

/** Charges by the merchant stay possible. Refusals: not_found. */
export function stop(deps: ChangeDeps, subscription: Subscription): Promise<Result<AutoCharge>> {
  return changed(deps, subscription, 'ENDED', (tx, auto) => endAutoCharge(tx, auto, deps.clock.now()))
}

/** `open`: the customer can try the charge again now. `later`: on another day. `refused`: not on this card. */
export type OpenState = 'open' | 'later' | 'refused' | 'over'

/** Of the failed charge of the current cycle. */
export async function openStateOf(
  db: Executor,
  auto: AutoCharge | undefined,
  subscription: Subscription,
  now: Instant,
): Promise<OpenState> {
  if (auto === undefined || !isOpen(auto, subscription, now)) return 'over'
  if (!isSoft(auto.error)) return 'refused'
  if (auto.attempt >= attemptsPerCycleMax) return 'over'
  const repeated = await repeatedSince(db, auto, startOfLisbonDay(lisbonDayOf(now)))
  return repeated >= repeatedPerDayMax ? 'later' : 'open'
}

function isOpen(auto: AutoCharge, subscription: Subscription, now: Instant): boolean {
  if (auto.cycle === undefined || subscription.status !== 'APPROVED') return false
  if (auto.outcome !== 'RETRYING' && auto.outcome !== 'FAILED') return false
  if (auto.status === 'PAUSED' || auto.stoppedAt !== undefined) return false
  const today = lisbonDayOf(now)
  return today >= subscription.startDate && cycleOf(subscription, today).index === auto.cycle
}

/** False if the charge is under way or paid, its cycle is over, or its reason cannot pass. */
export async function tryAgain({ database, clock }: ChangeDeps, found: Subscription): Promise<boolean> {
  return database.transaction(async (tx) => {
    const now = clock.now()
    const { subscription, auto } = await locked(tx, found)
    const state = await openStateOf(tx, auto, subscription, now)
    return auto !== undefined && state === 'open' && retryNow(tx, auto, now)
  })
}
