// Page of the online wallet's payments and reversals.
import { html } from 'ghtml'
import { amountInWords } from '../issuer/amounts.ts'
import type { Language } from '../issuer/messages.ts'
import { toolPage } from '../pages/layout.ts'
import { tableOf } from '../pages/table.ts'
import { walletWords } from './messages.ts'
import { orderPath } from './rail.ts'
import type { PaidOrder } from './reversals-store.ts'

export interface PaymentsView {
  readonly lang: Language
  readonly paid: readonly PaidOrder[]
  readonly notice?: { readonly wrong: boolean; readonly text: string } | undefined
}

export function paymentsPage({ lang, paid, notice }: PaymentsView): string {
  const words = walletWords[lang].payments
  const heads = [words.merchant, { text: words.amount, right: true }, words.state, words.action] as const
  const table = tableOf({ name: words.title, heads, rows: paid.map((one) => rowOf(one, lang)) })
  return toolPage({
    title: words.title,
    path: orderPath,
    lang,
    body: html`
      <p class="lead">${words.lead}</p>
      !${notice === undefined ? '' : notice.wrong ? html`<p class="problem" role="alert">${notice.text}</p>` : html`<p class="note" role="status">${notice.text}</p>`}
      !${paid.length === 0 ? html`<p class="note">${words.none}</p>` : table}`,
  })
}

function rowOf({ order, reversal }: PaidOrder, lang: Language): string {
  const words = walletWords[lang].payments
  const amount = amountInWords(order, lang)
  const button = (step: 'reverse' | 'reinstate', text: string) => html`
    <form method="post" action="${orderPath}?lang=${lang}">
      <input type="hidden" name="operation" value="${order.reference}">
      <button class="quiet" type="submit" name="step" value="${step}">${text}<span class="for-readers">: ${order.merchantName}, ${amount}</span></button>
    </form>`
  const actions = {
    none: () => button('reverse', words.reverse),
    taken: () => button('reinstate', words.giveAgain),
    given_again: () => '',
  }
  return html`
    <tr>
      <td>${order.merchantName}<small class="muted">${order.payer ?? ''}</small></td>
      <td class="right number">${amount}</td>
      <td>${words.states[reversal ?? 'none']}</td>
      <td>!${actions[reversal ?? 'none']()}</td>
    </tr>`
}
