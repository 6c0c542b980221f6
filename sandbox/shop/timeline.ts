// One entry of the timeline as HTML: a line that says what happened, and behind it what was said.
import { html } from 'ghtml'
import type { Instant } from '../../src/kernel/time.ts'
import type { Language } from '../issuer/words.ts'
import type { BrowserEntry, CallbackEntry, Entry, RequestEntry } from './model.ts'
import { type TimelineWords, words } from './words.ts'

/** A list item; everything in it is escaped, because strangers post callbacks too. */
export function entryItem(entry: Entry, language: Language): string {
  const say = words[language].timeline
  return html`<li class="entry" id="entry-${entry.id}" data-kind="${entry.kind}">!${contentOf(entry, say)}</li>`
}

function contentOf(entry: Entry, say: TimelineWords): string {
  switch (entry.kind) {
    case 'request':
      return requestContent(entry, say)
    case 'callback':
      return callbackContent(entry, say)
    case 'browser':
      return browserContent(entry, say)
  }
}

function requestContent(entry: RequestEntry, say: TimelineWords): string {
  const { method, path, headers, body, status, answer, durationMs } = entry
  const good = status !== undefined && status < 400
  return html`
    <details>
      <summary>
        <span class="tag">${say.request}</span>
        <code class="what">${method} ${path}</code>
        <span class="outcome ${good ? 'good' : 'bad'}">${status ?? '—'}</span>
        !${time(entry.at)}
      </summary>
      <p class="said">${say.sent}</p>
      <pre>${[`${method} ${path}`, ...headers].join('\n')}!${
        body === undefined
          ? ''
          : html`

${indented(body)}`
      }</pre>
      <p class="said">${status === undefined ? say.unanswered : say.answered(status, durationMs)}</p>
      !${answer === undefined || answer === '' ? '' : html`<pre>${indented(answer)}</pre>`}
    </details>`
}

function callbackContent({ at, headers, body, genuine }: CallbackEntry, say: TimelineWords): string {
  return html`
    <details>
      <summary>
        <span class="tag callback">${say.callback}</span>
        <code class="what">${gistOf(body)}</code>
        <span class="outcome ${genuine ? 'good' : 'bad'}">${genuine ? say.genuine : say.forged}</span>
        !${time(at)}
      </summary>
      <p class="said">${say.received}</p>
      <pre>${headers.join('\n')}

${indented(body)}</pre>
      <p class="said">${genuine ? say.verified : say.rejected}</p>
    </details>`
}

function browserContent({ at, direction, path }: BrowserEntry, say: TimelineWords): string {
  return html`
    <p class="moved">
      <span>${direction === 'out' ? say.browserOut : say.browserBack}</span>
      <code class="what">${path}</code>
      !${time(at)}
    </p>`
}

const clockTime = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Lisbon', timeStyle: 'medium' })

function time(at: Instant): string {
  return html`<time datetime="${new Date(at).toISOString()}">${clockTime.format(at)}</time>`
}

/** Such as `PAYMENT COMPLETED`: what a callback is about. */
function gistOf(body: string): string {
  const callback = readObject(body)
  return [subjectOf(callback), callback.event].filter((word) => typeof word === 'string').join(' ') || '?'
}

/** Its `type`, which the callbacks of charges and of most subscriptions do without (SPEC.md Events). */
function subjectOf({
  type,
  charge_order_id: charge,
  subscription_id: subscription,
}: Record<string, unknown>) {
  if (charge !== undefined) return 'CHARGE'
  return type ?? (subscription === undefined ? undefined : 'SUBSCRIPTION')
}

function readObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

/** JSON with a line for each field; anything else, and JSON that was cut, as it is. */
function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
