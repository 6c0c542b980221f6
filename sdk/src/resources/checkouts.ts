// Calls for checkouts, payment links and method images.
import type { AnswerOf, Api, BodyOf, CallOptions, QueryOf } from '../core/api.ts'
import { pagedList } from '../core/list.ts'

/** Hosted pages for payments, authorizations and subscriptions. */
export class Checkouts {
  readonly #api: Api

  constructor(api: Api) {
    this.#api = api
  }

  /** Creates a checkout. Redirect the customer to `url_redirect`. */
  create(body: BodyOf<'createCheckout'>, options?: CallOptions): Promise<AnswerOf<'createCheckout'>> {
    return this.#api.call('createCheckout', { body }, options)
  }

  /** Reads a checkout and its result. */
  get(id: string, options?: CallOptions): Promise<AnswerOf<'getCheckout'>> {
    return this.#api.call('getCheckout', { path: { id } }, options)
  }

  /** Voids a checkout without a chosen method. */
  void(id: string, options?: CallOptions): Promise<AnswerOf<'voidCheckout'>> {
    return this.#api.call('voidCheckout', { path: { id } }, options)
  }
}

/** Links that open a new checkout each time. */
export class PaymentLinks {
  readonly #api: Api

  constructor(api: Api) {
    this.#api = api
  }

  create(body: BodyOf<'createPaymentLink'>, options?: CallOptions): Promise<AnswerOf<'createPaymentLink'>> {
    return this.#api.call('createPaymentLink', { body }, options)
  }

  /** Payment links, newest first. */
  list(query?: QueryOf<'listPaymentLinks'>, options?: CallOptions) {
    return pagedList(query, (asked) => this.#api.call('listPaymentLinks', { query: asked }, options))
  }

  /** Reads a payment link and its payments. */
  get(id: string, options?: CallOptions): Promise<AnswerOf<'getPaymentLink'>> {
    return this.#api.call('getPaymentLink', { path: { id } }, options)
  }

  /** Sends a link to a customer by mail. */
  mail(
    id: string,
    body: BodyOf<'mailPaymentLink'>,
    options?: CallOptions,
  ): Promise<AnswerOf<'mailPaymentLink'>> {
    return this.#api.call('mailPaymentLink', { path: { id }, body }, options)
  }

  /** Closes a link for new payments. */
  close(id: string, options?: CallOptions): Promise<AnswerOf<'closePaymentLink'>> {
    return this.#api.call('closePaymentLink', { path: { id } }, options)
  }
}

/** Data for the merchant's own pages. */
export class Page {
  readonly #api: Api

  constructor(api: Api) {
    this.#api = api
  }

  /** Methods of the wallet, in display order. */
  methods(options?: CallOptions): Promise<AnswerOf<'listPaymentMethods'>> {
    return this.#api.call('listPaymentMethods', {}, options)
  }

  /** Image of a pay button, SVG or PNG. */
  button(query?: QueryOf<'getButtonImage'>, options?: CallOptions): Promise<AnswerOf<'getButtonImage'>> {
    return this.#api.call('getButtonImage', { query }, options)
  }
}
