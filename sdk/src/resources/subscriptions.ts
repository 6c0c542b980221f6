// The calls on subscriptions and their charges.
import type { AnswerOf, Api, BodyOf, CallOptions, QueryOf } from '../core/api.ts'
import { pagedList } from '../core/list.ts'

/** What customers allow to be charged again and again. */
export class Subscriptions {
  readonly #api: Api

  constructor(api: Api) {
    this.#api = api
  }

  /** Every subscription, newest first. */
  list(query?: QueryOf<'listSubscriptions'>, options?: CallOptions) {
    return pagedList(query, (asked) => this.#api.call('listSubscriptions', { query: asked }, options))
  }

  /** Reads one. */
  get(id: string, options?: CallOptions): Promise<AnswerOf<'getSubscription'>> {
    return this.#api.call('getSubscription', { path: { id } }, options)
  }

  /** Ends one: nothing is charged by it any more. */
  void(id: string, options?: CallOptions): Promise<AnswerOf<'voidSubscription'>> {
    return this.#api.call('voidSubscription', { path: { id } }, options)
  }

  /** Orders a charge: a callback tells how it ended. */
  charge(
    id: string,
    body: BodyOf<'chargeSubscription'>,
    options?: CallOptions,
  ): Promise<AnswerOf<'chargeSubscription'>> {
    return this.#api.call('chargeSubscription', { path: { id }, body }, options)
  }

  /** Every charge of a subscription, newest first. */
  charges(id: string, query?: QueryOf<'listCharges'>, options?: CallOptions) {
    return pagedList(query, (asked) => this.#api.call('listCharges', { path: { id }, query: asked }, options))
  }

  /** Reads one charge. */
  getCharge(id: string, charge_id: string, options?: CallOptions): Promise<AnswerOf<'getCharge'>> {
    return this.#api.call('getCharge', { path: { id, charge_id } }, options)
  }
}
