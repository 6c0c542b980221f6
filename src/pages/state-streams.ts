// Server-sent events for waiting pages.
import { setTimeout as pause } from 'node:timers/promises'
import { type App, type AppReply, type AppRequest, openEventStream } from '../http/index.ts'

const pollEveryMs = 500
/** Proxies cut silent streams. Browsers then connect again. */
const streamSecondsMax = 60
const streamsMax = 1000

export interface StateStreams {
  /** Streams of the same `subject` share a poll. Throws too_many_requests. */
  stream(
    request: AppRequest,
    reply: AppReply,
    subject: string,
    poll: () => Promise<string>,
  ): Promise<AppReply>
}

export function createStateStreams(app: App): StateStreams {
  const polls = new Map<string, Promise<string>>()
  const closing = new AbortController()
  let open = 0
  app.addHook('preClose', async () => closing.abort())

  function pollOnce(subject: string, poll: () => Promise<string>): Promise<string> {
    const known = polls.get(subject)
    if (known !== undefined) return known
    const mine = poll()
    polls.set(subject, mine)
    setTimeout(() => polls.delete(subject), pollEveryMs).unref()
    return mine
  }

  return {
    async stream(request, reply, subject, poll) {
      if (open >= streamsMax) return reply.code(204).send()
      // The first poll is before the stream opens, so that an error gets a normal answer.
      let state = await pollOnce(subject, poll)
      const stream = openEventStream(request, reply)
      open += 1
      try {
        const end = performance.now() + streamSecondsMax * 1000
        for (let last = ''; performance.now() < end && !request.raw.destroyed; ) {
          if (state !== last) stream.write(`event: state\ndata: ${state}\n\n`)
          if (state !== 'waiting') break
          last = state
          await pause(pollEveryMs, undefined, { signal: closing.signal })
          state = await pollOnce(subject, poll)
        }
      } catch {
        // If the poll fails, the page asks again and gets the error.
      } finally {
        open -= 1
        stream.end()
      }
      return reply
    },
  }
}
