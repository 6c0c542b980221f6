// The calls on money that has moved or is reserved: operations and authorizations.
import { type AnswerOf, type Api, type BodyOf, type CallOptions, dryRun, type QueryOf } from '../core/api.ts'
import { pagedList } from '../core/list.ts'

/** Every movement of money: payments, authorizations, captures, releases, refunds, transfers and payouts. */
export class Operations {
  readonly #api: Api

  constructor(api: Api) {
    this.#api = api
  }

  /** Every operation that all of the filters match, newest first. */
  list(query?: QueryOf<'listOperations'>, options?: CallOptions) {
    return pagedList(query, (asked) => this.#api.call('listOperations', { query: asked }, options))
  }

  /** Reads one. */
  get(id: string, options?: CallOptions): Promise<AnswerOf<'getOperation'>> {
    return this.#api.call('getOperation', { path: { id } }, options)
  }

  /** Gives money back: all that is left, or a part. With `dry_run` it only says what would happen. */
  refund(
    id: string,
    body?: BodyOf<'refundOperation'>,
    options?: CallOptions & QueryOf<'refundOperation'>,
  ): Promise<AnswerOf<'refundOperation'>> {
    return this.#api.call('refundOperation', { path: { id }, query: dryRun(options), body }, options)
  }

  /** Divides a completed payment among sub-merchants. */
  split(
    id: string,
    body: BodyOf<'splitOperation'>,
    options?: CallOptions & QueryOf<'splitOperation'>,
  ): Promise<AnswerOf<'splitOperation'>> {
    return this.#api.call('splitOperation', { path: { id }, query: dryRun(options), body }, options)
  }
}

/** Amounts that are reserved, to be captured or released within a month. */
export class Authorizations {
  readonly #api: Api

  constructor(api: Api) {
    this.#api = api
  }

  /** Every authorization that all of the filters match, newest first. */
  list(query?: QueryOf<'listAuthorizations'>, options?: CallOptions) {
    return pagedList(query, (asked) => this.#api.call('listAuthorizations', { query: asked }, options))
  }

  /** Reads one with its captures and releases. */
  get(id: string, options?: CallOptions): Promise<AnswerOf<'getAuthorization'>> {
    return this.#api.call('getAuthorization', { path: { id } }, options)
  }

  /** Charges all that remains, or a part. */
  capture(
    id: string,
    body?: BodyOf<'captureAuthorization'>,
    options?: CallOptions & QueryOf<'captureAuthorization'>,
  ): Promise<AnswerOf<'captureAuthorization'>> {
    return this.#api.call('captureAuthorization', { path: { id }, query: dryRun(options), body }, options)
  }

  /** Gives up all that remains, or a part; not after the first capture. */
  release(
    id: string,
    body?: BodyOf<'releaseAuthorization'>,
    options?: CallOptions & QueryOf<'releaseAuthorization'>,
  ): Promise<AnswerOf<'releaseAuthorization'>> {
    return this.#api.call('releaseAuthorization', { path: { id }, query: dryRun(options), body }, options)
  }
}
