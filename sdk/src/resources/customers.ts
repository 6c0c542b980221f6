// Calls for customers and their saved cards.
import type { AnswerOf, Api, BodyOf, CallOptions, QueryOf } from '../core/api.ts'
import { pagedList } from '../core/list.ts'

/** Customers of the shop. Pass the id of one as `customer.id` of a checkout. */
export class Customers {
  readonly #api: Api

  constructor(api: Api) {
    this.#api = api
  }

  create(body: BodyOf<'createCustomer'> = {}, options?: CallOptions): Promise<AnswerOf<'createCustomer'>> {
    return this.#api.call('createCustomer', { body }, options)
  }

  /** Customers that match all filters, newest first. */
  list(query?: QueryOf<'listCustomers'>, options?: CallOptions) {
    return pagedList(query, (asked) => this.#api.call('listCustomers', { query: asked }, options))
  }

  get(id: string, options?: CallOptions): Promise<AnswerOf<'getCustomer'>> {
    return this.#api.call('getCustomer', { path: { id } }, options)
  }

  /** Changes the given fields. An empty text removes a value. */
  change(
    id: string,
    body: BodyOf<'changeCustomer'>,
    options?: CallOptions,
  ): Promise<AnswerOf<'changeCustomer'>> {
    return this.#api.call('changeCustomer', { path: { id }, body }, options)
  }

  /** Erases the customer and all saved cards. Payments stay. */
  delete(id: string, options?: CallOptions): Promise<AnswerOf<'deleteCustomer'>> {
    return this.#api.call('deleteCustomer', { path: { id } }, options)
  }

  /** All saved cards of a customer, newest first. */
  paymentMethods(id: string, options?: CallOptions): Promise<AnswerOf<'listCustomerPaymentMethods'>> {
    return this.#api.call('listCustomerPaymentMethods', { path: { id } }, options)
  }

  /** Erases a saved card. */
  deletePaymentMethod(
    id: string,
    method: string,
    options?: CallOptions,
  ): Promise<AnswerOf<'deleteCustomerPaymentMethod'>> {
    return this.#api.call('deleteCustomerPaymentMethod', { path: { id, method } }, options)
  }
}
