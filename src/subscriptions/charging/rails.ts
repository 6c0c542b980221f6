// The questions that subscriptions ask of the methods by which they are accepted and charged.
import type { Cents } from '../../kernel/money.ts'
import type { Result } from '../../kernel/result.ts'
import type { CreditCard } from '../../kernel/values/card-numbers.ts'
import type { Method } from '../../methods/list.ts'
import type { Operation } from '../../operations/index.ts'
import type { MayStart, RailAnswer } from '../../rails/index.ts'
import type { Subscription } from '../model.ts'

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
  blockedReason(subscription: Subscription): Promise<string | undefined>
  /** The phone of the network's customer, for the filter of lists of operations. */
  phoneOf?(subscription: Subscription): Promise<string>
  /** Charges. Repeated under the same operation it moves no money again. Asks `beforeSend` before. */
  charge(order: ChargeOrder, beforeSend: MayStart): Promise<ChargeAnswer>
  /** What became of a charge that was, or may have been, asked for. */
  inquire(order: ChargeOrder): Promise<RailAnswer>
  /** The charge will not be asked for again: releases what was reserved for it. Repeated after a crash. */
  givenUp?(order: ChargeOrder): Promise<void>
}

/** A method by which subscriptions are accepted, and charged without the customer. */
export interface Recurring {
  readonly charge: ChargingRail
  /** What may be shown of the stored card that is charged, if it is one. */
  cardOf?(subscription: Subscription): Promise<CreditCard | undefined>
  /**
   * Whether the method itself allows the amount, beside charges that were accepted and not begun; asked before a charge is
   * accepted. Refusals: period_total_reached.
   */
  allows?(subscription: Subscription, amount: Cents): Promise<Result<undefined>>
  /**
   * The subscription takes no charges any more: ends the permission to charge it, if there is one, or withdraws the request
   * for it. If this fails, nothing is charged anyway.
   */
  drop?(subscription: Subscription): Promise<void>
}

/** The methods of this gateway, as subscriptions ask them. */
export interface ChargedMethods {
  of(method: Method | undefined):
    | {
        readonly recurring?: Recurring
        /** Withdraws what the customer of an operation is asked, where they have not answered yet. */
        withdraw?(operation: Operation): Promise<void>
      }
    | undefined
}

/** The rail of a method by which subscriptions are accepted; throws for another. */
export function chargingRailOf(methods: ChargedMethods, { id, method }: Subscription): ChargingRail {
  const rail = methods.of(method)?.recurring?.charge
  if (rail === undefined) throw new Error(`subscription ${id} is charged by no method`)
  return rail
}
