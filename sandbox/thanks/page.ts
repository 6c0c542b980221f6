// Page after a test checkout.
import { html } from 'ghtml'
import { amountInWords } from '../issuer/amounts.ts'
import type { Language } from '../issuer/messages.ts'
import { toolPage } from '../pages/layout.ts'
import { tableOf } from '../pages/table.ts'
import { type ThanksWords, thanksWords } from './messages.ts'
import type { Receipt, SentCallback } from './model.ts'

export const thanksPath = '/sandbox/thanks'

export function thanksPage(receipt: Receipt, lang: Language): string {
  const words = thanksWords[lang]
  const { operation, postings, callbacks } = receipt
  return toolPage({
    title: titleOf(receipt, words),
    path: thanksPath,
    lang,
    translated: pathOf(receipt, lang === 'pt' ? 'en' : 'pt'),
    body: html`
      <p class="lead">${words.lead}</p>
      <p><a href="${pathOf(receipt, lang)}">${words.reload}</a></p>
      <h2>${words.operation}</h2>
      <dl class="facts">
        !${fact(words.status, receipt.status)}
        !${operation === undefined ? '' : fact(words.amount, euros(operation.amount, lang))}
        !${operation?.method === undefined ? '' : fact(words.method, operation.method)}
        !${operation?.error === undefined ? '' : fact(words.error, operation.error)}
        !${operation === undefined ? '' : fact(words.id, operation.id)}
        !${receipt.subscriptionId === undefined ? '' : fact(words.subscription, receipt.subscriptionId)}
        !${fact(words.checkout, receipt.checkoutId)}
      </dl>
      <h2>${words.ledger}</h2>
      !${postings.length === 0 ? html`<p class="note">${words.noPostings}</p>` : postingsTable(receipt, lang)}
      <h2>${words.callbacks}</h2>
      !${callbacks.length === 0 ? html`<p class="note">${words.noCallbacks}</p>` : callbackList(receipt, words)}`,
  })
}

export function unknownThanksPage(lang: Language): string {
  const words = thanksWords[lang]
  return toolPage({
    title: words.unknown,
    path: thanksPath,
    lang,
    body: html`<p class="lead">${words.unknownLead}</p>`,
  })
}

function titleOf({ status, kind }: Receipt, words: ThanksWords): string {
  if (status === 'COMPLETED' || status === 'ACTIVE') return words.paid[kind]
  return status === 'NEW' || status === 'PENDING' ? words.open : words.notPaid
}

function pathOf({ checkoutId }: Receipt, lang: Language): string {
  return `${thanksPath}?checkoutid=${checkoutId}&lang=${lang}`
}

function fact(name: string, value: string): string {
  return html`<div><dt>${name}</dt><dd>${value}</dd></div>`
}

function euros(amount: bigint, lang: Language): string {
  return amountInWords({ amount, currency: 'EUR' }, lang)
}

function postingsTable({ postings }: Receipt, lang: Language): string {
  const words = thanksWords[lang]
  const rows = postings.map(
    ({ account, walletId, amount }) => html`
      <tr>
        <td>${account}</td>
        <td>${walletId === 0n ? 'Comporta' : String(walletId)}</td>
        <td class="right number">${euros(amount, lang)}</td>
      </tr>`,
  )
  const table = tableOf({
    name: words.ledger,
    heads: [words.account, words.wallet, { text: words.amount, right: true }],
    rows,
  })
  return html`<p class="muted">${words.ledgerHelp}</p>!${table}`
}

function callbackList({ callbacks, walletId }: Receipt, words: ThanksWords): string {
  const shown = callbacks.map((callback) => callbackOf(callback, words))
  const homeless = callbacks.some(({ state }) => state === 'NO_ENDPOINT')
  const command = `npx comporta merchant set ${walletId} --callback-url http://127.0.0.1:3000/callbacks --self-events on`
  return html`
    <p class="muted">${words.callbacksHelp}</p>
    !${shown}
    !${homeless ? html`<p>${words.nameAddress}</p><pre class="call" tabindex="0" role="region" aria-label="${words.nameAddress}"><code>${command}</code></pre>` : ''}`
}

function callbackOf({ event, body, state, attempts, lastAnswer }: SentCallback, words: ThanksWords): string {
  const tried = attempts === 0 ? '' : ` (${words.attempts(attempts, lastAnswer)})`
  return html`
    <p class="note"><strong>${event}</strong>: ${words.states[state]}${tried}</p>
    !${body === undefined ? '' : html`<pre class="call" tabindex="0" role="region" aria-label="${event}"><code>${JSON.stringify(body, null, 2)}</code></pre>`}`
}
