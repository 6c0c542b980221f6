// The contract of payment methods for subscriptions.
import type { Cents } from '../../kernel/money.ts'
import type { Result } from '../../kernel/result.ts'
import type { CreditCard } from '../../kernel/values/card-numbers.ts'
import type { Method } from '../../methods/list.ts'
import type { Operation } from '../../operations/index.ts'
import type { MayStart, RailAnswer } from '../../rails/index.ts'
import type { Subscription } from '../model.ts'

export interface ChargeOrder {
  readonly subscription: Subscription
  /** Its id is the rail's idempotency key. */
  readonly operation: Operation
  readonly merchantName: string
}

/** `settled`: nothing is left to do. `blocked`: not asked now, but an earlier request may arrive. */
export type ChargeAnswer =
  | RailAnswer
  | { readonly kind: 'settled' }
  | { readonly kind: 'blocked'; readonly reason: string }

export interface ChargingRail {
  /** A word if nothing can be charged now; asked before a payment is opened. */
  blockedReason(subscription: Subscription): Promise<string | undefined>
  /** For the phone filter of operation lists. */
  phoneOf?(subscription: Subscription): Promise<string>
  /** Repeated under the same operation, it moves no money again. Calls `beforeSend` first. */
  charge(order: ChargeOrder, beforeSend: MayStart): Promise<ChargeAnswer>
  /** The outcome of a charge that may have been sent. */
  inquire(order: ChargeOrder): Promise<RailAnswer>
  /** Releases the reservation of an abandoned charge. Can be repeated. */
  givenUp?(order: ChargeOrder): Promise<void>
}

export interface Recurring {
  readonly charge: ChargingRail
  /** The stored card to show, if there is one. */
  cardOf?(subscription: Subscription): Promise<CreditCard | undefined>
  /** The method's own limit, with charges accepted before. Refusals: period_total_reached. */
  allows?(subscription: Subscription, amount: Cents): Promise<Result<undefined>>
  /** Ends the permission to charge, or withdraws the request for it. If it fails, nothing is charged anyway. */
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

/** Throws for a method without charges. */
export function chargingRailOf(methods: ChargedMethods, { id, method }: Subscription): ChargingRail {
  const rail = methods.of(method)?.recurring?.charge
  if (rail === undefined) throw new Error(`subscription ${id} has no method for charges`)
  return rail
}
