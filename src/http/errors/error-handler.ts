// Errors become answers: a refusal as it is, a bug as 19999 without details.
import { type Refusal, RefusalError } from '../../kernel/result.ts'
import { sendRefusal } from '../answers.ts'
import type { HttpContext } from '../context.ts'
import type { App, AppReply, AppRequest } from '../types.ts'

export function answerErrors(app: App, { deps }: HttpContext): void {
  app.setErrorHandler((error: unknown, request, reply) => {
    if (error instanceof RefusalError) return sendRefusal(reply, error.refusal)
    const refusal = refusalOfFrameworkError(error)
    if (refusal !== undefined) return sendRefusal(reply, refusal)
    const reason = reasonOfUnavailable(error)
    if (reason !== undefined) {
      deps.logger?.info({ tid: request.id, err: error }, `refused a request: ${reason}`)
      return sendRefusal(reply, { kind: 'service_unavailable', reason })
    }
    return sendBug(error, request, reply, deps.logger)
  })
}

function sendBug(
  error: unknown,
  request: AppRequest,
  reply: AppReply,
  logger: HttpContext['deps']['logger'],
): AppReply {
  // The route's pattern, because the path may contain a secret. No body, because it may contain a card.
  const { method, url } = request.routeOptions
  logger?.error({ tid: request.id, method, route: url, err: error }, 'internal error')
  return sendRefusal(reply, {
    kind: 'internal_error',
    reason: 'bug in the gateway: send the tid to the operator',
  })
}

/** The reason, if the database is unavailable. Compares the name: this module cannot import storage. */
export function reasonOfUnavailable(error: unknown): string | undefined {
  if (!(error instanceof Error) || error.name !== 'DatabaseUnavailable') return undefined
  return (error as { reason?: string }).reason ?? 'the database is unavailable'
}

const refusalsOfFastify: Readonly<Record<string, Refusal>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: { kind: 'body_too_large', reason: 'the body must have at most 65536 bytes' },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    kind: 'invalid_content_type',
    reason: 'the header Content-Type must be application/json',
  },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
    kind: 'invalid_parameter',
    reason: 'the header Content-Length must be the length of the body',
  },
  FST_ERR_BAD_URL: { kind: 'endpoint_not_found', reason: 'the path cannot be decoded' },
  FST_ERR_MAX_PARAM_LENGTH: {
    kind: 'not_found',
    reason: 'the id in the path is unknown: it is too long',
  },
}

export function refusalOfFrameworkError(error: unknown): Refusal | undefined {
  if (!(error instanceof Error)) return undefined
  const { code, statusCode } = error as { code?: unknown; statusCode?: unknown }
  const known = typeof code === 'string' ? refusalsOfFastify[code] : undefined
  if (known !== undefined) return known
  if (typeof statusCode !== 'number' || statusCode < 400 || statusCode > 499) return undefined
  return statusCode === 404 || statusCode === 403
    ? { kind: 'endpoint_not_found', reason: 'no such path' }
    : { kind: 'invalid_parameter', reason: 'the request could not be read completely' }
}
