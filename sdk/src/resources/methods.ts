// The calls of single payment methods: cards, phones, mandates and references.
import type { AnswerOf, Api, BodyOf, CallOptions, QueryOf } from '../core/api.ts'
import { pagedList } from '../core/list.ts'

/** The card API of partners: it needs the ESB token. */
export class Cards {
  readonly #api: Api

  constructor(api: Api) {
    this.#api = api
  }

  /** Pays with card data, encrypted card data or the token of a stored card. */
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

  /** Stores a card: the customer confirms at `cardsecure_url_redirect`, a callback brings its token. */
  store(body: BodyOf<'storeCard'>, options?: CallOptions): Promise<AnswerOf<'storeCard'>> {
    return this.#api.call('storeCard', { body }, options)
  }

  /** What may be shown of a stored card. */
  get(token: string, options?: CallOptions): Promise<AnswerOf<'getCard'>> {
    return this.#api.call('getCard', { path: { token } }, options)
  }

  /** Deletes a stored card: its token pays nothing any more. */
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

  /** Asks the customer of a phone number or a mandate, for a payment or an authorization. */
  pay(body: BodyOf<'createMobilePayment'>, options?: CallOptions): Promise<AnswerOf<'createMobilePayment'>> {
    return this.#api.call('createMobilePayment', { body }, options)
  }
}

/** What customers of the mobile wallet allow. */
export class Mandates {
  readonly #api: Api

  constructor(api: Api) {
    this.#api = api
  }

  /** Asks a customer, who answers on the phone. */
  create(body: BodyOf<'createMandate'>, options?: CallOptions): Promise<AnswerOf<'createMandate'>> {
    return this.#api.call('createMandate', { body }, options)
  }

  /** Every mandate that all of the filters match, newest first. */
  list(query?: QueryOf<'listMandates'>, options?: CallOptions) {
    return pagedList(query, (asked) => this.#api.call('listMandates', { query: asked }, options))
  }

  /** Reads one. */
  get(id: string, options?: CallOptions): Promise<AnswerOf<'getMandate'>> {
    return this.#api.call('getMandate', { path: { id } }, options)
  }

  /** Ends one: nothing is charged under it any more. */
  end(id: string, options?: CallOptions): Promise<AnswerOf<'endMandate'>> {
    return this.#api.call('endMandate', { path: { id } }, options)
  }
}

/** References to pay at an ATM or in home banking. */
export class References {
  readonly #api: Api

  constructor(api: Api) {
    this.#api = api
  }

  /** A payment with a reference of its own, in `mb`. */
  pay(
    body: BodyOf<'createReferencePayment'>,
    options?: CallOptions,
  ): Promise<AnswerOf<'createReferencePayment'>> {
    return this.#api.call('createReferencePayment', { body }, options)
  }

  /** A reference that can be paid many times. */
  createRecurring(
    body: BodyOf<'createRecurringReference'>,
    options?: CallOptions,
  ): Promise<AnswerOf<'createRecurringReference'>> {
    return this.#api.call('createRecurringReference', { body }, options)
  }

  /** Takes a reference back. */
  delete(body: BodyOf<'deleteReference'>, options?: CallOptions): Promise<AnswerOf<'deleteReference'>> {
    return this.#api.call('deleteReference', { body }, options)
  }
}
