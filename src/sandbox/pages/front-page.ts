// The sandbox's front page: what is here, what time it is, and which card does what.
import { html } from 'ghtml'
import type { Instant } from '../../kernel/time.ts'
import { brandOf, type TestCard, testCards } from '../test-cards.ts'
import { sections, toolPage } from './layout.ts'
import { tableOf } from './table.ts'
import { timeInWords } from './time.ts'

export function frontPage(now: Instant): string {
  const links = sections.map(
    ({ path, name, says }) =>
      html`<li><a class="card-link" href="${path}"><strong>${name}</strong> ${says}</a></li>`,
  )
  const table = tableOf({ name: 'Test cards', heads: ['Card', 'Outcome'], rows: testCards.map(rowOf) })
  return toolPage({
    title: 'The pretend outside world',
    path: '/sandbox',
    body: html`
      <p class="lead">
        Nothing here moves money. Banks and time are played by the gateway itself, so that every outcome can be
        tried. For the gateway it is now <strong>${timeInWords(now)}</strong>.
      </p>
      <ul class="cards">!${links}</ul>
      <h2>Test cards</h2>
      <p class="muted">Any future expiry and any security code. Every other valid number is approved.</p>
      !${table}`,
  })
}

const brandNames: Readonly<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  'american-express': 'American Express',
}

function rowOf({ number, outcome }: TestCard): string {
  return html`
    <tr>
      <td><span class="number">${grouped(number)}</span><br><small class="muted">${brandNames[brandOf(number)]}</small></td>
      <td>${outcome}</td>
    </tr>`
}

/** Digits in the groups that are printed on the card. */
function grouped(number: string): string {
  return number.length === 15
    ? number.replace(/^(\d{4})(\d{6})(\d{5})$/, '$1 $2 $3')
    : number.replace(/(\d{4})(?=\d)/g, '$1 ')
}
