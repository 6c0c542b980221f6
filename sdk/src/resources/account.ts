// The calls on the merchant's own money: balance, statement, fees and payouts.
import { type AnswerOf, type Api, type BodyOf, type CallOptions, dryRun, type QueryOf } from '../core/api.ts'
import { continuedList, pagedList } from '../core/list.ts'

/** What is on the merchant's account, and what moved on it. */
export class Account {
  readonly #api: Api

  constructor(api: Api) {
    this.#api = api
  }

  /** What is on the account now. */
  balance(options?: CallOptions): Promise<AnswerOf<'getBalance'>> {
    return this.#api.call('getBalance', {}, options)
  }

  /** What moved, day by day. */
  statement(query?: QueryOf<'getStatement'>, options?: CallOptions): Promise<AnswerOf<'getStatement'>> {
    return this.#api.call('getStatement', { query }, options)
  }

  /** Every entry of one Lisbon day, as it was booked. */
  entries(day: string, query?: QueryOf<'listStatementEntries'>, options?: CallOptions) {
    return continuedList(
      query,
      (asked) => this.#api.call('listStatementEntries', { path: { day }, query: asked }, options),
      { elementsOf: ({ elements }) => elements, next: ({ next }) => next },
    )
  }

  /** The statement as a CSV file. */
  statementCsv(
    query?: QueryOf<'downloadStatement'>,
    options?: CallOptions,
  ): Promise<AnswerOf<'downloadStatement'>> {
    return this.#api.call('downloadStatement', { query }, options)
  }

  /** What each method cost, by month. */
  fees(query?: QueryOf<'listFees'>, options?: CallOptions): Promise<AnswerOf<'listFees'>> {
    return this.#api.call('listFees', { query }, options)
  }
}

/** Money that goes to the merchant's bank account. */
export class Payouts {
  readonly #api: Api

  constructor(api: Api) {
    this.#api = api
  }

  /** Pays out. With `dry_run` it only says what would happen. */
  create(
    body: BodyOf<'createPayout'>,
    options?: CallOptions & QueryOf<'createPayout'>,
  ): Promise<AnswerOf<'createPayout'>> {
    return this.#api.call('createPayout', { query: dryRun(options), body }, options)
  }

  /** Every payout that all of the filters match, newest first. */
  list(query?: QueryOf<'listPayouts'>, options?: CallOptions) {
    return pagedList(query, (asked) => this.#api.call('listPayouts', { query: asked }, options))
  }

  /** Reads one. */
  get(id: string, options?: CallOptions): Promise<AnswerOf<'getPayout'>> {
    return this.#api.call('getPayout', { path: { id } }, options)
  }

  /** When the gateway pays out by itself. */
  schedule(options?: CallOptions): Promise<AnswerOf<'getPayoutSchedule'>> {
    return this.#api.call('getPayoutSchedule', {}, options)
  }

  /** Says when the gateway is to pay out by itself. */
  setSchedule(
    body: BodyOf<'setPayoutSchedule'>,
    options?: CallOptions,
  ): Promise<AnswerOf<'setPayoutSchedule'>> {
    return this.#api.call('setPayoutSchedule', { body }, options)
  }
}

/** Signed heads of what was written in the wallet. */
export class Audit {
  readonly #api: Api

  constructor(api: Api) {
    this.#api = api
  }

  /** The head of now, to be kept outside of the gateway. */
  head(options?: CallOptions): Promise<AnswerOf<'getAuditHead'>> {
    return this.#api.call('getAuditHead', {}, options)
  }
}
