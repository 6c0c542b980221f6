// Answers that are not a plain object: refusals, and texts that were serialised before.
import type { Refusal } from '../kernel/result.ts'
import { errorBody, errorTable } from './errors.ts'
import type { AppReply, AppRequest } from './types.ts'

/** When it is worth asking again what could not be answered now. */
const retryAfterSeconds = '2'
const jsonType = 'application/json; charset=utf-8'

/** Answers with the refusal's status and body (CONTRACT section 3); people who look at a page get a page. */
export function sendRefusal(reply: AppReply, refusal: Refusal): AppReply {
  const { baseUrl, challenge, deps, pageHeaders, pagePaths } = reply.server.http
  const { status } = errorTable[refusal.kind]
  if (status === 401) reply.header('www-authenticate', challenge)
  if (status === 503 && !reply.hasHeader('retry-after')) reply.header('retry-after', retryAfterSeconds)
  if (refusal.retrySeconds !== undefined) reply.header('retry-after', String(refusal.retrySeconds))
  if (deps.renderRefusal !== undefined && isForPeople(reply.request, pagePaths)) {
    const { html, headers } = deps.renderRefusal(reply.request, refusal, status)
    return reply
      .code(status)
      .headers({ ...pageHeaders, ...headers })
      .send(html)
  }
  return reply
    .code(status)
    .type(jsonType)
    .send(JSON.stringify(errorBody(refusal, baseUrl, reply.request.id)))
}

/**
 * Pages, and addresses among theirs that are none, such as `/checkout/%zz`; unless a program says that it reads
 * JSON or events.
 */
function isForPeople({ headers, routeOptions, url }: AppRequest, pagePaths: ReadonlySet<string>): boolean {
  const { accept = '' } = headers
  if (!accept.includes('text/html') && /json|event-stream/.test(accept)) return false
  return routeOptions.config?.page === true || [...pagePaths].some((path) => url.startsWith(path))
}

/** Answers 200 with JSON that is a text already. */
export function sendText(reply: AppReply, json: string): AppReply {
  return reply.type(jsonType).send(json)
}

/** Answers as it is kept for repetitions, byte for byte. */
export function sendFirst(
  reply: AppReply,
  answer: { readonly status: number; readonly body: string },
): AppReply {
  return sendText(reply.code(answer.status), answer.body)
}

/** Answers a repeated request as it was answered the first time, byte for byte (CONTRACT section 5). */
export function sendRepeated(
  reply: AppReply,
  answer: { readonly status: number; readonly body: string },
): AppReply {
  return sendFirst(reply.header('idempotent-replayed', 'true'), answer)
}
