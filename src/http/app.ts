// The HTTP server: hooks of every route, and unknown routes.
import type { IncomingHttpHeaders } from 'node:http'
import { Type, type TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { type FastifyError, fastify, type RouteOptions } from 'fastify'
import { newId } from '../kernel/random.ts'
import type { Refusal } from '../kernel/result.ts'
import { tracing } from '../kernel/tracing.ts'
import {
  abortSlowAnswers,
  answerBeforeBody,
  answerExpectations,
  beginRequest,
  checkEveryMs,
  headersMs,
  idleMs,
  requestMs,
  sendRefusal,
  withoutCardTokens,
} from './answers.ts'
import { addBodyParsers, bodyBytesMax } from './body/json.ts'
import { preparationHooks, warnOfUnreadFields } from './body/unexpected-fields.ts'
import { compileSerializer, compileValidator } from './body/validation.ts'
import { createContext, type HttpContext } from './context.ts'
import { answerClientError, rejectUnsupportedRequests } from './errors/client-errors.ts'
import { answerErrors, refusalOfFrameworkError } from './errors/error-handler.ts'
import { admitAddress, createGuard, hasBody, refuseAmbiguousRequests } from './guard.ts'
import { healthRoutes } from './observe/health.ts'
import { traceRoute } from './observe/request-traces.ts'
import { refusalOfHost } from './pages/other-sites.ts'
import { warnPastLastPage } from './pagination.ts'
import { readForwardedFor } from './rate-limits.ts'
import { docsRoutes } from './reference/docs.ts'
import { rememberRoutes } from './reference/openapi.ts'
import type { App, AppReply, AppRequest, HttpDeps, PeopleGuard } from './types.ts'

const pathPartLengthMax = 200
const anyParameters = Type.Object({})

/** The app on which modules register routes. It does not log requests, because `/metrics` counts them. */
export function createApp(deps: HttpDeps): App {
  const context = createContext(deps)
  const app = fastify({
    genReqId: () => newId(deps.clock.now(), deps.random),
    trustProxy: trustedProxies(deps.config.trustProxy),
    bodyLimit: bodyBytesMax,
    requestTimeout: requestMs,
    keepAliveTimeout: idleMs,
    // Requests that arrive while the gateway stops are still served.
    return503OnClosing: false,
    exposeHeadRoutes: false,
    rewriteUrl: usualForm,
    clientErrorHandler: answerClientError(context),
    frameworkErrors: answerFrameworkError(context),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: pathPartLengthMax },
    // Host is optional, because every URL in an answer begins with the configured address.
    http: { headersTimeout: headersMs, connectionsCheckingInterval: checkEveryMs, requireHostHeader: false },
  }).withTypeProvider<TypeBoxTypeProvider>()

  app.decorate('http', context)
  app.decorateRequest('caller', undefined as never)
  app.decorateRequest('arrivedAt', 0)
  app.decorateRequest('admittedTo', undefined)
  app.decorateRequest('changes', undefined)
  app.setValidatorCompiler(compileValidator)
  app.setSerializerCompiler(compileSerializer)
  addBodyParsers(app)
  answerErrors(app, context)
  refuseAmbiguousRequests(app, context)
  answerUnknownRoutes(app, context)
  abortSlowAnswers(app)
  rejectUnsupportedRequests(app, context)
  answerExpectations(app)
  const declared = rememberRoutes(app)
  addRouteHooks(app, context)
  healthRoutes(app, context)
  docsRoutes(app, context, declared)
  return app
}

function trustedProxies(list = 'off'): string | false {
  return list === 'off' ? false : list
}

/** Accepts two slashes at the start, because the base URL of some clients ends with one. */
function usualForm(request: RawRequest): string {
  if (request.method === 'HEAD') request.method = 'GET'
  const { 'x-forwarded-for': forwarded } = request.headers
  if (typeof forwarded === 'string') request.headers['x-forwarded-for'] = readForwardedFor(forwarded)
  return request.url?.replace(/^\/\/+/, '/') ?? '/'
}

interface RawRequest {
  method?: string | undefined
  readonly url?: string | undefined
  readonly headers: IncomingHttpHeaders
}

type Hook = (request: AppRequest, reply: AppReply, done: (error?: Error) => void) => void

/** Adds the hooks to every later route. Decisions that depend only on the route are made here, once. */
function addRouteHooks(app: App, context: HttpContext): void {
  app.addHook('onRoute', (route) => {
    const { onRequest, preValidation, preHandler } = hooksOf(context, route)
    route.onRequest = [onRequest, ...listOf(route.onRequest)] as NonNullable<RouteOptions['onRequest']>
    route.preValidation = [...preValidation, ...listOf(route.preValidation)] as NonNullable<
      RouteOptions['preValidation']
    >
    route.preHandler = [...preHandler, ...listOf(route.preHandler)] as NonNullable<RouteOptions['preHandler']>
    const [beginning = '', parameter] = route.url.split(/[:*]/)
    // Without a schema of its own, a part of the path is still refused if PostgreSQL cannot store it.
    if (parameter !== undefined) route.schema = { params: anyParameters, ...route.schema }
    if (route.config?.page === true && parameter !== undefined) context.pagePaths.add(beginning)
    const { waits = false, unlogged = waits } = route.config ?? {}
    const observed = waits ? undefined : context.metrics.route([route.method].flat().join(','), route.url)
    const { people } = context.deps
    const isForPeople = people !== undefined && route.url.startsWith(people.prefix)
    if (isForPeople) {
      route.onResponse = async (request: AppRequest, reply: AppReply) => people.afterAnswer(request, reply)
    }
    route.onSend = [
      ...(context.deps.config.mode === 'sandbox' ? warnPastLastPage(route) : []),
      (
        request: AppRequest,
        reply: AppReply,
        payload: unknown,
        done: (error: null, payload: unknown) => void,
      ) => {
        observed?.observe(reply.raw.statusCode, performance.now() - request.arrivedAt)
        context.admission.leave(request)
        if (request.caller !== undefined && !isForPeople && !unlogged)
          context.deps.onAnswer?.(request, reply, payload)
        if (isForPeople) people.beforeAnswer?.(request, reply, payload)
        if (context.draining) reply.header('connection', 'close')
        const shown =
          request.caller === undefined ? payload : withoutCardTokens(payload, request.caller.permissions)
        done(null, answerBeforeBody(reply, shown))
      },
      ...listOf(route.onSend),
    ] as NonNullable<RouteOptions['onSend']>
    if (tracing !== undefined) traceRoute(route, tracing)
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
  const { auth = {}, page, amongPages, unlimited, waits } = route.config ?? {}
  const headers = page === true ? context.pageHeaders : context.apiHeaders
  const tidies = preparationHooks(route)
  const { admission } = context
  const isPageLike = (page === true || amongPages === true) && route.method === 'GET'
  const pool = isPageLike ? admission.pagePool : admission
  // The turn comes after the body, so that slow clients do not take a place.
  const takesTurns = unlimited !== true
  const turn = (again?: Hook): Hook[] => {
    if (!takesTurns) return []
    return [
      (request, reply, done) => {
        let hasWaited = false
        pool.enter(request, reply, (refusal) => {
          if (waits === true) admission.leave(request)
          if (hasWaited && refusal === undefined && again !== undefined) again(request, reply, done)
          else done(refusal)
        })
        hasWaited = true
      },
    ]
  }
  /** Checks this first, before credentials and body cost anything. */
  function isInTime(reply: AppReply): boolean {
    const refusal = takesTurns ? pool.check(reply.request) : undefined
    if (refusal !== undefined) sendRefusal(reply, refusal)
    return refusal === undefined
  }
  const { people } = context.deps
  const isForPeople = people !== undefined && route.url.startsWith(people.prefix)
  const isShown = page === true || isForPeople
  function usesOwnHost(request: AppRequest, reply: AppReply): boolean {
    const refusal = isShown ? refusalOfHost(request) : undefined
    if (refusal !== undefined) sendRefusal(reply, refusal)
    return refusal === undefined
  }
  if (auth === 'none') {
    const limiter = unlimited === true ? undefined : context.limiters?.pages
    return {
      onRequest(request, reply, done) {
        beginRequest(request, reply, headers)
        if (isInTime(reply) && usesOwnHost(request, reply) && admitAddress(request, reply, limiter)) done()
      },
      preValidation: tidies,
      preHandler: turn(),
    }
  }
  if (isForPeople) {
    const guarded = guardPeople(context, people)
    return {
      onRequest(request, reply, done) {
        beginRequest(request, reply, headers)
        if (isInTime(reply) && usesOwnHost(request, reply)) guarded.onRequest(request, reply, done)
      },
      preValidation: [
        ...tidies,
        (request, reply, done) => {
          if (hasBody(request)) guarded.again(request, reply, done)
          else done()
        },
      ],
      preHandler: [...turn(guarded.again), guarded.preHandler],
    }
  }
  const guard = createGuard(context, auth)
  return {
    onRequest(request, reply, done) {
      beginRequest(request, reply, headers)
      if (isInTime(reply)) guard.beforeBody(request, reply, done)
    },
    preValidation: [
      ...tidies,
      (request, reply, done) => {
        // If the key is in the header, it was checked before the body.
        if (request.caller === undefined) guard.afterBody(request, reply, done)
        else if (hasBody(request)) guard.again(request, reply, done)
        else done()
      },
      ...(context.deps.config.mode === 'sandbox' ? [warnOfUnreadFields((route.schema ?? {}) as object)] : []),
    ],
    preHandler: turn(guard.again),
  }
}

function guardPeople(
  { limiters }: HttpContext,
  people: PeopleGuard,
): { onRequest: Hook; again: Hook; preHandler: Hook } {
  const passing =
    (look: (request: AppRequest, reply: AppReply) => Promise<Refusal | undefined>): Hook =>
    (request, reply, done) => {
      look(request, reply).then((refusal) => {
        if (refusal !== undefined) sendRefusal(reply, refusal)
        else done()
      }, done)
    }
  return {
    onRequest: (request, reply, done) => {
      if (admitAddress(request, reply, limiters?.pages)) passing(people.admit)(request, reply, done)
    },
    again: passing(people.admitAgain),
    preHandler: passing(people.beforeHandler),
  }
}

const methodsInUse = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

function answerUnknownRoutes(app: App, context: HttpContext): void {
  const observed = context.metrics.route('', 'none')

  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done()
    beginRequest(request, reply, context.apiHeaders)
    if (admitAddress(request, reply, context.limiters?.address)) sendUnknown(app, request, reply)
    observed.observe(reply.raw.statusCode, performance.now() - request.arrivedAt)
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    done(null, request.is404 ? answerBeforeBody(reply, payload) : payload)
  })
  // Handlers of files call this if they find out late that the path is unknown.
  app.setNotFoundHandler((request, reply) => sendUnknown(app, request, reply))
}

function sendUnknown(app: App, request: AppRequest, reply: AppReply): AppReply {
  const allowed = methodsInUse.filter((method) => app.findRoute({ method, url: request.url }) !== null)
  if (allowed.length === 0 || allowed.includes(request.method as (typeof methodsInUse)[number])) {
    return sendRefusal(reply, {
      kind: 'endpoint_not_found',
      reason: 'no such path: /docs lists all paths',
    })
  }
  const allow = allowed.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ')
  reply.header('allow', allow)
  return sendRefusal(reply, { kind: 'action_not_found', reason: `the path accepts ${allow}` })
}

function answerFrameworkError(
  context: HttpContext,
): (error: FastifyError, request: AppRequest, reply: AppReply) => void {
  return (error, request, reply) => {
    beginRequest(request, reply, context.apiHeaders)
    if (!admitAddress(request, reply, context.limiters?.address)) return
    const refusal = refusalOfFrameworkError(error)
    sendRefusal(reply, refusal ?? { kind: 'endpoint_not_found', reason: 'the path cannot be read' })
  }
}
