// Answers: what each begins with, how long it may take, refusals and texts, which are no plain objects, and those before a body has arrived.

import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import type { Refusal } from '../kernel/result.ts'
import type { Permission } from '../kernel/values/permissions.ts'
import { bodyBytesMax } from './body/json.ts'
import { errorBody, errorTable } from './errors/errors.ts'
import type { App, AppReply, AppRequest } from './types.ts'

/** The answer to what is no HTTP request, or not one alone. */
export const malformedRequest: Refusal = {
  kind: 'invalid_parameter',
  reason: 'the HTTP request must be well-formed: method, path, headers, body',
}

/** When it is worth asking again what could not be answered now. */
const retryAfterSeconds = '2'
const jsonType = 'application/json; charset=utf-8'

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

/** Answers with the refusal's status and body (CONTRACT section 3); people who look at a page get a page. */
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

/**
 * Pages, and addresses among theirs that are none, such as `/checkout/%zz`; unless a program says that it reads
 * JSON or events. The API of pages lies among theirs, and answers JSON.
 */
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

/** Enough to see what is wrong, and far from what a client takes as headers. */
export const warningsMax = 10

/** Adds texts to the header Warning of the answer, at most ten together: what was not taken as it was sent. */
export function warn(reply: AppReply, texts: readonly string[]): void {
  if (texts.length === 0) return
  const before = [reply.getHeader('warning') ?? []].flat().map(String)
  reply.header('warning', [...before, ...texts.map(warning)].slice(0, warningsMax))
}

/** Code 299 of RFC 7234, section 5.5: a warning that stands until the request is changed. */
function warning(text: string): string {
  const printable = text.replace(/[^\x20-\x7e]/g, '?')
  return `299 - "${printable.replace(/["\\]/g, '\\$&')}"`
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

// Tokens of stored cards in answers: whoever may neither use them nor be called back with them does not see them.

/** A token pays; callbacks carry it to the merchant's own address. */
const seeing: readonly Permission[] = ['card', 'callbacks']

/** Also in JSON that lies in a text, such as the body of a callback. */
const field = String.raw`\\*"token\\*":\s*\\*"[0-9A-F]{8}(?:-[0-9A-F]{4}){3}-[0-9A-F]{12}\\*"`
const fields = new RegExp(`,\\s*${field}|${field}\\s*,|${field}`, 'g')

/** `payload` as a caller with these permissions may read it. */
export function withoutCardTokens(payload: unknown, permissions: ReadonlySet<Permission>): unknown {
  if (typeof payload !== 'string' || seeing.some((one) => permissions.has(one))) return payload
  return payload.replace(fields, '')
}

// How long a client may take, and how long it waits for us (CONTRACT section 17).

const secondMs = 1_000

/** The whole request, from its first byte to its last; and an answer that takes longer is given up. */
export const requestMs = 30 * secondMs
export const headersMs = 10 * secondMs
/** A connection with nothing asked. */
export const idleMs = 60 * secondMs
/** How often Node looks for requests that take too long to arrive. */
export const checkEveryMs = 2 * secondMs

const current = Symbol('the reply that this connection waits for')

interface BusySocket extends Socket {
  [current]?: AppReply
}

/** Remembers on its connection which answer is being worked on: a timer for each request costs a microsecond. */
function markCurrent(request: AppRequest, reply: AppReply): void {
  ;(request.raw.socket as BusySocket)[current] = reply
}

/** Answers 20008 on connections that have waited in silence; streams that have begun may be silent. */
export function giveUpSlowAnswers(app: App): void {
  app.server.setTimeout(requestMs, (socket: BusySocket) => {
    const reply = socket[current]
    if (reply === undefined || reply.raw.writableEnded) {
      socket.destroy()
    } else if (!reply.request.raw.complete) {
      // Still arriving: Node's own limit for requests ends it.
    } else if (!reply.raw.headersSent && !reply.sent) {
      reply.header('connection', 'close')
      sendRefusal(reply, {
        kind: 'service_unavailable',
        reason: `not done within ${requestMs / secondMs} seconds`,
      })
    }
  })
}

// Answers that come before the whole body: what is still on its way is thrown away, within bounds.

/** Of a body that nobody wants, so much is read: what sends no more than this has its answer when it has sent it. */
const thrownAwayBytesMax = 1024 * 1024
/** How long the connection stays open for a client that sends more: to read its answer while it sends. */
const lingerMs = 2_000

/**
 * `payload` as the answer to a request. While a body is on its way that is too long, or whose length nobody knows, it is a
 * stream that ends once the body has, or after two seconds, and the connection closes with it. Without that the connection
 * would be reset while the client sends, often before it has read why; and with every byte of the body read, a flood of
 * long bodies would keep a processor busy.
 */
export function answerBeforeBody(reply: AppReply, payload: unknown): unknown {
  const { raw } = reply.request
  if (typeof payload !== 'string' || !isLongBodyOnItsWay(raw)) return payload
  reply.headers({ connection: 'close', 'content-length': Buffer.byteLength(payload) })
  const answer = new Readable({ read() {} })
  answer.push(payload)
  let left = thrownAwayBytesMax
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

/** Who asks before it sends a body is told to go on only where the body can be read. */
export function answerExpectations(app: App): void {
  app.server.on('checkContinue', (request, response) => {
    if (!announcesTooMuch(request.headers)) response.writeContinue()
    app.server.emit('request', request, response)
  })
}
