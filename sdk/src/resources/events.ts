// Calls for events, callbacks and lost answers.
import type { Callback } from '../callbacks.ts'
import type { AnswerOf, Api, BodyOf, CallOptions, QueryOf } from '../core/api.ts'
import { continuedList, pagedList } from '../core/list.ts'
import type { Event as PlainEvent, EventPage as PlainPage } from '../generated/schema.d.ts'

/** Event with the body of its callback. */
export type Event = Omit<PlainEvent, 'body'> & { readonly body: Callback }

type EventPage = Omit<PlainPage, 'events'> & { readonly events: Event[] }

/** Events, to read again in order. */
export class Events {
  readonly #api: Api

  constructor(api: Api) {
    this.#api = api
  }

  /** Events after a position, oldest first. Continue with `next` of the page. */
  list(query?: QueryOf<'listEvents'>, options?: CallOptions) {
    return continuedList(
      query,
      (asked) => this.#api.call('listEvents', { query: asked }, options) as Promise<EventPage>,
      { elementsOf: ({ events }) => events, next: ({ more, next }) => (more ? next : undefined) },
    )
  }
}

/** Received callbacks. */
export class Callbacks {
  readonly #api: Api

  constructor(api: Api) {
    this.#api = api
  }

  /** Verifies a body at the gateway and ends its delivery. `verifyCallback` needs no call. */
  verify(body: BodyOf<'verifyCallback'>, options?: CallOptions): Promise<AnswerOf<'verifyCallback'>> {
    return this.#api.call('verifyCallback', { body }, options)
  }

  /**
   * Waits up to 25 seconds for callbacks after a position. Use it if the gateway cannot reach your program. Without
   * `after` it returns the current position at once.
   */
  listen(
    query?: QueryOf<'listenToCallbacks'>,
    options?: CallOptions,
  ): Promise<AnswerOf<'listenToCallbacks'>> {
    return this.#api.call('listenToCallbacks', { query }, options)
  }
}

/** Calls with a lost answer. */
export class Requests {
  readonly #api: Api

  constructor(api: Api) {
    this.#api = api
  }

  /** Result of a call, by its request id. */
  get(id: string, options?: CallOptions): Promise<AnswerOf<'getRequest'>> {
    return this.#api.call('getRequest', { path: { id } }, options)
  }

  /** Latest requests of the wallet's programs, newest first. */
  list(query?: QueryOf<'listRequests'>, options?: CallOptions) {
    return continuedList(query, (asked) => this.#api.call('listRequests', { query: asked }, options), {
      elementsOf: ({ requests }) => requests,
      next: ({ next }) => next,
    })
  }
}

/** Mail to customers, and its switches. */
export class Mails {
  readonly #api: Api

  constructor(api: Api) {
    this.#api = api
  }

  /** Mails with their status, newest first. */
  list(query?: QueryOf<'listMails'>, options?: CallOptions) {
    return pagedList(query, (asked) => this.#api.call('listMails', { query: asked }, options))
  }

  get(id: string, options?: CallOptions): Promise<AnswerOf<'getMail'>> {
    return this.#api.call('getMail', { path: { id } }, options)
  }

  /** All kinds of mail, with their switches. */
  kinds(options?: CallOptions): Promise<AnswerOf<'listMailKinds'>> {
    return this.#api.call('listMailKinds', {}, options)
  }

  /** Turns a kind on or off. */
  setKind(
    kind: string,
    body: BodyOf<'setMailKind'>,
    options?: CallOptions,
  ): Promise<AnswerOf<'setMailKind'>> {
    return this.#api.call('setMailKind', { path: { kind }, body }, options)
  }
}

/** Further addresses for callbacks, each with its own secrets and deliveries. */
export class CallbackEndpoints {
  readonly #api: Api

  constructor(api: Api) {
    this.#api = api
  }

  list(options?: CallOptions): Promise<AnswerOf<'listCallbackEndpoints'>> {
    return this.#api.call('listCallbackEndpoints', {}, options)
  }

  /** The answer contains both secrets, only this once. */
  create(
    body: BodyOf<'createCallbackEndpoint'>,
    options?: CallOptions,
  ): Promise<AnswerOf<'createCallbackEndpoint'>> {
    return this.#api.call('createCallbackEndpoint', { body }, options)
  }

  get(id: string, options?: CallOptions): Promise<AnswerOf<'getCallbackEndpoint'>> {
    return this.#api.call('getCallbackEndpoint', { path: { id } }, options)
  }

  /** Changes, pauses (`status: 'PAUSED'`) or resumes (`status: 'ACTIVE'`) an endpoint. */
  change(
    id: string,
    body: BodyOf<'changeCallbackEndpoint'>,
    options?: CallOptions,
  ): Promise<AnswerOf<'changeCallbackEndpoint'>> {
    return this.#api.call('changeCallbackEndpoint', { path: { id }, body }, options)
  }

  /** Its waiting callbacks are not sent any more. */
  delete(id: string, options?: CallOptions): Promise<AnswerOf<'deleteCallbackEndpoint'>> {
    return this.#api.call('deleteCallbackEndpoint', { path: { id } }, options)
  }

  /** The answer contains the new secret, only this once. The old one works for 24 hours. */
  replaceSecret(
    id: string,
    body: BodyOf<'replaceCallbackEndpointSecret'>,
    options?: CallOptions,
  ): Promise<AnswerOf<'replaceCallbackEndpointSecret'>> {
    return this.#api.call('replaceCallbackEndpointSecret', { path: { id }, body }, options)
  }

  /** Deliveries, newest event first. */
  deliveries(id: string, query?: QueryOf<'listEndpointDeliveries'>, options?: CallOptions) {
    return pagedList(query, (asked) =>
      this.#api.call('listEndpointDeliveries', { path: { id }, query: asked }, options),
    )
  }

  /** A delivery with the answer of each attempt. */
  delivery(id: string, eventId: string, options?: CallOptions): Promise<AnswerOf<'getEndpointDelivery'>> {
    return this.#api.call('getEndpointDelivery', { path: { id, event_id: eventId } }, options)
  }

  /** Sends one event, or all that failed. */
  resend(
    id: string,
    body: BodyOf<'resendToCallbackEndpoint'> = {},
    options?: CallOptions,
  ): Promise<AnswerOf<'resendToCallbackEndpoint'>> {
    return this.#api.call('resendToCallbackEndpoint', { path: { id }, body }, options)
  }

  /** Sends a `ping` to this endpoint only. */
  test(id: string, options?: CallOptions): Promise<AnswerOf<'testCallbackEndpoint'>> {
    return this.#api.call('testCallbackEndpoint', { path: { id } }, options)
  }
}
