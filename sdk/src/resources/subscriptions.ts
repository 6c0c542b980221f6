// Calls for subscriptions and charges.
import type { AnswerOf, Api, BodyOf, CallOptions, QueryOf } from '../core/api.ts'
import { pagedList } from '../core/list.ts'

/** Permissions of customers for charges in each cycle. */
export class Subscriptions {
  readonly #api: Api

  constructor(api: Api) {
    this.#api = api
  }

  /** Subscriptions, newest first. */
  list(query?: QueryOf<'listSubscriptions'>, options?: CallOptions) {
    return pagedList(query, (asked) => this.#api.call('listSubscriptions', { query: asked }, options))
  }

  get(id: string, options?: CallOptions): Promise<AnswerOf<'getSubscription'>> {
    return this.#api.call('getSubscription', { path: { id } }, options)
  }

  /** Ends a subscription. */
  void(id: string, options?: CallOptions): Promise<AnswerOf<'voidSubscription'>> {
    return this.#api.call('voidSubscription', { path: { id } }, options)
  }

  /** Orders a charge. A callback contains the result. */
  charge(
    id: string,
    body: BodyOf<'chargeSubscription'>,
    options?: CallOptions,
  ): Promise<AnswerOf<'chargeSubscription'>> {
    return this.#api.call('chargeSubscription', { path: { id }, body }, options)
  }

  /** Charges of a subscription, newest first. */
  charges(id: string, query?: QueryOf<'listCharges'>, options?: CallOptions) {
    return pagedList(query, (asked) => this.#api.call('listCharges', { path: { id }, query: asked }, options))
  }

  getCharge(id: string, charge_id: string, options?: CallOptions): Promise<AnswerOf<'getCharge'>> {
    return this.#api.call('getCharge', { path: { id, charge_id } }, options)
  }
}
