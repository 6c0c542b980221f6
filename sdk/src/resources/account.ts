// Calls for balance, statement, fees and payouts.
import { type AnswerOf, type Api, type BodyOf, type CallOptions, dryRun, type QueryOf } from '../core/api.ts'
import { continuedList, pagedList } from '../core/list.ts'

/** Balance and entries of the merchant. */
export class Account {
  readonly #api: Api

  constructor(api: Api) {
    this.#api = api
  }

  /** Current balance. */
  balance(options?: CallOptions): Promise<AnswerOf<'getBalance'>> {
    return this.#api.call('getBalance', {}, options)
  }

  /** Totals of each day. */
  statement(query?: QueryOf<'getStatement'>, options?: CallOptions): Promise<AnswerOf<'getStatement'>> {
    return this.#api.call('getStatement', { query }, options)
  }

  /** Entries of one Lisbon day. */
  entries(day: string, query?: QueryOf<'listStatementEntries'>, options?: CallOptions) {
    return continuedList(
      query,
      (asked) => this.#api.call('listStatementEntries', { path: { day }, query: asked }, options),
      { elementsOf: ({ elements }) => elements, next: ({ next }) => next },
    )
  }

  /** Statement as CSV. */
  statementCsv(
    query?: QueryOf<'downloadStatement'>,
    options?: CallOptions,
  ): Promise<AnswerOf<'downloadStatement'>> {
    return this.#api.call('downloadStatement', { query }, options)
  }

  /** Fees by month and method. */
  fees(query?: QueryOf<'listFees'>, options?: CallOptions): Promise<AnswerOf<'listFees'>> {
    return this.#api.call('listFees', { query }, options)
  }
}

/** Payouts to the merchant's IBAN. */
export class Payouts {
  readonly #api: Api

  constructor(api: Api) {
    this.#api = api
  }

  /** Orders a payout. `dry_run` returns a preview. */
  create(
    body: BodyOf<'createPayout'>,
    options?: CallOptions & QueryOf<'createPayout'>,
  ): Promise<AnswerOf<'createPayout'>> {
    return this.#api.call('createPayout', { query: dryRun(options), body }, options)
  }

  /** Payouts that match the filters, newest first. */
  list(query?: QueryOf<'listPayouts'>, options?: CallOptions) {
    return pagedList(query, (asked) => this.#api.call('listPayouts', { query: asked }, options))
  }

  get(id: string, options?: CallOptions): Promise<AnswerOf<'getPayout'>> {
    return this.#api.call('getPayout', { path: { id } }, options)
  }

  /** Schedule of automatic payouts. */
  schedule(options?: CallOptions): Promise<AnswerOf<'getPayoutSchedule'>> {
    return this.#api.call('getPayoutSchedule', {}, options)
  }

  /** Sets the schedule of automatic payouts. */
  setSchedule(
    body: BodyOf<'setPayoutSchedule'>,
    options?: CallOptions,
  ): Promise<AnswerOf<'setPayoutSchedule'>> {
    return this.#api.call('setPayoutSchedule', { body }, options)
  }
}

/** Signed heads of the wallet's history. */
export class Audit {
  readonly #api: Api

  constructor(api: Api) {
    this.#api = api
  }

  /** Current head. Store it outside the gateway. */
  head(options?: CallOptions): Promise<AnswerOf<'getAuditHead'>> {
    return this.#api.call('getAuditHead', {}, options)
  }
}
