// The contract between subscriptions and the payment methods that charge them.
import type { Cents } from '../../kernel/money.ts'
import type { Result } from '../../kernel/result.ts'
import type { CreditCard } from '../../kernel/values/card-numbers.ts'
import type { Method } from '../../methods/list.ts'
import type { Operation } from '../../operations/index.ts'
import type { MayStart, RailAnswer } from '../../rails/index.ts'
import type { Subscription } from '../model.ts'

export interface ChargeOrder {
  readonly subscription: Subscription
  /** The payment of the charge. Its id is the rail's idempotency key. */
  readonly operation: Operation
  readonly merchantName: string
}

/** `settled`: nothing is left to do. `blocked`: the rail was not asked, but an earlier request may arrive. */
export type ChargeAnswer =
  | RailAnswer
  | { readonly kind: 'settled' }
  | { readonly kind: 'blocked'; readonly reason: string }

export interface ChargingRail {
  /** The reason, as one word, if nothing can be charged now. Called before a payment is opened. */
  blockedReason(subscription: Subscription): Promise<string | undefined>
  /** The phone by which operation lists can be filtered. */
  phoneOf?(subscription: Subscription): Promise<string>
  /** Calls `beforeSend`, then charges. A repeated call for the same operation moves no money again. */
  charge(order: ChargeOrder, beforeSend: MayStart): Promise<ChargeAnswer>
  /** Asks for the outcome of a charge that may have been sent. */
  inquire(order: ChargeOrder): Promise<RailAnswer>
  /** Releases the amount reserved for an abandoned charge. Can be repeated. */
  givenUp?(order: ChargeOrder): Promise<void>
}

export interface Recurring {
  readonly charge: ChargingRail
  cardOf?(subscription: Subscription): Promise<CreditCard | undefined>
  /** Checks the method's own limit, including accepted charges. Refusals: period_total_reached. */
  allows?(subscription: Subscription, amount: Cents): Promise<Result<undefined>>
  /** Ends the permission to charge, or withdraws the request for it. May fail: nothing is charged anyway. */
  drop?(subscription: Subscription): Promise<void>
}

export interface ChargedMethods {
  of(method: Method | undefined):
    | {
        readonly recurring?: Recurring
        /** Withdraws an unanswered request to the customer. */
        withdraw?(operation: Operation): Promise<void>
      }
    | undefined
}

/** Throws if the method cannot charge. */
export function chargingRailOf(methods: ChargedMethods, { id, method }: Subscription): ChargingRail {
  const rail = methods.of(method)?.recurring?.charge
  if (rail === undefined) throw new Error(`subscription ${id} has no method for charges`)
  return rail
}
