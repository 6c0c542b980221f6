// Processing a charge: its payment is opened, the rail is asked under the payment's id, and both are settled together.
import { crashPoint } from '../../kernel/crash-points.ts'
import { newId } from '../../kernel/ids.ts'
import { after, backoffMs, type Instant, second } from '../../kernel/time.ts'
import {
  findOperation,
  type NewOperation,
  type Operation,
  openedOperation,
  type RailRequest,
} from '../../operations/index.ts'
import { startInTime } from '../../rails/index.ts'
import { grouped } from '../../storage/index.ts'
import type { SubscriptionsDeps } from '../deps.ts'
import { type ChargeEventWord, chargeEvent } from '../events.ts'
import type { Charge, Subscription, SubscriptionMethod } from '../model.ts'
import { whyStopped } from '../rules.ts'
import {
  type ClaimedCharge,
  failUnopenedCharge,
  openChargePayments,
  postponeCharge,
  renewCharge,
} from './processing-store.ts'
import type { ChargeAnswer, ChargeOrder, ChargingRail } from './rails.ts'

/** Back-off after an unclear answer: doubled each time. */
const inquirySeconds = 5
const inquirySecondsMax = 300
/** About a day: a rail that has not received a charge by then, and cannot be reached, will not execute it any more. */
const attemptsMax = 300
/** Longer than two calls to a rail may take: the inquiry and the charge. */
const chargeLeaseSeconds = 30
/** A rail that answers so often that it has not received a charge will not execute it later (decision 0035). */
const notReceivedInquiriesMax = 4

export type ProcessCharge = (claimed: ClaimedCharge) => Promise<void>

/**
 * Processes a claimed charge. A crash at any point leaves it claimed: the next process sees whether
 * its payment is open, and then asks the rail what it did before asking it to do anything.
 */
export function createProcessCharge(deps: SubscriptionsDeps): ProcessCharge {
  const { database, clock, random, wallets, settle, giveUp, rails } = deps
  const open = grouped<NewOperation, boolean>({
    database,
    write: (operations) => openChargePayments(database, operations),
  })

  async function eventOf(
    { charge, subscription }: ClaimedCharge,
    event: ChargeEventWord,
    error: string | undefined,
  ) {
    const at = clock.now()
    const wallet = await wallets.get(charge.walletId)
    return chargeEvent(charge, subscription, { id: newId(at, random), wallet, event, at, error })
  }

  async function fail(claimed: ClaimedCharge, error: string): Promise<void> {
    const event = await eventOf(claimed, 'FAIL', error)
    if (await failUnopenedCharge(database, claimed.charge, { error, event, at: clock.now() })) {
      deps.callbacks.wake()
    }
  }

  async function conclude(claimed: ClaimedCharge, order: ChargeOrder, answer: ChargeAnswer): Promise<void> {
    const { operation } = order
    if (answer.kind === 'settled') return
    crashPoint('rail answered, nothing written')
    const guard = { kind: 'attempt', attemptId: operation.id } as const
    if (answer.kind === 'approved') {
      const event = await eventOf(claimed, 'SUCCESS', undefined)
      if ((await settle(operation, { status: 'COMPLETED', guard, extraEvents: [event] })) === undefined)
        await afterLosing(order)
    } else if (answer.kind === 'declined' || answer.kind === 'obstacle') {
      const event = await eventOf(claimed, 'FAIL', answer.reason)
      await settle(operation, { status: 'FAIL', guard, error: answer.reason, extraEvents: [event] })
    } else {
      const pause = backoffMs(inquirySeconds * second, claimed.attempts, inquirySecondsMax * second)
      if (!(await postponeCharge(database, claimed.charge, after(clock.now(), pause))))
        await afterLosing(order)
    }
  }

  /** Another process has ended the charge while the rail was asked: what was reserved since is released. */
  async function afterLosing(order: ChargeOrder): Promise<void> {
    const { walletId, id } = order.operation
    const current = await findOperation(database, walletId, id)
    if (current?.status === 'FAIL') await rails[methodOf(order.subscription)].givenUp?.(order)
  }

  /** Asks the rail, while this process holds the lease. */
  function chargeOnRail(
    claimed: ClaimedCharge,
    rail: ChargingRail,
    order: ChargeOrder,
  ): Promise<ChargeAnswer> {
    return rail.charge(
      order,
      startInTime(clock, claimed.claimedAt, (now) => renewCharge(database, claimed, leaseEnd(now))),
    )
  }

  async function begin(claimed: ClaimedCharge, rail: ChargingRail): Promise<void> {
    const { charge, subscription } = claimed
    const obstacle = whyStopped(subscription.status) ?? (await rail.obstacle(subscription))
    if (obstacle !== undefined) return fail(claimed, obstacle)
    const payment = { ...paymentOf(charge, subscription), phone: await rail.phoneOf?.(subscription) }
    if (!(await open(payment))) return
    crashPoint('attempt opened, rail not asked')
    const order = await orderOf(claimed, openedOperation(payment))
    await conclude(claimed, order, await chargeOnRail(claimed, rail, order))
  }

  async function resume(claimed: ClaimedCharge, rail: ChargingRail): Promise<void> {
    const { walletId, operationId } = claimed.charge
    const operation = await findOperation(database, walletId, operationId)
    if (operation === undefined) throw new Error(`charge ${claimed.charge.id} was opened without its payment`)
    const order = await orderOf(claimed, operation)
    const known = await rail.inquire(order)
    if (known.kind !== 'not_found') return conclude(claimed, order, known)
    let stopped = whyStopped(claimed.subscription.status)
    if (stopped === undefined && claimed.attempts <= attemptsMax) {
      const answer = await chargeOnRail(claimed, rail, order)
      if (answer.kind !== 'obstacle') return conclude(claimed, order, answer)
      stopped = answer.reason
    }
    // The subscription has ended, or its allowance is used up.
    if (stopped !== undefined && claimed.attempts <= notReceivedInquiriesMax)
      return conclude(claimed, order, known)
    const last = await giveUp(railRequestOf(claimed, operation))
    if (last.kind !== 'not_found') return conclude(claimed, order, last)
    await rail.givenUp?.(order)
    await conclude(claimed, order, { kind: 'declined', reason: stopped ?? 'rail_unavailable' })
  }

  function railRequestOf({ subscription }: ClaimedCharge, { walletId, id, type }: Operation): RailRequest {
    return { walletId, operationId: id, key: id, type, method: methodOf(subscription) }
  }

  async function orderOf({ subscription }: ClaimedCharge, operation: Operation) {
    const { name } = await wallets.get(subscription.walletId)
    return { subscription, operation, merchantName: name }
  }

  return async (claimed) => {
    const rail = rails[methodOf(claimed.subscription)]
    await (claimed.opened ? resume(claimed, rail) : begin(claimed, rail))
  }
}

function methodOf({ method, id }: Subscription): SubscriptionMethod {
  if (method === undefined) throw new Error(`subscription ${id} is charged by no method`)
  return method
}

/** The end of the lease of a charge claimed at `now`. */
export function leaseEnd(now: Instant): Instant {
  return after(now, chargeLeaseSeconds * second)
}

/** The payment that a charge becomes: with the merchant's data of the charge, on the card of the subscription. */
function paymentOf(charge: Charge, subscription: Subscription): NewOperation {
  const { card, cardToken: token } = subscription
  return {
    id: charge.operationId,
    walletId: charge.walletId,
    type: 'PAYMENT',
    status: 'PENDING',
    method: subscription.method,
    amount: charge.amount,
    currency: charge.currency,
    channel: 'API',
    subscriptionId: subscription.id,
    extInvoiceId: charge.extInvoiceId,
    items: charge.items,
    client: charge.client ?? subscription.client,
    card: card === undefined || token === undefined ? card : { ...card, token },
    attemptId: charge.operationId,
    underApproval: true,
    createdAt: charge.createdAt,
  }
}
