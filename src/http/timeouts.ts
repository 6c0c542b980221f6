// How long a client may take, and how long it waits for us (CONTRACT section 17).
import type { Socket } from 'node:net'
import { sendRefusal } from './errors/answers.ts'
import type { App, AppReply, AppRequest } from './types.ts'

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
export function markCurrent(request: AppRequest, reply: AppReply): void {
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
