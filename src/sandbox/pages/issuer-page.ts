// The list of cardholders who are being asked for a code.
import { html } from 'ghtml'
import { amountInWords } from '../issuer/amounts.ts'
import { type Challenge, maskedCard } from '../issuer/model.ts'
import { challengePath } from '../issuer/three-d-secure.ts'
import { toolPage } from './layout.ts'
import { tableOf } from './table.ts'

export function issuerPage(open: readonly Challenge[]): string {
  const table = tableOf({
    name: 'Open challenges',
    heads: ['Merchant', { text: 'Amount', right: true }, 'Card', 'Code', 'Page'],
    rows: open.map(rowOf),
  })
  return toolPage({
    title: 'Issuer',
    path: '/sandbox/issuer',
    body: html`
      <p class="lead">Cardholders who are being asked for a code right now, newest first.</p>
      !${open.length === 0 ? '<p class="note">Nobody is being asked.</p>' : table}`,
  })
}

function rowOf(challenge: Challenge): string {
  const { merchantName, acsTransId, otp } = challenge
  return html`
    <tr>
      <td>${merchantName}</td>
      <td class="right number">${amountInWords(challenge, 'en')}</td>
      <td class="number">${maskedCard(challenge)}</td>
      <td class="number">${otp}</td>
      <td><a href="${challengePath}/${acsTransId}">Open<span class="for-readers"> for ${merchantName}</span></a></td>
    </tr>`
}
