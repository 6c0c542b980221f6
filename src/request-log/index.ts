// The request log: recent requests of each wallet's programs, without secrets.

import { after, day, minute } from '../kernel/time.ts'
import type { Module } from '../module.ts'
import { createPeriodicWorker, type Worker } from '../storage/index.ts'
import type { LoggedRequest } from './blocks.ts'
import { type Collector, type CollectorDeps, createCollector } from './collect.ts'
import { type RequestLogReads, requestLogRoutes } from './routes.ts'
import { findRequest, forgetRequestsBefore, listRequests } from './store.ts'

export type { LoggedRequest } from './blocks.ts'
export type { ListedRequest, RequestFilter, RequestPage } from './store.ts'

export interface RequestLogDeps extends CollectorDeps {
  readonly days: number
}

export interface RequestLog extends RequestLogReads, Module {
  readonly workers: { readonly request_log: Worker }
  readonly note?: Collector['note']
  find(walletId: bigint, tid: string): Promise<LoggedRequest | undefined>
}

export function createRequestLog(deps: RequestLogDeps): RequestLog {
  const { database, clock, days, onError } = deps
  const collector = createCollector(deps)
  const list: RequestLogReads['list'] = (walletId, filter, page) =>
    listRequests(database, walletId, filter, page)
  return {
    ...(days > 0 && { note: collector.note }),
    stop: collector.flush,
    days,
    workers: {
      request_log: createPeriodicWorker({
        name: 'request log',
        database,
        pollMs: minute,
        async run() {
          await forgetRequestsBefore(database, after(clock.now(), -days * day))
        },
        onError,
      }),
    },
    list,
    find: (walletId, tid) => findRequest(database, walletId, tid),
    routes: requestLogRoutes({ days, list }),
  }
}
