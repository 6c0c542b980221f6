// One entry of the timeline as HTML: a line that says what happened, and behind it what was sent.
import { readJson } from './gateway.ts'
import { type Html, html } from './html.ts'
import type { Entry } from './sessions.ts'
import { type Language, type Words, words } from './words/index.ts'

type EntryOf<Kind> = Extract<Entry, { readonly kind: Kind }>

export function entryItem(entry: Entry, language: Language): Html {
  const say = words[language].timeline
  const content = {
    request: () => requestContent(entry as EntryOf<'request'>, say),
    callback: () => callbackContent(entry as EntryOf<'callback'>, say),
    browser: () => browserContent(entry as EntryOf<'browser'>, say),
  }[entry.kind]()
  return html`<li class="entry" id="entry-${entry.id}" data-kind="${entry.kind}">${content}</li>`
}

function requestContent(entry: EntryOf<'request'>, say: Words['timeline']): Html {
  const { method, path, headers, body, status, answer, durationMs } = entry
  const sent = [`${method} ${path}`, ...headers, ...(body === undefined ? [] : ['', indented(body)])]
  return html`
    <details>
      <summary>
        <span class="tag">${say.request}</span>
        <code class="what">${method} ${path}</code>
        <span class="outcome ${status !== undefined && status < 400 ? 'good' : 'bad'}">${status ?? '—'}</span>
        ${time(entry.at)}
      </summary>
      <p class="said">${say.sent}</p>
      <pre>${sent.join('\n')}</pre>
      <p class="said">${status === undefined ? say.unanswered : say.answered(status, durationMs)}</p>
      ${answer !== '' && html`<pre>${indented(answer)}</pre>`}
    </details>`
}

function callbackContent(entry: EntryOf<'callback'>, say: Words['timeline']): Html {
  const { at, headers, body, genuine } = entry
  return html`
    <details>
      <summary>
        <span class="tag callback">${say.callback}</span>
        <code class="what">${gistOf(body)}</code>
        <span class="outcome ${genuine ? 'good' : 'bad'}">${genuine ? say.genuine : say.forged}</span>
        ${time(at)}
      </summary>
      <p class="said">${say.received}</p>
      <pre>${[...headers, '', indented(body)].join('\n')}</pre>
      <p class="said">${genuine ? say.verified : say.rejected}</p>
    </details>`
}

function browserContent({ at, direction, path }: EntryOf<'browser'>, say: Words['timeline']): Html {
  return html`
    <p class="moved">
      <span>${direction === 'out' ? say.browserOut : say.browserBack}</span>
      <code class="what">${path}</code>
      ${time(at)}
    </p>`
}

function time(at: Date): Html {
  const inLisbon = at.toLocaleTimeString('en-GB', { timeZone: 'Europe/Lisbon' })
  return html`<time datetime="${at.toISOString()}">${inLisbon}</time>`
}

/** Such as `PAYMENT COMPLETED`. Callbacks of charges and of most subscriptions have no `type`. */
function gistOf(body: string): string {
  const { type, event, charge_order_id, subscription_id } = Object(readJson(body))
  const subject = charge_order_id ? 'CHARGE' : (type ?? (subscription_id ? 'SUBSCRIPTION' : undefined))
  return [subject, event].filter((word) => typeof word === 'string').join(' ') || '?'
}

/** JSON with a line for each field; anything else, and JSON that was cut, as it is. */
function indented(text: string): string {
  const json = readJson(text)
  return json === undefined ? text : JSON.stringify(json, null, 2)
}
