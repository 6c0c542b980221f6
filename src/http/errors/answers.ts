// Answers that are not a plain object: refusals, and texts that were serialised before.
import type { Refusal } from '../../kernel/result.ts'
import type { AppReply, AppRequest } from '../types.ts'
import { errorBody, errorTable } from './errors.ts'

/** When it is worth asking again what could not be answered now. */
const retryAfterSeconds = '2'
const jsonType = 'application/json; charset=utf-8'

/** Answers with the refusal's status and body (CONTRACT section 3); people who look at a page get a page. */
export function sendRefusal(reply: AppReply, refusal: Refusal): AppReply {
  const { challenge, deps, pageHeaders, pagePaths } = reply.server.http
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
  return sendText(reply.code(status), refusalAnswer(reply.request, refusal).body)
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

/** Answers with JSON that is a text already; 200 where the reply has no other status. */
export function sendText(reply: AppReply, json: string): AppReply {
  return reply.type(jsonType).send(json)
}

/** The status and the JSON with which `request` is refused. */
export function refusalAnswer(
  request: AppRequest,
  refusal: Refusal,
): { readonly status: number; readonly body: string } {
  const body = errorBody(refusal, request.server.http.baseUrl, request.id)
  return { status: errorTable[refusal.kind].status, body: JSON.stringify(body) }
}
