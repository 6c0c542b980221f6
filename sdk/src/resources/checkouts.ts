// The calls that bring customers to pay: checkouts, payment links, and what the merchant's pages show.
import type { AnswerOf, Api, BodyOf, CallOptions, QueryOf } from '../core/api.ts'
import { pagedList } from '../core/list.ts'

/** Pages of the gateway on which a customer pays, authorizes or subscribes. */
export class Checkouts {
  readonly #api: Api

  constructor(api: Api) {
    this.#api = api
  }

  /** Makes one: send the customer to its `url_redirect`. */
  create(body: BodyOf<'createCheckout'>, options?: CallOptions): Promise<AnswerOf<'createCheckout'>> {
    return this.#api.call('createCheckout', { body }, options)
  }

  /** Reads one with what became of it. */
  get(id: string, options?: CallOptions): Promise<AnswerOf<'getCheckout'>> {
    return this.#api.call('getCheckout', { path: { id } }, options)
  }

  /** Takes one back while no payment method was chosen. */
  void(id: string, options?: CallOptions): Promise<AnswerOf<'voidCheckout'>> {
    return this.#api.call('voidCheckout', { path: { id } }, options)
  }
}

/** Addresses that lead to a checkout each time somebody opens one. */
export class PaymentLinks {
  readonly #api: Api

  constructor(api: Api) {
    this.#api = api
  }

  /** Makes a link. */
  create(body: BodyOf<'createPaymentLink'>, options?: CallOptions): Promise<AnswerOf<'createPaymentLink'>> {
    return this.#api.call('createPaymentLink', { body }, options)
  }

  /** Every link, newest first. */
  list(query?: QueryOf<'listPaymentLinks'>, options?: CallOptions) {
    return pagedList(query, (asked) => this.#api.call('listPaymentLinks', { query: asked }, options))
  }

  /** Reads one with what was paid by it. */
  get(id: string, options?: CallOptions): Promise<AnswerOf<'getPaymentLink'>> {
    return this.#api.call('getPaymentLink', { path: { id } }, options)
  }

  /** Nobody can begin to pay by it any more. */
  close(id: string, options?: CallOptions): Promise<AnswerOf<'closePaymentLink'>> {
    return this.#api.call('closePaymentLink', { path: { id } }, options)
  }
}

/** What the merchant's own pages show of payment methods. */
export class Page {
  readonly #api: Api

  constructor(api: Api) {
    this.#api = api
  }

  /** The payment methods of the wallet, in the order in which they are offered. */
  methods(options?: CallOptions): Promise<AnswerOf<'listPaymentMethods'>> {
    return this.#api.call('listPaymentMethods', {}, options)
  }

  /** The image of a button to pay, SVG or PNG. */
  button(query?: QueryOf<'getButtonImage'>, options?: CallOptions): Promise<AnswerOf<'getButtonImage'>> {
    return this.#api.call('getButtonImage', { query }, options)
  }
}
