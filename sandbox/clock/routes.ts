// Routes of the sandbox's clock.
import { html } from 'ghtml'
import { type App, type AppReply, dateOnWire } from '../../src/http/index.ts'
import { type Result, unwrap } from '../../src/kernel/result.ts'
import type { Language } from '../issuer/messages.ts'
import { languageFor } from '../pages/language.ts'
import { sendPage, toolPage } from '../pages/layout.ts'
import { clockSteps, type PageWords, pageWords } from '../pages/messages.ts'
import { timeInWords } from '../pages/time.ts'
import { sandboxJson, sandboxPage } from '../route-options.ts'
import type { Arrival, TimeTravel } from './time-travel.ts'

const clockPath = '/sandbox/clock'

export function clockRoutes(time: TimeTravel): (app: App) => void {
  return (app) => {
    app.get('/sandbox/api/clock', sandboxJson, async () => ({ now: dateOnWire(time.now()) }))

    app.post('/sandbox/api/clock', sandboxJson, async (request) => {
      const { now, ran, more } = unwrap(await time.move(fieldsOf(request.body)))
      return { now: dateOnWire(now), ran, ...(more && { more }) }
    })

    app.get(clockPath, sandboxPage, async (request, reply) => sendClock(reply, time, languageFor(request)))

    app.post(clockPath, sandboxPage, async (request, reply) => {
      const moved = await time.move(filledIn(fieldsOf(request.body)))
      return sendClock(moved.ok ? reply : reply.code(400), time, languageFor(request), moved)
    })
  }
}

function fieldsOf(body: unknown): Readonly<Record<string, unknown>> {
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
}

/** Removes the empty fields, which a form sends too. */
function filledIn(form: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(form).filter(([, value]) => value !== ''))
}

function sendClock(reply: AppReply, time: TimeTravel, language: Language, moved?: Result<Arrival>): AppReply {
  const words = pageWords[language].clock
  const now = time.now()
  const action = `${clockPath}?lang=${language}`
  const buttons = clockSteps.map(
    (advance) =>
      html`<button class="quiet" type="submit" name="advance" value="${advance}">${words.steps[advance]}</button>`,
  )
  const body = html`
    <p class="lead">${words.lead}</p>
    !${moved === undefined ? '' : outcomeOf(moved, words)}
    <p class="clock"><time datetime="${dateOnWire(now)}">${timeInWords(now, language)}</time></p>
    <form method="post" action="${action}"><div class="row">!${buttons}</div></form>
    <h2>${words.toMoment}</h2>
    <form method="post" action="${action}">
      <label for="set">${words.moment}</label>
      <div class="row">
        <div class="grow"><input id="set" name="set" placeholder="${dateOnWire(now)}" required
          aria-describedby="set-help"></div>
        <button type="submit">${words.move}</button>
      </div>
      <p class="help" id="set-help">${words.momentHelp}</p>
    </form>
    <h2>${words.bySpan}</h2>
    <form method="post" action="${action}">
      <label for="advance">${words.span}</label>
      <div class="row">
        <div class="grow"><input id="advance" name="advance" placeholder="P1DT2H" required
          aria-describedby="advance-help"></div>
        <button type="submit">${words.move}</button>
      </div>
      <p class="help" id="advance-help">${words.spanHelp}</p>
    </form>`
  return sendPage(reply, toolPage({ title: words.title, path: clockPath, lang: language, body }))
}

function outcomeOf(moved: Result<Arrival>, words: PageWords['clock']): string {
  if (!moved.ok) {
    return html`<p class="problem" role="alert">${words.refused ?? moved.refusal.reason}</p>`
  }
  const ran = Object.entries(moved.value.ran).filter(([, count]) => count > 0)
  const list = ran.map(([kind, count]) => `${kind.replaceAll('_', ' ')}: ${count}`).join(', ')
  const outcome =
    ran.length === 0 && !moved.value.more ? words.nothingDue : `${words.moved} ${list}${list && '.'}`
  return html`<p class="note" role="status">${outcome} ${moved.value.more ? words.more : ''}</p>`
}
