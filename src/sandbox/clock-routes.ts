// The sandbox's clock over HTTP: as JSON for tests, as a page with a form for people.
import { html } from 'ghtml'
import { type App, type AppReply, dateOnWire } from '../http/index.ts'
import { type Result, unwrap } from '../kernel/result.ts'
import { sendPage, toolPage } from './pages/layout.ts'
import { timeInWords } from './pages/time.ts'
import { sandboxJson, sandboxPage } from './route-options.ts'
import type { Arrival, TimeTravel } from './time-travel.ts'

const clockPath = '/sandbox/clock'

/** `GET` and `POST /sandbox/api/clock` (CONTRACT section 15), and the page at `/sandbox/clock`. */
export function clockRoutes(time: TimeTravel): (app: App) => void {
  return (app) => {
    app.get('/sandbox/api/clock', sandboxJson, async () => ({ now: dateOnWire(time.now()) }))

    app.post('/sandbox/api/clock', sandboxJson, async (request) => {
      const { now, ran } = unwrap(await time.move(fieldsOf(request.body)))
      return { now: dateOnWire(now), ran }
    })

    app.get(clockPath, sandboxPage, async (_, reply) => sendClock(reply, time))

    app.post(clockPath, sandboxPage, async (request, reply) => {
      const moved = await time.move(filledIn(fieldsOf(request.body)))
      return sendClock(moved.ok ? reply : reply.code(400), time, moved)
    })
  }
}

function fieldsOf(body: unknown): Readonly<Record<string, unknown>> {
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
}

/** A form sends every field it has; those left empty were not meant. */
function filledIn(form: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(form).filter(([, value]) => value !== ''))
}

const steps = [
  ['PT5M', '+ 5 minutes'],
  ['PT1H', '+ 1 hour'],
  ['P1D', '+ 1 day'],
  ['P1W', '+ 1 week'],
  ['P1M', '+ 1 month'],
] as const

function sendClock(reply: AppReply, time: TimeTravel, moved?: Result<Arrival>): AppReply {
  const now = time.now()
  const buttons = steps.map(
    ([advance, name]) =>
      html`<button class="quiet" type="submit" name="advance" value="${advance}">${name}</button>`,
  )
  const body = html`
    <p class="lead">
      The gateway lives in this time. It moves forward only, and whatever becomes due on the way happens before
      the page answers: references expire, callbacks go out, challenges run out.
    </p>
    !${moved === undefined ? '' : outcomeOf(moved)}
    <p class="clock"><time datetime="${dateOnWire(now)}">${timeInWords(now)}</time></p>
    <form method="post" action="${clockPath}"><div class="row">!${buttons}</div></form>
    <h2>To a moment</h2>
    <form method="post" action="${clockPath}">
      <label for="set">Date and time</label>
      <div class="row">
        <div class="grow"><input id="set" name="set" placeholder="${dateOnWire(now)}" required
          aria-describedby="set-help"></div>
        <button type="submit">Move</button>
      </div>
      <p class="help" id="set-help">ISO 8601; without a time zone it is UTC.</p>
    </form>
    <h2>By a time span</h2>
    <form method="post" action="${clockPath}">
      <label for="advance">Duration</label>
      <div class="row">
        <div class="grow"><input id="advance" name="advance" placeholder="P1DT2H" required
          aria-describedby="advance-help"></div>
        <button type="submit">Move</button>
      </div>
      <p class="help" id="advance-help">ISO 8601: P1DT2H is a day and two hours, P1M the same time next month.</p>
    </form>`
  return sendPage(reply, toolPage({ title: 'Clock', path: clockPath, body }))
}

function outcomeOf(moved: Result<Arrival>): string {
  if (!moved.ok) return html`<p class="problem" role="alert">${moved.refusal.reason}</p>`
  const ran = Object.entries(moved.value.ran).filter(([, count]) => count > 0)
  const list = ran.map(([kind, count]) => `${kind.replaceAll('_', ' ')}: ${count}`).join(', ')
  return html`<p class="note" role="status">${ran.length === 0 ? 'Time moved; nothing was due.' : `Time moved. ${list}.`}</p>`
}
