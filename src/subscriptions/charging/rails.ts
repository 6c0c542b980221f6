// How a charge is executed: one rail per method by which a subscription can be accepted.
import type { Operation } from '../../operations/index.ts'
import type { MayStart, RailAnswer } from '../../rails/index.ts'
import type { Subscription, SubscriptionMethod } from '../model.ts'

/** A charge to be sent to a rail. */
export interface ChargeOrder {
  readonly subscription: Subscription
  /** The payment, open and not settled; its id is the rail's idempotency key. */
  readonly operation: Operation
  readonly merchantName: string
}

/**
 * `settled`: our own books moved the money, or another process settled it; nothing is left to do. `obstacle`: the rail
 * was not asked now, for that reason; an earlier request may still arrive.
 */
export type ChargeAnswer =
  | RailAnswer
  | { readonly kind: 'settled' }
  | { readonly kind: 'obstacle'; readonly reason: string }

export interface ChargingRail {
  /** Why nothing can be charged now, in a word; asked before a payment is opened. */
  obstacle(subscription: Subscription): Promise<string | undefined>
  /** The phone of the network's customer, for the filter of lists of operations. */
  phoneOf?(subscription: Subscription): Promise<string>
  /** Charges. Repeated under the same operation it moves no money again. Asks `mayStart` before. */
  charge(order: ChargeOrder, mayStart: MayStart): Promise<ChargeAnswer>
  /** What became of a charge that was, or may have been, asked for. */
  inquire(order: ChargeOrder): Promise<RailAnswer>
  /** The charge will not be asked for again: releases what was reserved for it. Repeated after a crash. */
  givenUp?(order: ChargeOrder): Promise<void>
}

/** The rail of each method by which subscriptions are accepted; throws for another. */
export type ChargingRailOf = (method: SubscriptionMethod) => ChargingRail
