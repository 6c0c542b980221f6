// The gateway's HTTP server: what holds for every request, whichever module it is for.
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { fastify } from 'fastify'
import { newId } from '../kernel/ids.ts'
import { addBodyParsers, bodyBytesMax } from './body/body-parsers.ts'
import { compileValidator } from './body/validation.ts'
import { createContext } from './context.ts'
import { answerClientError, answerOddRequests } from './errors/client-errors.ts'
import { answerErrors } from './errors/error-handler.ts'
import { answerFrameworkError, answerUnknownRoutes } from './errors/not-found.ts'
import { healthRoutes } from './observe/health.ts'
import { docsRoutes } from './pages/docs.ts'
import { rememberRoutes } from './pages/openapi.ts'
import { addRouteHooks } from './route-hooks.ts'
import { checkEveryMs, giveUpSlowAnswers, headersMs, idleMs, requestMs } from './timeouts.ts'
import type { App, HttpDeps } from './types.ts'

/** Longer than every identifier there is, and shorter than what would be looked up in vain. */
const pathPartLengthMax = 200

/**
 * The app on which the modules register their routes before it listens. Requests are not logged one by one:
 * `/metrics` counts them, and what nobody expected is logged with its tid.
 */
export function createApp(deps: HttpDeps): App {
  const context = createContext(deps)
  const app = fastify({
    genReqId: () => newId(deps.clock.now(), deps.random),
    trustProxy: trustedProxies(deps.config.trustProxy),
    bodyLimit: bodyBytesMax,
    requestTimeout: requestMs,
    keepAliveTimeout: idleMs,
    // Requests that are on their way when the stop begins are still served.
    return503OnClosing: false,
    exposeHeadRoutes: false,
    rewriteUrl: headAsGet,
    clientErrorHandler: answerClientError(context),
    frameworkErrors: answerFrameworkError(context),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: pathPartLengthMax },
    // Host is not used: every URL handed out begins with the configured address.
    http: { headersTimeout: headersMs, connectionsCheckingInterval: checkEveryMs, requireHostHeader: false },
  }).withTypeProvider<TypeBoxTypeProvider>()

  app.decorate('http', context)
  app.decorateRequest('caller', undefined as never)
  app.decorateRequest('arrivedAt', 0)
  app.decorateRequest('isInProgress', false)
  app.setValidatorCompiler(compileValidator)
  addBodyParsers(app)
  answerErrors(app, context)
  answerUnknownRoutes(app, context)
  giveUpSlowAnswers(app)
  answerOddRequests(app, context)
  const declared = rememberRoutes(app)
  addRouteHooks(app, context)
  healthRoutes(app, context)
  docsRoutes(app, context, declared)
  return app
}

function trustedProxies(list = 'off'): string | false {
  return list === 'off' ? false : list
}

/**
 * HEAD is GET without a body, which Node leaves out by itself: it decided so when the request arrived. A
 * second set of routes would double what is compiled at the start.
 */
function headAsGet(request: { url?: string | undefined; method?: string | undefined }): string {
  if (request.method === 'HEAD') request.method = 'GET'
  return request.url ?? '/'
}
