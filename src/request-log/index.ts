// The request log: what each wallet's programs asked in the last days, and what they were answered, without secrets.

import type { App } from '../http/index.ts'
import { after, day, minute } from '../kernel/time.ts'
import { createPeriodicWorker, type Worker } from '../storage/index.ts'
import { type Collector, type CollectorDeps, createCollector } from './collect.ts'
import { type RequestLogReads, requestLogRoutes } from './routes.ts'
import { findRequest, forgetRequestsBefore, listRequests } from './store.ts'
import type { LoggedRequest } from './table.ts'

export type { ListedRequest, RequestFilter, RequestPage } from './store.ts'
export type { LoggedRequest } from './table.ts'

export interface RequestLogDeps extends CollectorDeps {
  /** How long requests are kept, in days; 0: none is written down. */
  readonly days: number
}

export interface RequestLog extends RequestLogReads {
  /** Takes note of an answer; absent where none is written down. */
  readonly note?: Collector['note']
  /** Writes what was gathered: before the process ends. */
  flush(): Promise<void>
  /** Forgets what is too old. */
  readonly worker: Worker
  /** One request of the wallet, with its bodies, by its tid. */
  find(walletId: bigint, tid: string): Promise<LoggedRequest | undefined>
  readonly routes: (app: App) => void
}

/** Wires the module. */
export function createRequestLog(deps: RequestLogDeps): RequestLog {
  const { database, clock, days, onError } = deps
  const collector = createCollector(deps)
  const list: RequestLogReads['list'] = (walletId, filter, page) =>
    listRequests(database, walletId, filter, page)
  return {
    ...(days > 0 && { note: collector.note }),
    flush: collector.flush,
    days,
    worker: createPeriodicWorker({
      name: 'request log',
      database,
      pollMs: minute,
      async run() {
        await forgetRequestsBefore(database, after(clock.now(), -days * day))
      },
      onError,
    }),
    list,
    find: (walletId, tid) => findRequest(database, walletId, tid),
    routes: requestLogRoutes({ days, list }),
  }
}
