// HTML without a library: what is put into a template is escaped, unless it is HTML itself.
import { type Language, locales } from './words/index.ts'

/** Text that is HTML already. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
  toString(): string {
    return this.text
  }
}

type Part = Html | string | number | false | undefined | readonly Part[]

export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(strings.reduce((text, next, index) => text + textOf(parts[index - 1]) + next))
}

function textOf(part: Part): string {
  if (part === undefined || part === false) return ''
  if (part instanceof Html) return part.text
  if (typeof part === 'object') return part.map(textOf).join('')
  return String(part).replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`)
}

/** @param amount in cents */
export function euros(amount: number, language: Language): string {
  const format = new Intl.NumberFormat(locales[language], { style: 'currency', currency: 'EUR' })
  return format.format(amount / 100)
}

/** What the top of a page says: good news, or trouble. */
export function notice(text: string | Html, isBad: boolean): Html {
  return isBad
    ? html`<p class="problem" role="alert">${text}</p>`
    : html`<p class="note" role="status">${text}</p>`
}

/** A table that scrolls by itself where it is wider than the screen. Its second column holds amounts. */
export function table(name: string, heads: readonly [string, string, string], rows: readonly Html[]): Html {
  const [first, amount, last] = heads
  return html`
    <div class="scroller" tabindex="0" role="region" aria-label="${name}">
      <table>
        <thead><tr><th scope="col">${first}</th><th scope="col" class="right">${amount}</th><th scope="col">${last}</th></tr></thead>
        <tbody>${rows}</tbody>
      </table>
    </div>`
}

const brands: Readonly<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  'american-express': 'American Express',
}

/** Such as `Visa •••• 0027`. */
export function cardInWords({ brand, last4 }: { readonly brand: string; readonly last4: string }): string {
  return `${brands[brand] ?? brand} •••• ${last4}`
}

const tshirt = html`<path d="M17 8 7 13.5l3.6 8 4.4-2V40h18V19.5l4.4 2 3.6-8L31 8c-1.2 2.9-3.800 4.700-7 4.700S18.200 10.900 17 8Z"/><path d="M20 27c1.3-1.3 2.7-1.3 4 0s2.7 1.3 4 0"/>`
const mug = html`<path d="M10 14h21v20a5 5 0 0 1-5 5H15a5 5 0 0 1-5-5V14Z"/><path d="M31 19h3.5a4.5 4.5 0 0 1 4.5 4.5v2a6.5 6.5 0 0 1-6.5 6.5H31"/><path d="M16 27c1.3-1.3 2.7-1.3 4 0s2.7 1.3 4 0"/><path d="M17 5c-1.5 1.5 1.5 3 0 5M24 5c-1.5 1.5 1.5 3 0 5"/>`
const coffee = html`<path d="M9 19h30v18a3 3 0 0 1-3 3H12a3 3 0 0 1-3-3V19Z"/><path d="m9 19 4-9h22l4 9M24 10v9"/><path d="M24 25c-3.500 0-5.500 2-5.500 4.500S20.500 34 24 34s5.500-2 5.500-4.500S27.500 25 24 25Z"/><path d="M27.500 26.300c-3 .5-2.500 5.300-7 6.500"/>`

/** What is sold, drawn rather than fetched. */
export const pictures = { tshirt: drawn(tshirt), mug: drawn(mug), coffee: drawn(coffee) }

function drawn(paths: Html): Html {
  return html`<svg class="picture" viewBox="0 0 48 48" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linejoin="round" stroke-linecap="round" aria-hidden="true" focusable="false">${paths}</svg>`
}
