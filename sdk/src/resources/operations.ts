// Calls for operations and authorizations.
import { type AnswerOf, type Api, type BodyOf, type CallOptions, dryRun, type QueryOf } from '../core/api.ts'
import { pagedList } from '../core/list.ts'

/** Operations: payments, authorizations, captures, releases, refunds, top-ups and payouts. */
export class Operations {
  readonly #api: Api

  constructor(api: Api) {
    this.#api = api
  }

  /** Operations that match the filters, newest first. */
  list(query?: QueryOf<'listOperations'>, options?: CallOptions) {
    return pagedList(query, (asked) => this.#api.call('listOperations', { query: asked }, options))
  }

  get(id: string, options?: CallOptions): Promise<AnswerOf<'getOperation'>> {
    return this.#api.call('getOperation', { path: { id } }, options)
  }

  /** Refunds the rest or a part. `dry_run` returns a preview. */
  refund(
    id: string,
    body?: BodyOf<'refundOperation'>,
    options?: CallOptions & QueryOf<'refundOperation'>,
  ): Promise<AnswerOf<'refundOperation'>> {
    return this.#api.call('refundOperation', { path: { id }, query: dryRun(options), body }, options)
  }

  /** Reads the account of a refund by MB, or the link to the page on which the payer types it. */
  refundAccount(id: string, options?: CallOptions): Promise<AnswerOf<'getRefundAccount'>> {
    return this.#api.call('getRefundAccount', { path: { id } }, options)
  }

  /** Splits a completed payment among sellers. */
  split(
    id: string,
    body: BodyOf<'splitOperation'>,
    options?: CallOptions & QueryOf<'splitOperation'>,
  ): Promise<AnswerOf<'splitOperation'>> {
    return this.#api.call('splitOperation', { path: { id }, query: dryRun(options), body }, options)
  }
}

/** Reserved amounts, for a capture or release within a month. */
export class Authorizations {
  readonly #api: Api

  constructor(api: Api) {
    this.#api = api
  }

  /** Authorizations that match the filters, newest first. */
  list(query?: QueryOf<'listAuthorizations'>, options?: CallOptions) {
    return pagedList(query, (asked) => this.#api.call('listAuthorizations', { query: asked }, options))
  }

  /** Reads an authorization with its captures and releases. */
  get(id: string, options?: CallOptions): Promise<AnswerOf<'getAuthorization'>> {
    return this.#api.call('getAuthorization', { path: { id } }, options)
  }

  /** Captures the rest or a part. */
  capture(
    id: string,
    body?: BodyOf<'captureAuthorization'>,
    options?: CallOptions & QueryOf<'captureAuthorization'>,
  ): Promise<AnswerOf<'captureAuthorization'>> {
    return this.#api.call('captureAuthorization', { path: { id }, query: dryRun(options), body }, options)
  }

  /** Releases the rest or a part. Not possible after the first capture. */
  release(
    id: string,
    body?: BodyOf<'releaseAuthorization'>,
    options?: CallOptions & QueryOf<'releaseAuthorization'>,
  ): Promise<AnswerOf<'releaseAuthorization'>> {
    return this.#api.call('releaseAuthorization', { path: { id }, query: dryRun(options), body }, options)
  }
}
