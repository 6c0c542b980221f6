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

  /** Makes the gateway charge each cycle, or changes its charges from the next cycle. */
  change(
    id: string,
    body: BodyOf<'changeSubscription'>,
    options?: CallOptions,
  ): Promise<AnswerOf<'changeSubscription'>> {
    return this.#api.call('changeSubscription', { path: { id }, body }, options)
  }

  /** Pauses automatic charges. */
  pause(id: string, options?: CallOptions): Promise<AnswerOf<'pauseSubscription'>> {
    return this.#api.call('pauseSubscription', { path: { id } }, options)
  }

  /** Resumes automatic charges with the next cycle. */
  resume(id: string, options?: CallOptions): Promise<AnswerOf<'resumeSubscription'>> {
    return this.#api.call('resumeSubscription', { path: { id } }, options)
  }

  /** Ends automatic charges. The subscription stays. */
  stopAutoCharge(id: string, options?: CallOptions): Promise<AnswerOf<'stopAutoCharge'>> {
    return this.#api.call('stopAutoCharge', { path: { id } }, options)
  }

  /** Subscriptions that charge themselves, the next charge first. */
  autoCharges(query?: QueryOf<'listAutoCharges'>, options?: CallOptions) {
    return pagedList(query, (asked) => this.#api.call('listAutoCharges', { query: asked }, options))
  }

  /** Results of automatic charges, with the recovered share. */
  autoChargeResults(
    query?: QueryOf<'getAutoChargeResults'>,
    options?: CallOptions,
  ): Promise<AnswerOf<'getAutoChargeResults'>> {
    return this.#api.call('getAutoChargeResults', { query }, options)
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
