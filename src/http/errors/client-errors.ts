// Answers on raw sockets to bytes that are not HTTP.
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { newId } from '../../kernel/random.ts'
import type { Refusal } from '../../kernel/result.ts'
import { malformedRequest } from '../answers.ts'
import type { HttpContext } from '../context.ts'
import type { App } from '../types.ts'
import { errorBody } from './errors.ts'

interface RawAnswer {
  readonly status: string
  readonly refusal: Refusal
}

const malformed: RawAnswer = {
  status: '400 Bad Request',
  refusal: malformedRequest,
}

const requestTimeout = 'ERR_HTTP_REQUEST_TIMEOUT'

const answers: Readonly<Record<string, RawAnswer>> = {
  HPE_HEADER_OVERFLOW: {
    status: '431 Request Header Fields Too Large',
    refusal: { kind: 'invalid_parameter', reason: 'path and headers together must have less than 16 KiB' },
  },
  [requestTimeout]: {
    status: '408 Request Timeout',
    refusal: {
      kind: 'invalid_parameter',
      reason: 'the headers must arrive within 10 s, the request within 30 s',
    },
  },
}

/** In a flood Node finds thousands of late requests at once. Other work runs after each group of this size. */
const endedAtOnce = 20

export function answerClientError(context: HttpContext) {
  const tooSlow: Socket[] = []
  function end(socket: Socket, code: string): void {
    if (!socket.writable || socket.bytesWritten > bytesBefore(socket)) socket.destroy()
    else sendRaw(context, socket, answers[code] ?? malformed)
  }
  function endNext(): void {
    for (const socket of tooSlow.splice(0, endedAtOnce)) end(socket, requestTimeout)
    if (tooSlow.length > 0) setImmediate(endNext)
  }
  return (error: NodeJS.ErrnoException, socket: Socket): void => {
    const { code = '' } = error
    if (code === 'ECONNRESET') socket.destroy()
    else if (code !== requestTimeout) end(socket, code)
    else if (tooSlow.push(socket) === 1) setImmediate(endNext)
  }
}

/** After half an answer, a client would read more bytes as a part of it. */
function bytesBefore(socket: Socket): number {
  const answer = (socket as Socket & { _httpMessage?: { headersSent: boolean } | null })._httpMessage
  return answer?.headersSent === true ? -1 : Number.POSITIVE_INFINITY
}

/** Refuses CONNECT, which asks for a tunnel, and all expectations except 100-continue. */
export function rejectUnsupportedRequests(app: App, context: HttpContext): void {
  app.server.on('connect', (_request, socket) => sendRaw(context, socket, malformed))
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
}

function sendRaw({ deps, baseUrl }: HttpContext, socket: Duplex, { status, refusal }: RawAnswer): void {
  const tid = newId(deps.clock.now(), deps.random)
  const body = JSON.stringify(errorBody(refusal, baseUrl, tid))
  const head = [
    `HTTP/1.1 ${status}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'cache-control: no-store',
    'x-content-type-options: nosniff',
    `x-request-id: ${tid}`,
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}
