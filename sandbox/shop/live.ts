// The timeline as it happens: server-sent events with the HTML that the page puts in its place.
import { setTimeout as pause } from 'node:timers/promises'
import { type App, type AppReply, type AppRequest, openEventStream } from '../../src/http/index.ts'
import type { Visit } from './addresses.ts'
import type { ShopContext } from './context.ts'
import type { Change, Session } from './model.ts'
import { entryItem } from './timeline.ts'
import { textsOf } from './visitors.ts'

/** Proxies cut silent streams; browsers come back by themselves and say what they saw last. */
const streamMs = 60_000
/** Beyond it pages show what happened when they are loaded again. */
const streamsMax = 200

export interface Watched {
  readonly visit: Visit
  /** The parts of the page that change with what happens, by the name of their place: HTML as of now. */
  places(session: Session): Readonly<Record<string, string>>
}

export interface LiveStreams {
  /**
   * Sends what happens from now on, and before it what happened after the newest entry that the page has.
   *
   * Refusals: too_many_requests, thrown.
   */
  stream(request: AppRequest, reply: AppReply, watched: Watched): Promise<AppReply>
}

/** The streams of one app; they end when it closes, so that no open page holds up a stop. */
export function createLiveStreams(app: App, { memory }: ShopContext): LiveStreams {
  const closing = new AbortController()
  let open = 0
  app.addHook('preClose', async () => closing.abort())

  return {
    async stream(request, reply, { visit, places }) {
      if (open >= streamsMax) return reply.code(204).send()
      const out = openEventStream(request, reply)
      open += 1
      const write = (event: string, html: string, id?: string) => {
        const data = html.split('\n').map((line) => `data: ${line}\n`)
        out.write(`${id === undefined ? '' : `id: ${id}\n`}event: ${event}\n${data.join('')}\n`)
      }
      const placesNow = () => Object.entries(places(memory.session(visit.session)))
      const shown = new Map(placesNow())
      const tell = ({ entry }: Change) => {
        if (entry !== undefined) write('entry', entryItem(entry, visit.language), entry.id)
        for (const [name, html] of placesNow()) {
          // Left alone unless it changed: somebody may be typing there.
          if (shown.get(name) !== html) write(name, html)
          shown.set(name, html)
        }
      }
      const stop = memory.watch(visit.session, tell)
      const left = new AbortController()
      request.raw.once('close', () => left.abort())
      try {
        out.write('retry: 1000\n\n')
        const { entries } = memory.session(visit.session)
        const seen = seenBy(request)
        const next = entries.findIndex(({ id }) => id === seen) + 1
        for (const entry of entries.slice(next)) write('entry', entryItem(entry, visit.language), entry.id)
        // What changed between drawing the page and now; an empty place would take away what only the page knows.
        if (next < entries.length) for (const [name, html] of shown) if (html !== '') write(name, html)
        await pause(streamMs, undefined, { signal: AbortSignal.any([left.signal, closing.signal]) })
      } catch {
        // The browser has left, or the gateway stops.
      } finally {
        stop()
        open -= 1
        out.end()
      }
      return reply
    },
  }
}

/** The newest entry that the page has: named by the browser when it comes back, by the page at first. */
function seenBy({ headers, query }: AppRequest): string {
  return String(headers['last-event-id'] ?? textsOf(query).after ?? '')
}
