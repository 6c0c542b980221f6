// The sandbox's front page.
import { html } from 'ghtml'
import type { Instant } from '../../src/kernel/time.ts'
import type { Language } from '../issuer/messages.ts'
import { brandOf, type TestCard, testCards } from '../test-cards.ts'
import { sections, toolPage } from './layout.ts'
import { pageWords } from './messages.ts'
import { tableOf } from './table.ts'
import { timeInWords } from './time.ts'

export function frontPage(now: Instant, lang: Language): string {
  const words = pageWords[lang].front
  const links = sections.map(
    ({ path, name, says }) =>
      html`<li><a class="card-link" href="${path}?lang=${lang}"><strong>${name[lang]}</strong> ${says[lang]}</a></li>`,
  )
  const rows = testCards.map((card) => rowOf(card, lang))
  return toolPage({
    title: words.title,
    path: '/sandbox',
    lang,
    body: html`
      <p class="lead">${words.lead} ${words.now(timeInWords(now, lang))}</p>
      <ul class="cards">!${links}</ul>
      <h2>${words.cards}</h2>
      <p class="muted">${words.cardsHelp}</p>
      !${tableOf({ name: words.cards, heads: [words.card, words.outcome], rows })}`,
  })
}

const brandNames: Readonly<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  'american-express': 'American Express',
}

function rowOf({ number, outcome }: TestCard, lang: Language): string {
  return html`
    <tr>
      <td><span class="number">${grouped(number)}</span><br><small class="muted">${brandNames[brandOf(number)]}</small></td>
      <td>${outcome[lang]}</td>
    </tr>`
}

function grouped(number: string): string {
  return number.length === 15
    ? number.replace(/^(\d{4})(\d{6})(\d{5})$/, '$1 $2 $3')
    : number.replace(/(\d{4})(?=\d)/g, '$1 ')
}
