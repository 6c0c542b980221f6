// The entry point of callbacks: events are recorded with their change and delivered until received.
import type { Registry } from 'prom-client'
import type { App } from '../http/index.ts'
import { ok, type Result, refuse } from '../kernel/result.ts'
import type { Clock } from '../kernel/time.ts'
import type { Module } from '../module.ts'
import { callbackChecks } from './audit.ts'
import { endpointRoutes } from './endpoints/routes.ts'
import { endpointSealedColumns } from './endpoints/secrets.ts'
import { createEndpointWorker, type EndpointWorker, type EndpointWorkerDeps } from './endpoints/worker.ts'
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
import { callbacksChannel, createDeliveryWorker, type DeliveryWorker } from './sending/worker.ts'
import { makeDue, ownQueue } from './store.ts'

export {
  countFailingDeliveries,
  type EventWithAttempts,
  eventsAbout,
  eventsWithAttempts,
} from './about-store.ts'
export { operationCallbackExample } from './callback-docs.ts'
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
export { nextAttemptAt } from './sending/schedule.ts'

export interface CallbacksDeps extends Omit<EndpointWorkerDeps, 'metrics' | 'machineClock'> {
  readonly metrics: Registry
  /** The clock of signatures, because receivers compare their time with their own clock. */
  readonly machineClock?: Clock
}

export interface Callbacks extends Module {
  readonly workers: { readonly callbacks: DeliveryWorker; readonly callback_endpoints: EndpointWorker }
  /** Routes that people of the backoffice use too. */
  readonly endpointRoutes: { routes(app: App): void }
  readonly routes: NonNullable<Module['routes']>
  /** Wakes the worker of this process. Without it the event waits for the next poll. */
  wake(): void
  /** For hot paths, with `recordEventsSql`. If a slot is free, the event is sent right after the commit. */
  offer(event: NewEvent): OfferedEvent
  readonly made?: ((eventId: string) => void) | undefined
  resend(walletId: bigint, eventId: string): Promise<Result<void>>
  resendFailed(walletId: bigint): Promise<Resent>
  list(asked: Parameters<typeof listDeliveries>[1]): Promise<ListedDelivery[]>
  events(
    walletId: bigint,
    filter: EventFilter,
    page: { readonly before?: string | undefined; readonly limit: number },
  ): Promise<EventPage>
  examine(walletId: bigint, eventId: string): Promise<ExaminedEvent | undefined>
  endpoints(walletId: bigint): Promise<EndpointHealth[]>
  failingEndpoints(): Promise<FailingEndpoint[]>
  ping(walletId: bigint, endpoint: 'wallet' | 'card'): Promise<Result<string>>
}

export function createCallbacks(deps: CallbacksDeps): Callbacks {
  const { database, clock } = deps
  const { machineClock = clock } = deps
  const metrics = createDeliveryMetrics(deps)
  const queue = ownQueue(database)
  const { faultInjection } = deps
  const further = createEndpointWorker({
    ...{ ...deps, metrics, machineClock },
    // A fault of a request is for the first address. A fault of all callbacks is for each endpoint too.
    faultInjection: faultInjection && {
      ...faultInjection,
      send: ({ walletId, lane }, ...rest) => faultInjection.send({ walletId, lane, eventId: lane }, ...rest),
    },
  })
  const worker = createDeliveryWorker({
    ...{ ...deps, metrics, machineClock, queue },
    channel: callbacksChannel,
    followers: further,
  })
  const furtherRoutes = endpointRoutes(deps)

  return {
    workers: { callbacks: worker, callback_endpoints: further },
    checks: callbackChecks,
    secrets: endpointSealedColumns,
    endpointRoutes: { routes: furtherRoutes },
    wake() {
      worker.wake()
      further.wake()
    },
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
      furtherRoutes(app)
    },
  }
}
