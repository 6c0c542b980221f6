// Answers that come before the whole body: what is still on its way is thrown away, within bounds.
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { App, AppReply } from '../types.ts'
import { bodyBytesMax } from './json.ts'

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
