// Paths and methods that do not exist: 404 for the one, 405 with the methods that do for the other.
import type { FastifyError } from 'fastify'
import { beginRequest, sendRefusal } from '../answers.ts'
import type { HttpContext } from '../context.ts'
import { admitAddress } from '../guard.ts'
import type { App, AppReply, AppRequest } from '../types.ts'
import { refusalOfFrameworkError } from './error-handler.ts'

/** HEAD comes with GET. */
const methodsInUse = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** Answers what no route is for, before a body is read. */
export function answerUnknownRoutes(app: App, context: HttpContext): void {
  const observed = context.metrics.route('', 'none')

  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done()
    beginRequest(request, reply, context.apiHeaders)
    if (admitAddress(request, reply, context.limiters?.address)) sendUnknown(app, request, reply)
    observed.observe(reply.raw.statusCode, performance.now() - request.arrivedAt)
  })
  // For handlers that find out late, such as the one of files.
  app.setNotFoundHandler((request, reply) => sendUnknown(app, request, reply))
}

function sendUnknown(app: App, request: AppRequest, reply: AppReply): AppReply {
  const allowed = methodsInUse.filter((method) => app.findRoute({ method, url: request.url }) !== null)
  if (allowed.length === 0 || allowed.includes(request.method as (typeof methodsInUse)[number])) {
    return sendRefusal(reply, {
      kind: 'endpoint_not_found',
      reason: 'there is no such path: see /docs for those there are',
    })
  }
  const allow = allowed.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ')
  reply.header('allow', allow)
  return sendRefusal(reply, { kind: 'action_not_found', reason: `the path can be asked with ${allow}` })
}

/** Answers what Fastify refuses before it has a route, such as a path that cannot be decoded. */
export function answerFrameworkError(
  context: HttpContext,
): (error: FastifyError, request: AppRequest, reply: AppReply) => void {
  return (error, request, reply) => {
    beginRequest(request, reply, context.apiHeaders)
    if (!admitAddress(request, reply, context.limiters?.address)) return
    const refusal = refusalOfFrameworkError(error)
    sendRefusal(reply, refusal ?? { kind: 'endpoint_not_found', reason: 'the path cannot be read' })
  }
}
