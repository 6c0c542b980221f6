// Changes of automatic charges by the merchant and the customer.
import type { Static } from 'typebox'
import { lisbonDayOf } from '../../kernel/lisbon.ts'
import { ok, type Result, refuse } from '../../kernel/result.ts'
import type { Instant } from '../../kernel/time.ts'
import { cycleOf } from '../charging/rules.ts'
import type { SubscriptionsDeps } from '../deps.ts'
import type { Subscription } from '../model.ts'
import type { AutoCharge } from './model.ts'
import { nextCycleAfterPause } from './rules.ts'
import { type autoChargeBody, readAutoCharge } from './schemas.ts'
import {
  changeTerms,
  endAutoCharge,
  findAutoCharge,
  insertAutoCharge,
  markAutoCharged,
  pauseAutoCharge,
  resumeAutoCharge,
  retryNow,
} from './store.ts'

type ChangeDeps = Pick<SubscriptionsDeps, 'database' | 'clock'>

/** A customer may try several cards in a day; a thief of the link must not try a card for ever. */
const attemptsPerCycleMax = 12

/**
 * For cycles that are not charged yet. On a subscription that the customer has accepted before, charges begin with the
 * next cycle, because the merchant may have charged this one. Refusals: those of {@link readAutoCharge}, illegal_state.
 */
export async function changeAutoCharge(
  { database, clock }: ChangeDeps,
  subscription: Subscription,
  asked: Static<typeof autoChargeBody>,
): Promise<Result<AutoCharge>> {
  const { walletId, id: subscriptionId, status, amount: limit } = subscription
  if (status !== 'NEW' && status !== 'APPROVED') {
    return refuse('illegal_state', `the subscription is ${status}: it is not charged any more`)
  }
  const current = await findAutoCharge(database, subscription)
  const terms = readAutoCharge(asked, { field: 'auto_charge', limit, current })
  if (!terms.ok) return terms
  const now = clock.now()
  const isAccepted = status === 'APPROVED'
  return database.transaction(async (tx) => {
    if (current === undefined) {
      const nextCycle = isAccepted ? nextCycleAfterPause(newSchedule, subscription, now) : 0
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
      const nextCycle = nextCycleAfterPause(current, subscription, now)
      await changeTerms(tx, current, terms.value, nextCycle, now)
    }
    const changed = await findAutoCharge(tx, subscription)
    return changed === undefined ? refuse('not_found', notAutoCharged) : ok(changed)
  })
}

const newSchedule = { nextCycle: 0 }
const notAutoCharged = 'the subscription does not charge itself: send auto_charge with PATCH first'

/** Repeated, it changes nothing. Refusals: not_found, illegal_state. */
export async function pause(deps: ChangeDeps, subscription: Subscription): Promise<Result<AutoCharge>> {
  const { database, clock } = deps
  const auto = await findAutoCharge(database, subscription)
  if (auto === undefined) return refuse('not_found', notAutoCharged)
  const paused = await pauseAutoCharge(database, auto, clock.now())
  return isIn('PAUSED', paused ?? (await findAutoCharge(database, subscription)) ?? auto)
}

/** A cycle that began during the pause is not charged. Repeated, it changes nothing. Refusals: not_found, illegal_state. */
export async function resume(deps: ChangeDeps, subscription: Subscription): Promise<Result<AutoCharge>> {
  const { database, clock } = deps
  const auto = await findAutoCharge(database, subscription)
  if (auto === undefined) return refuse('not_found', notAutoCharged)
  const now = clock.now()
  const resumed = await resumeAutoCharge(database, auto, nextCycleAfterPause(auto, subscription, now), now)
  return isIn('ACTIVE', resumed ?? (await findAutoCharge(database, subscription)) ?? auto)
}

function isIn(wanted: AutoCharge['status'], auto: AutoCharge): Result<AutoCharge> {
  return auto.status === wanted
    ? ok(auto)
    : refuse('illegal_state', `auto_charge is ${auto.status}: it must be ACTIVE or PAUSED`)
}

/** Charges by the merchant stay possible. Refusals: not_found. */
export async function stop(deps: ChangeDeps, subscription: Subscription): Promise<Result<AutoCharge>> {
  const { database, clock } = deps
  const auto = await findAutoCharge(database, subscription)
  if (auto === undefined) return refuse('not_found', notAutoCharged)
  await endAutoCharge(database, auto, clock.now())
  return isIn('ENDED', (await findAutoCharge(database, subscription)) ?? auto)
}

/** The failed charge of the current cycle, which the customer can try again. */
export function openChargeOf(
  auto: AutoCharge | undefined,
  subscription: Subscription,
  now: Instant,
): AutoCharge | undefined {
  if (auto?.cycle === undefined || subscription.status !== 'APPROVED') return undefined
  if (auto.outcome !== 'RETRYING' && auto.outcome !== 'FAILED') return undefined
  if (auto.status === 'PAUSED' || auto.attempt >= attemptsPerCycleMax) return undefined
  const today = lisbonDayOf(now)
  return today >= subscription.startDate && cycleOf(subscription, today).index === auto.cycle
    ? auto
    : undefined
}

/** False if the charge is under way or paid, or its cycle is over. */
export async function tryAgain(deps: ChangeDeps, subscription: Subscription): Promise<boolean> {
  const { database, clock } = deps
  const now = clock.now()
  const open = openChargeOf(await findAutoCharge(database, subscription), subscription, now)
  if (open?.cycle === undefined) return false
  return retryNow(database, open, { cycle: open.cycle, attemptsMax: attemptsPerCycleMax }, now)
}
