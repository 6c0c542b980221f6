// The calls on what was told before: events, callbacks and lost answers.
import type { Callback } from '../callbacks.ts'
import type { AnswerOf, Api, BodyOf, CallOptions, QueryOf } from '../core/api.ts'
import { continuedList } from '../core/list.ts'
import type { Event as PlainEvent, EventPage as PlainPage } from '../generated/schema.d.ts'

/** What a callback tells, with its body. */
export type Event = Omit<PlainEvent, 'body'> & { readonly body: Callback }

type EventPage = Omit<PlainPage, 'events'> & { readonly events: Event[] }

/** What callbacks tell, to be read again in order. */
export class Events {
  readonly #api: Api

  constructor(api: Api) {
    this.#api = api
  }

  /** Every event after a place in the order, oldest first; `next` of a page is where to go on later. */
  list(query?: QueryOf<'listEvents'>, options?: CallOptions) {
    return continuedList(
      query,
      (asked) => this.#api.call('listEvents', { query: asked }, options) as Promise<EventPage>,
      { elementsOf: ({ events }) => events, next: ({ more, next }) => (more ? next : undefined) },
    )
  }
}

/** Callbacks that were received. */
export class Callbacks {
  readonly #api: Api

  constructor(api: Api) {
    this.#api = api
  }

  /** Asks the gateway whether a body is its own, and so ends its delivery. `verifyCallback` needs no call. */
  verify(body: BodyOf<'verifyCallback'>, options?: CallOptions): Promise<AnswerOf<'verifyCallback'>> {
    return this.#api.call('verifyCallback', { body }, options)
  }

  /**
   * Waits up to 25 seconds for callbacks after a place in the order, with their headers, for a program that the gateway
   * cannot reach; without `after` it says at once where to begin.
   */
  listen(
    query?: QueryOf<'listenToCallbacks'>,
    options?: CallOptions,
  ): Promise<AnswerOf<'listenToCallbacks'>> {
    return this.#api.call('listenToCallbacks', { query }, options)
  }
}

/** Calls whose answer was lost. */
export class Requests {
  readonly #api: Api

  constructor(api: Api) {
    this.#api = api
  }

  /** What became of a call, by its request id. */
  get(id: string, options?: CallOptions): Promise<AnswerOf<'getRequest'>> {
    return this.#api.call('getRequest', { path: { id } }, options)
  }

  /** What the programs of the wallet asked in the last days, newest first. */
  list(query?: QueryOf<'listRequests'>, options?: CallOptions) {
    return continuedList(query, (asked) => this.#api.call('listRequests', { query: asked }, options), {
      elementsOf: ({ requests }) => requests,
      next: ({ next }) => next,
    })
  }
}
