// What the demo shop remembers of a visitor's subscriptions and of the charges under them.
import type { Day } from '../../../src/kernel/lisbon.ts'

/** `with_pack`: with a first payment in the same checkout. */
export type Plan = 'alone' | 'with_pack'

/** `asked` before the gateway has answered, `refused` where it did not take the request; the rest is its word. */
export type SubscriptionState =
  | 'asked'
  | 'refused'
  | 'NEW'
  | 'APPROVED'
  | 'FAILED'
  | 'EXPIRED'
  | 'CANCELED'
  | 'VOIDED'

export type ChargeState = 'asked' | 'refused' | 'NEW' | 'PROCESSING' | 'SUCCESS' | 'FAIL'

/** Why the gateway did not take a request. */
export interface Refusal {
  /** Undefined when no answer came. */
  readonly code: number | undefined
  readonly reason: string
}

export interface ShopSubscription {
  /** What the shop calls it: `ext_subscriptionid`, and `ext_invoiceid` of the first payment. */
  readonly reference: string
  readonly plan: Plan
  readonly state: SubscriptionState
  /** What the gateway did not take last. */
  readonly refusal?: Refusal | undefined
  readonly checkoutId?: string | undefined
  readonly gatewayId?: string | undefined
  /** In cents: what the customer allows per cycle. The phone's owner may choose another. */
  readonly amount: number
  readonly startDate: Day
  readonly endDate?: Day | undefined
  /** The gateway's word for how it is charged. */
  readonly method?: string | undefined
  readonly card?: { readonly brand: string; readonly last4: string } | undefined
  /** The gateway's word for the first payment. */
  readonly payment?: string | undefined
}

export interface ShopCharge {
  /** What the shop calls it: `ext_invoiceid`. */
  readonly reference: string
  /** Reference of its subscription. */
  readonly subscription: string
  readonly gatewayId?: string | undefined
  /** In cents. */
  readonly amount: number
  /** The Lisbon day on which it was asked for. */
  readonly day: Day
  readonly state: ChargeState
  readonly refusal?: Refusal | undefined
}

const subscriptionRanks: Readonly<Record<SubscriptionState, number>> = {
  asked: 0,
  NEW: 1,
  APPROVED: 2,
  refused: 3,
  FAILED: 3,
  EXPIRED: 3,
  CANCELED: 3,
  VOIDED: 3,
}

const chargeRanks: Readonly<Record<ChargeState, number>> = {
  asked: 0,
  NEW: 1,
  PROCESSING: 2,
  refused: 3,
  SUCCESS: 3,
  FAIL: 3,
}

/** The state after `told` was heard: answers and callbacks overtake each other, but none leads back. */
export function subscriptionStateAfter(known: SubscriptionState, told: unknown): SubscriptionState {
  return stateAfter(subscriptionRanks, known, told)
}

/** As {@link subscriptionStateAfter}. */
export function chargeStateAfter(known: ChargeState, told: unknown): ChargeState {
  return stateAfter(chargeRanks, known, told)
}

function stateAfter<State extends string>(
  ranks: Readonly<Record<State, number>>,
  known: State,
  told: unknown,
): State {
  if (typeof told !== 'string' || !Object.hasOwn(ranks, told)) return known
  return ranks[told as State] > ranks[known] ? (told as State) : known
}

/** Whether charges are taken, or were before it ended. */
export function wasAccepted({ state }: ShopSubscription): boolean {
  return state === 'APPROVED' || state === 'EXPIRED' || state === 'CANCELED' || state === 'VOIDED'
}
