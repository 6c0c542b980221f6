// Calls for cards, phones, mandates and references.
import type { AnswerOf, Api, BodyOf, CallOptions, QueryOf } from '../core/api.ts'
import { pagedList } from '../core/list.ts'

/** Card API for partners. Needs the ESB token. */
export class Cards {
  readonly #api: Api

  constructor(api: Api) {
    this.#api = api
  }

  /** Pays with card data, encrypted card data or a token. */
  pay(body: BodyOf<'createCardPayment'>, options?: CallOptions): Promise<AnswerOf<'createCardPayment'>> {
    return this.#api.call('createCardPayment', { body }, options)
  }

  /** Reserves an amount on a card. */
  authorize(
    body: BodyOf<'createCardAuthorization'>,
    options?: CallOptions,
  ): Promise<AnswerOf<'createCardAuthorization'>> {
    return this.#api.call('createCardAuthorization', { body }, options)
  }

  /** Stores a card. Redirect the customer to `cardsecure_url_redirect`; a callback contains the token. */
  store(body: BodyOf<'storeCard'>, options?: CallOptions): Promise<AnswerOf<'storeCard'>> {
    return this.#api.call('storeCard', { body }, options)
  }

  /** Public data of a stored card. */
  get(token: string, options?: CallOptions): Promise<AnswerOf<'getCard'>> {
    return this.#api.call('getCard', { path: { token } }, options)
  }

  /** Deletes a stored card and its token. */
  delete(token: string, options?: CallOptions): Promise<AnswerOf<'deleteCard'>> {
    return this.#api.call('deleteCard', { path: { token } }, options)
  }
}

/** Payments that a customer approves on the phone. */
export class Phones {
  readonly #api: Api

  constructor(api: Api) {
    this.#api = api
  }

  /** Requests a payment or an authorization from a phone number or a mandate. */
  pay(body: BodyOf<'createMobilePayment'>, options?: CallOptions): Promise<AnswerOf<'createMobilePayment'>> {
    return this.#api.call('createMobilePayment', { body }, options)
  }
}

/** Mandates of the mobile wallet. */
export class Mandates {
  readonly #api: Api

  constructor(api: Api) {
    this.#api = api
  }

  /** Requests a mandate; the customer answers on the phone. */
  create(body: BodyOf<'createMandate'>, options?: CallOptions): Promise<AnswerOf<'createMandate'>> {
    return this.#api.call('createMandate', { body }, options)
  }

  /** Mandates that match the filters, newest first. */
  list(query?: QueryOf<'listMandates'>, options?: CallOptions) {
    return pagedList(query, (asked) => this.#api.call('listMandates', { query: asked }, options))
  }

  get(id: string, options?: CallOptions): Promise<AnswerOf<'getMandate'>> {
    return this.#api.call('getMandate', { path: { id } }, options)
  }

  /** Ends a mandate. */
  end(id: string, options?: CallOptions): Promise<AnswerOf<'endMandate'>> {
    return this.#api.call('endMandate', { path: { id } }, options)
  }
}

/** References for ATMs and home banking. */
export class References {
  readonly #api: Api

  constructor(api: Api) {
    this.#api = api
  }

  /** Creates a payment with its own reference, in `mb`. */
  pay(
    body: BodyOf<'createReferencePayment'>,
    options?: CallOptions,
  ): Promise<AnswerOf<'createReferencePayment'>> {
    return this.#api.call('createReferencePayment', { body }, options)
  }

  /** Creates a reference for many payments. */
  createRecurring(
    body: BodyOf<'createRecurringReference'>,
    options?: CallOptions,
  ): Promise<AnswerOf<'createRecurringReference'>> {
    return this.#api.call('createRecurringReference', { body }, options)
  }

  /** Deletes a reference. */
  delete(body: BodyOf<'deleteReference'>, options?: CallOptions): Promise<AnswerOf<'deleteReference'>> {
    return this.#api.call('deleteReference', { body }, options)
  }
}
