// List of open challenges.
import { html } from 'ghtml'
import { amountInWords } from '../issuer/amounts.ts'
import type { Language } from '../issuer/messages.ts'
import { type Challenge, maskedCard } from '../issuer/model.ts'
import { challengePath } from '../issuer/three-d-secure.ts'
import { toolPage } from './layout.ts'
import { pageWords } from './messages.ts'
import { tableOf } from './table.ts'

export function issuerPage(open: readonly Challenge[], lang: Language): string {
  const words = pageWords[lang].issuer
  const table = tableOf({
    name: words.table,
    heads: [words.merchant, { text: words.amount, right: true }, words.card, words.code, words.page],
    rows: open.map((challenge) => rowOf(challenge, lang)),
  })
  return toolPage({
    title: words.title,
    path: '/sandbox/issuer',
    lang,
    body: html`
      <p class="lead">${words.lead}</p>
      !${open.length === 0 ? html`<p class="note">${words.nobody}</p>` : table}`,
  })
}

function rowOf(challenge: Challenge, lang: Language): string {
  const { merchantName, acsTransId, otp } = challenge
  const words = pageWords[lang].issuer
  return html`
    <tr>
      <td>${merchantName}</td>
      <td class="right number">${amountInWords(challenge, lang)}</td>
      <td class="number">${maskedCard(challenge)}</td>
      <td class="number">${otp}</td>
      <td><a href="${challengePath}/${acsTransId}">${words.open}<span class="for-readers">${words.openFor(merchantName)}</span></a></td>
    </tr>`
}
