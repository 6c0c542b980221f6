// The entry point of callbacks: events recorded with their change, delivered until received.

import type { Registry } from 'prom-client'
import { ok, type Result, refuse } from '../kernel/result.ts'
import type { Clock } from '../kernel/time.ts'
import type { Module } from '../module.ts'
import { callbackChecks } from './audit.ts'
import { listenRoutes } from './feed/listen.ts'
import { feedRoutes } from './feed/routes.ts'
import { createDeliveryMetrics } from './metrics.ts'
import type { NewEvent } from './model.ts'
import { type EndpointHealth, endpointHealth } from './reading/endpoint-health.ts'
import { type ExaminedEvent, examineEvent } from './reading/event.ts'
import { type FailingEndpoint, failingEndpoints } from './reading/failing-endpoints.ts'
import { type EventFilter, type EventPage, listEvents } from './reading/list-store.ts'
import { recordPing } from './reading/ping.ts'
import { type ListedDelivery, listDeliveries, makeFailedDue, type Resent } from './resend-store.ts'
import { verifyRoutes } from './routes.ts'
import type { OfferedEvent } from './sending/attempts-in-flight.ts'
import {
  callbacksChannel,
  createDeliveryWorker,
  type DeliveryWorker,
  type WorkerDeps,
} from './sending/worker.ts'
import { makeDue } from './store.ts'

export {
  countFailingDeliveries,
  type EventWithAttempts,
  eventsAbout,
  eventsWithAttempts,
} from './about-store.ts'
export {
  type EventRow,
  eventColumns,
  eventRow,
  inThisTrace,
  recordEvents,
  recordEventsSql,
} from './events-store.ts'
export { continueEventOrder, finalBefore } from './feed/order.ts'
export type { DeliveryState, NewEvent } from './model.ts'
export type { EndpointHealth } from './reading/endpoint-health.ts'
export type { ExaminedEvent } from './reading/event.ts'
export type { EventFilter, EventPage, ListedEvent } from './reading/list-store.ts'
export type { ListedDelivery } from './resend-store.ts'
export type { OfferedEvent } from './sending/attempts-in-flight.ts'
export { operationCallback } from './sending/payload.ts'
export { operationCallbackExample } from './webhooks.ts'

export interface CallbacksDeps extends Omit<WorkerDeps, 'metrics' | 'machineClock'> {
  readonly metrics: Registry
  /** The machine's clock where {@link clock} runs ahead of it: receivers compare the signature's time with theirs. */
  readonly machineClock?: Clock
}

export interface Callbacks extends Module {
  readonly workers: { readonly callbacks: DeliveryWorker }
  readonly routes: NonNullable<Module['routes']>
  /** Wakes this process's worker after an event was committed; without it the event waits for a poll. */
  wake(): void
  /**
   * An event for a statement on a hot path, which records it with `recordEventsSql`: while this process has room for
   * it and nothing of its lane waits, its delivery is written claimed, and sent once the caller reports that the
   * statement was committed, without reading the queue. Otherwise it is queued, as always.
   */
  offer(event: NewEvent): OfferedEvent
  /** See {@link Interference.made}. */
  readonly made?: ((eventId: string) => void) | undefined
  /**
   * Sends an event again now, in whatever state its delivery is, with a new schedule.
   *
   * Refusals: not_found when the wallet has no such event.
   */
  resend(walletId: bigint, eventId: string): Promise<Result<void>>
  /** Sends again what of a wallet was given up or had no address, spread over time: see {@link Resent}. */
  resendFailed(walletId: bigint): Promise<Resent>
  /** For operators: deliveries of one wallet, or of all, newest first. */
  list(asked: Parameters<typeof listDeliveries>[1]): Promise<ListedDelivery[]>
  /** The wallet's events with their deliveries, newest first; `before` is `next` of the page before. */
  events(
    walletId: bigint,
    filter: EventFilter,
    page: { readonly before?: string | undefined; readonly limit: number },
  ): Promise<EventPage>
  /** One event of the wallet with its body, its headers without secrets, and every attempt. */
  examine(walletId: bigint, eventId: string): Promise<ExaminedEvent | undefined>
  /** How the addresses do that the wallet's callbacks went to lately. */
  endpoints(walletId: bigint): Promise<EndpointHealth[]>
  /** For operators: the addresses of all merchants that are not reached, the worst first. */
  failingEndpoints(): Promise<FailingEndpoint[]>
  /**
   * Sends an event that tests an address of the wallet; answers its id.
   *
   * Refusals: illegal_state when the wallet has no such address.
   */
  ping(walletId: bigint, endpoint: 'wallet' | 'card'): Promise<Result<string>>
}

/** Wires the module. */
export function createCallbacks(deps: CallbacksDeps): Callbacks {
  const { database, clock } = deps
  const { machineClock = clock } = deps
  const worker = createDeliveryWorker({ ...deps, metrics: createDeliveryMetrics(deps), machineClock })

  return {
    workers: { callbacks: worker },
    checks: callbackChecks,
    wake: worker.wake,
    offer: worker.offer,
    made: deps.faultInjection?.made,
    async resend(walletId, eventId) {
      const found = await makeDue(database, walletId, eventId, clock.now())
      if (!found) return refuse('not_found', `event ${eventId} does not exist`)
      await database.notify(callbacksChannel, '')
      return ok(undefined)
    },
    async resendFailed(walletId) {
      const sent = await makeFailedDue(database, walletId, clock.now())
      if (sent.resent > 0) await database.notify(callbacksChannel, '')
      return sent
    },
    list: (asked) => listDeliveries(database, asked),
    events: (walletId, filter, page) => listEvents(database, walletId, filter, page),
    examine: (walletId, eventId) => examineEvent({ ...deps, machineClock }, walletId, eventId),
    failingEndpoints: () => failingEndpoints(database),
    endpoints: (walletId) => endpointHealth(database, walletId),
    async ping(walletId, endpoint) {
      const recorded = await recordPing(deps, walletId, endpoint)
      if (recorded.ok) await database.notify(callbacksChannel, '')
      return recorded
    },
    routes: (app) => {
      verifyRoutes(deps)(app)
      feedRoutes(deps)(app)
      listenRoutes({ ...deps, machineClock })(app)
    },
  }
}
