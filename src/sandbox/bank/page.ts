// The bank's page: what waits for its answer, transfers to make, and the accounts whose outcome is known.
import { html } from 'ghtml'
import { cents } from '../../kernel/money.ts'
import type { Instant } from '../../kernel/time.ts'
import type { TopUpText, TransferTaken } from '../gateway-news.ts'
import { amountInWords } from '../issuer/amounts.ts'
import { toolPage } from '../pages/layout.ts'
import { tableOf } from '../pages/table.ts'
import { timeInWords } from '../pages/time.ts'
import { type BankEntry, testAccounts } from './model.ts'

export const bankPath = '/sandbox/bank'

export interface BankView {
  readonly now: Instant
  readonly debits: readonly BankEntry[]
  readonly transfers: readonly BankEntry[]
  readonly taken: readonly TransferTaken[]
  readonly texts: readonly TopUpText[]
  /** What a posted form came to. */
  readonly told?: { readonly wrong: boolean; readonly text: string }
  readonly typed?: Readonly<Record<string, string>>
}

export function bankPage(view: BankView): string {
  const { told } = view
  return toolPage({
    title: 'Bank',
    path: bankPath,
    body: html`
      <p class="lead">
        Debits and payouts wait here for the next day on which banks settle: move the
        <a href="/sandbox/clock">clock</a>, or answer by hand. A paid debit can be returned for eight weeks.
      </p>
      !${told === undefined ? '' : told.wrong ? html`<p class="problem" role="alert">${told.text}</p>` : html`<p class="note" role="status">${told.text}</p>`}
      <h2>Direct debits</h2>
      !${entriesTable('Direct debits', 'Debtor', view.debits, true)}
      <h2>Payouts and refunds by transfer</h2>
      !${entriesTable('Payouts', 'Beneficiary', view.transfers, false)}
      <h2>Make a transfer</h2>
      !${transferForm(view)}
      !${view.texts.length === 0 ? '' : textsTable(view.texts)}
      <h2>Transfers that arrived</h2>
      !${takenTable(view.taken)}
      <h2>Test accounts</h2>
      <p class="muted">Every other valid IBAN pays, and is paid.</p>
      !${tableOf({ name: 'Test accounts', heads: ['IBAN', 'Outcome'], rows: testAccounts.map(accountRow) })}`,
  })
}

function euros(amount: bigint): string {
  return amountInWords({ amount, currency: 'EUR' }, 'en')
}

function entriesTable(
  name: string,
  party: string,
  entries: readonly BankEntry[],
  returnable: boolean,
): string {
  if (entries.length === 0) return html`<p class="note">None so far.</p>`
  const heads = [party, { text: 'Amount', right: true }, 'State', 'Answer'] as const
  return tableOf({ name, heads, rows: entries.map((entry) => entryRow(entry, returnable)) })
}

function entryRow(entry: BankEntry, returnable: boolean): string {
  const { name, iban, amount, state, reason, reference, answersAt } = entry
  const why = reason === undefined ? '' : reason.replaceAll('_', ' ')
  const when = state === 'waiting' ? `by itself ${timeInWords(answersAt).replace(/ at .*$/, '')}` : why
  const canReturn = state === 'waiting' || (returnable && state === 'paid')
  return html`
    <tr>
      <td>${name}<small class="muted number">${iban}</small></td>
      <td class="right number">${euros(amount)}</td>
      <td><span class="state-${state}">${state}</span><small class="muted">${when}</small></td>
      <td>
        <form method="post" action="${bankPath}/settle">
          <input type="hidden" name="operation" value="${reference}">
          !${state === 'waiting' ? button('paid', 'Paid', name) : ''}
          !${canReturn ? button('returned', 'Return', name) : ''}
        </form>
      </td>
    </tr>`
}

function button(outcome: string, text: string, name: string): string {
  return html`<button class="quiet" type="submit" name="outcome" value="${outcome}">${text}<span class="for-readers"> ${name}</span></button>`
}

function transferForm({ typed = {}, texts }: BankView): string {
  const [first] = texts
  return html`
    <form method="post" action="${bankPath}/transfer">
      <label for="reference_text">Text</label>
      <input id="reference_text" name="reference_text" required maxlength="140" autocomplete="off"
        value="${typed.reference_text ?? ''}" placeholder="${first?.reference ?? ''}" aria-describedby="text-help">
      <p class="help" id="text-help">The reference of a wallet may stand anywhere in it. A text that names nobody is kept for the operator.</p>
      <div class="row">
        <div class="grow">
          <label for="amount">Amount in euros</label>
          <input id="amount" name="amount" required inputmode="decimal" maxlength="15" autocomplete="off"
            value="${typed.amount ?? ''}" placeholder="25.00">
        </div>
        <div class="grow">
          <label for="iban">From IBAN, if you like</label>
          <input id="iban" name="iban" maxlength="42" autocomplete="off" value="${typed.iban ?? ''}">
        </div>
        <button type="submit">Transfer</button>
      </div>
    </form>`
}

function textsTable(texts: readonly TopUpText[]): string {
  const rows = texts.map(
    ({ name, reference }) => html`<tr><td>${name}</td><td class="number">${reference}</td></tr>`,
  )
  return html`<h3>References of wallets</h3>!${tableOf({ name: 'References of wallets', heads: ['Wallet', 'Text'], rows })}`
}

function takenTable(taken: readonly TransferTaken[]): string {
  if (taken.length === 0) return html`<p class="note">None so far.</p>`
  const rows = taken.map(
    ({ text, amount, walletId, problem }) => html`
      <tr>
        <td>${text}</td>
        <td class="right number">${euros(cents(amount))}</td>
        <td>${walletId === undefined ? `kept: ${problem}` : `wallet ${walletId}`}</td>
      </tr>`,
  )
  return tableOf({
    name: 'Transfers that arrived',
    heads: ['Text', { text: 'Amount', right: true }, 'For'],
    rows,
  })
}

function accountRow({ iban, outcome }: (typeof testAccounts)[number]): string {
  return html`<tr><td class="number">${iban}</td><td>${outcome}</td></tr>`
}
