// Escaped HTML templates and shared parts.
import type { ComportaError } from '@comporta/sdk'
import { type Language, type Texts, textFor } from './i18n/index.ts'
import type { Card } from './session.ts'

export interface Html {
  readonly html: string
}
type Part = Html | string | number | false | undefined | readonly Part[]

export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return { html: String.raw({ raw: strings }, ...parts.map(textOf)) }
}

function textOf(part: Part): string {
  if (part === undefined || part === false) return ''
  if (typeof part !== 'object') return String(part).replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
  return 'html' in part ? part.html : part.map(textOf).join('')
}

export function euros(cents: number, language: Language): string {
  const locale = language === 'pt' ? 'pt-PT' : 'en-IE'
  return new Intl.NumberFormat(locale, { style: 'currency', currency: 'EUR' }).format(cents / 100)
}

export function notice(text: string | Html, isBad: boolean): Html {
  return html`<p class="${isBad ? 'problem' : 'note'}" role="${isBad ? 'alert' : 'status'}">${text}</p>`
}

/** A message for an error: its meaning in the language of the page, and the reason of the API in English. */
export function errorNotice(say: Texts, text: string, { code, reason }: ComportaError, meanings = {}): Html {
  if (code === undefined) return notice(`${text} ${say.unanswered}`, true)
  const meaning = textFor(meanings, String(code)) ?? `${say.refused} (${code})`
  return notice(
    html`${text} ${meaning}. <span class="reason">${say.apiSaid} <q lang="en">${reason}</q></span>`,
    true,
  )
}

/** A table that scrolls if it is too wide. Its second column has amounts. */
export function table(name: string, heads: readonly string[], rows: readonly (readonly Part[])[]): Html {
  const row = (cells: readonly Part[]) =>
    cells.map((cell, at) => html`<td class="${at === 1 && 'right number'}">${cell}</td>`)
  return html`
    <div class="scroller" tabindex="0" role="region" aria-label="${name}">
      <table>
        <thead><tr>${heads.map((head, at) => html`<th scope="col" class="${at === 1 && 'right'}">${head}</th>`)}</tr></thead>
        <tbody>${rows.map((cells) => html`<tr>${row(cells)}</tr>`)}</tbody>
      </table>
    </div>`
}

/** The name of a card, such as `Visa •••• 0027`. */
export function cardName({ brand, last4 }: Card): string {
  const name = brand.includes('american')
    ? 'American Express'
    : brand.charAt(0).toUpperCase() + brand.slice(1)
  return `${name} •••• ${last4}`
}
