// What happens around each route's handler; settled when the route is declared, so that a request decides little.
import type { RouteOptions } from 'fastify'
import { warnOfUnreadFields } from './body/unread-fields.ts'
import type { HttpContext } from './context.ts'
import { sendRefusal } from './errors/answers.ts'
import { admitAddress, createGuard } from './guard.ts'
import { markCurrent } from './timeouts.ts'
import type { App, AppReply, AppRequest } from './types.ts'

type Hook = (request: AppRequest, reply: AppReply, done: (error?: Error) => void) => void

/** Puts the hooks on every route that is declared from now on. */
export function addRouteHooks(app: App, context: HttpContext): void {
  app.addHook('onRoute', (route) => {
    const { onRequest, preValidation, preHandler } = hooksOf(context, route)
    route.onRequest = [onRequest, ...listOf(route.onRequest)] as NonNullable<RouteOptions['onRequest']>
    route.preValidation = [...preValidation, ...listOf(route.preValidation)] as NonNullable<
      RouteOptions['preValidation']
    >
    route.preHandler = [...preHandler, ...listOf(route.preHandler)] as NonNullable<RouteOptions['preHandler']>
    const [beginning = '', parameter] = route.url.split(':')
    if (route.config?.page === true && parameter !== undefined) context.pagePaths.add(beginning)
    const observed = context.metrics.route([route.method].flat().join(','), route.url)
    route.onSend = [
      (
        request: AppRequest,
        reply: AppReply,
        payload: unknown,
        done: (error: null, payload: unknown) => void,
      ) => {
        observed.observe(reply.raw.statusCode, performance.now() - request.arrivedAt)
        context.admission.leave(request)
        if (context.draining) reply.header('connection', 'close')
        done(null, payload)
      },
      ...listOf(route.onSend),
    ] as NonNullable<RouteOptions['onSend']>
  })
}

function listOf<T>(hooks: T | T[] | undefined): T[] {
  if (hooks === undefined) return []
  return Array.isArray(hooks) ? hooks : [hooks]
}

function hooksOf(
  context: HttpContext,
  route: RouteOptions,
): { onRequest: Hook; preValidation: Hook[]; preHandler: Hook[] } {
  const { auth = {}, page, unlimited } = route.config ?? {}
  const headers = page === true ? context.pageHeaders : context.apiHeaders
  const readsBody = (route.schema as { body?: unknown } | undefined)?.body !== undefined
  const absentBody: Hook[] = readsBody ? [absentIsEmpty] : []
  const { admission } = context
  // After the body was read, so that slow clients do not keep others waiting.
  const takesTurns = unlimited !== true
  const preHandler: Hook[] = takesTurns
    ? [(request, reply, done) => admission.enter(request, reply, done)]
    : []
  /** Whether the request may go on; asked before its credentials and its body have cost anything. */
  function isInTime(reply: AppReply): boolean {
    const refusal = takesTurns ? admission.look() : undefined
    if (refusal !== undefined) sendRefusal(reply, refusal)
    return refusal === undefined
  }
  if (auth === 'none') {
    const limiter = unlimited === true ? undefined : context.limiters?.pages
    return {
      onRequest(request, reply, done) {
        beginRequest(request, reply, headers)
        if (isInTime(reply) && admitAddress(request, reply, limiter)) done()
      },
      preValidation: absentBody,
      preHandler,
    }
  }
  const guard = createGuard(context, auth)
  return {
    onRequest(request, reply, done) {
      beginRequest(request, reply, headers)
      if (isInTime(reply)) guard.beforeBody(request, reply, done)
    },
    preValidation: [
      ...absentBody,
      (request, reply, done) => {
        // A key in the header has been checked by now.
        if (request.caller === undefined) guard.afterBody(request, reply, done)
        else done()
      },
      ...(context.deps.config.mode === 'sandbox' ? [warnOfUnreadFields((route.schema ?? {}) as object)] : []),
    ],
    preHandler,
  }
}

/** The headers of every answer, and the time from which its duration counts. */
export function beginRequest(
  request: AppRequest,
  reply: AppReply,
  headers: Readonly<Record<string, string>>,
): void {
  request.arrivedAt = performance.now()
  markCurrent(request, reply)
  reply.headers(headers as Record<string, string>)
  reply.header('x-request-id', request.id)
}

/** An absent body is an empty one, so that a refusal names the field that is missing (CONTRACT section 2). */
function absentIsEmpty(request: AppRequest, _reply: AppReply, done: () => void): void {
  if (request.body === undefined || request.body === null) request.body = {}
  done()
}
