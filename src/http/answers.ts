// Answers: headers, refusals, time limits, and answers sent before the body has arrived.
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import type { Refusal } from '../kernel/result.ts'
import type { Permission } from '../kernel/values/permissions.ts'
import { bodyBytesMax } from './body/json.ts'
import { errorBody, errorTable } from './errors/errors.ts'
import { withCellOf } from './errors/other-cells.ts'
import type { App, AppReply, AppRequest } from './types.ts'

export const malformedRequest: Refusal = {
  kind: 'invalid_parameter',
  reason: 'the HTTP request must be well-formed: method, path, headers, body',
}

const retryAfterSeconds = '2'
const jsonType = 'application/json; charset=utf-8'

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

/** Answers with the refusal's status and body (CONTRACT section 3). Browsers get a page. */
export function sendRefusal(reply: AppReply, refusal: Refusal): AppReply {
  const { challenge, deps, pageHeaders, pagePaths } = reply.server.http
  const { status } = errorTable[refusal.kind]
  if (status === 401) reply.header('www-authenticate', challenge)
  if (status === 503 && !reply.hasHeader('retry-after')) reply.header('retry-after', retryAfterSeconds)
  if (refusal.retrySeconds !== undefined) reply.header('retry-after', String(refusal.retrySeconds))
  if (deps.renderRefusal !== undefined && isForPeople(reply.request, pagePaths, deps.people?.prefix)) {
    const { html, headers } = deps.renderRefusal(reply.request, refusal, status)
    return reply
      .code(status)
      .headers({ ...pageHeaders, ...headers })
      .send(html)
  }
  return sendText(reply.code(status), refusalAnswer(reply.request, refusal).body)
}

function isForPeople(
  { headers, routeOptions, url }: AppRequest,
  pagePaths: ReadonlySet<string>,
  privateApi: string | undefined,
): boolean {
  const { accept = '' } = headers
  if (!accept.includes('text/html') && /json|event-stream/.test(accept)) return false
  if (routeOptions.config?.page === true) return true
  const isApi = privateApi !== undefined && url.startsWith(privateApi)
  return !isApi && [...pagePaths].some((path) => url.startsWith(path))
}

export const warningsMax = 10

export function warn(reply: AppReply, texts: readonly string[]): void {
  if (texts.length === 0) return
  const before = [reply.getHeader('warning') ?? []].flat().map(String)
  reply.header('warning', [...before, ...texts.map(warning)].slice(0, warningsMax))
}

function warning(text: string): string {
  const printable = text.replace(/[^\x20-\x7e]/g, '?')
  return `299 - "${printable.replace(/["\\]/g, '\\$&')}"`
}

export function sendText(reply: AppReply, json: string): AppReply {
  return reply.type(jsonType).send(json)
}

export function refusalAnswer(
  request: AppRequest,
  refusal: Refusal,
): { readonly status: number; readonly body: string } {
  const body = errorBody(withCellOf(request, refusal), request.server.http.baseUrl, request.id)
  return { status: errorTable[refusal.kind].status, body: JSON.stringify(body) }
}

/** Keys that see tokens, which can pay. Keys for callbacks are among them: callbacks contain tokens. */
const tokenReaders: readonly Permission[] = ['card', 'callbacks']

/** The pattern also matches JSON inside a JSON string, such as the body of a callback. */
const field = String.raw`\\*"token\\*":\s*\\*"[0-9A-F]{8}(?:-[0-9A-F]{4}){3}-[0-9A-F]{12}\\*"`
const fields = new RegExp(`,\\s*${field}|${field}\\s*,|${field}`, 'g')

export function withoutCardTokens(payload: unknown, permissions: ReadonlySet<Permission>): unknown {
  if (typeof payload !== 'string' || tokenReaders.some((one) => permissions.has(one))) return payload
  return payload.replace(fields, '')
}

const secondMs = 1_000

/** The time in which the whole request must arrive. The answer has the same limit. */
export const requestMs = 30 * secondMs
export const headersMs = 10 * secondMs
export const idleMs = 60 * secondMs
export const checkEveryMs = 2 * secondMs

const current = Symbol('the current reply of this connection')

interface BusySocket extends Socket {
  [current]?: AppReply
}

/** One timer serves a connection, because a timer for each request costs a microsecond. */
function markCurrent(request: AppRequest, reply: AppReply): void {
  ;(request.raw.socket as BusySocket)[current] = reply
}

/** Answers 20008 if a handler takes too long. A stream that is open has no limit. */
export function abortSlowAnswers(app: App): void {
  app.server.setTimeout(requestMs, (socket: BusySocket) => {
    const reply = socket[current]
    if (reply === undefined || reply.raw.writableEnded) {
      socket.destroy()
    } else if (!reply.request.raw.complete) {
    } else if (!reply.raw.headersSent && !reply.sent) {
      reply.header('connection', 'close')
      sendRefusal(reply, {
        kind: 'service_unavailable',
        reason: `not done within ${requestMs / secondMs} seconds`,
      })
    }
  })
}

/** At most this much of an unwanted body is read. A client that is still sending may miss the answer otherwise. */
const discardedBytesMax = 1024 * 1024
/** How long a client that is still sending has to read the answer. */
const lingerMs = 2_000

/** Keeps the connection until the body ends, at most two seconds: a reset would lose the answer. */
export function answerBeforeBody(reply: AppReply, payload: unknown): unknown {
  const { raw } = reply.request
  if (typeof payload !== 'string' || !isLongBodyOnItsWay(raw)) return payload
  reply.headers({ connection: 'close', 'content-length': Buffer.byteLength(payload) })
  const answer = new Readable({ read() {} })
  answer.push(payload)
  let left = discardedBytesMax
  raw.on('data', (bytes: Buffer) => {
    left -= bytes.length
    if (left < 0) raw.pause()
  })
  const end = () => {
    clearTimeout(timer)
    if (!answer.destroyed) answer.push(null)
  }
  const timer = setTimeout(end, lingerMs)
  raw.once('end', end).once('close', end)
  raw.resume()
  return answer
}

function isLongBodyOnItsWay({ complete, headers }: IncomingMessage): boolean {
  return !complete && (headers['transfer-encoding'] !== undefined || announcesTooMuch(headers))
}

function announcesTooMuch({ 'content-length': length }: IncomingMessage['headers']): boolean {
  return Number(length ?? 0) > bodyBytesMax
}

/** Answers `Expect: 100-continue` only if the body is not too large. */
export function answerExpectations(app: App): void {
  app.server.on('checkContinue', (request, response) => {
    if (!announcesTooMuch(request.headers)) response.writeContinue()
    app.server.emit('request', request, response)
  })
}
