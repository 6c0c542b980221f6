// One span per request, if tracing is on.
import type { RouteOptions } from 'fastify'
import type { Span, Tracing } from '../../kernel/tracing.ts'
import type { AppReply, AppRequest } from '../types.ts'

const spanOf = new WeakMap<AppRequest, Span>()
const serverErrorMin = 500
const notTraced = /^\/(healthz|readyz|metrics|assets)\b/

/** Only links to the caller's `traceparent`, so that strangers do not decide about sampling. */
export function traceRoute(route: RouteOptions, tracing: Tracing): void {
  const { url } = route
  if (notTraced.test(url)) return
  route.onRequest = [
    (request: AppRequest, _reply: AppReply, done: () => void) => {
      const { method, headers, id } = request
      // The span has the route's pattern, because the path may contain a card token.
      const facts = { 'http.request.method': method, 'http.route': url, 'comporta.request.id': id }
      const { traceparent } = headers
      const link = typeof traceparent === 'string' ? traceparent : undefined
      spanOf.set(request, tracing.begin(`${method} ${url}`, { kind: 'server', facts, parent: null, link }))
      done()
    },
    ...hooks(route.onRequest),
  ] as NonNullable<RouteOptions['onRequest']>
  route.preHandler = [
    ...hooks(route.preHandler),
    (request: AppRequest, _reply: AppReply, done: () => void) => {
      const span = spanOf.get(request)
      if (span === undefined) done()
      else span.run(done)
    },
  ] as NonNullable<RouteOptions['preHandler']>
  route.onSend = [
    ...hooks(route.onSend),
    (
      request: AppRequest,
      reply: AppReply,
      payload: unknown,
      done: (error: null, payload: unknown) => void,
    ) => {
      const { statusCode } = reply.raw
      const span = spanOf.get(request)
      const caller = request.caller as AppRequest['caller'] | undefined
      span?.note({ 'http.response.status_code': statusCode, 'comporta.wallet.id': walletOf(caller) })
      span?.end(statusCode >= serverErrorMin ? String(statusCode) : undefined)
      done(null, payload)
    },
  ] as NonNullable<RouteOptions['onSend']>
}

function walletOf(caller: AppRequest['caller'] | undefined): string | undefined {
  return caller === undefined ? undefined : String(caller.walletId)
}

function hooks<T>(given: T | T[] | undefined): T[] {
  return given === undefined ? [] : ([given].flat() as T[])
}
