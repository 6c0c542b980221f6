// The bank's page.
import { html } from 'ghtml'
import { cents } from '../../src/kernel/money.ts'
import type { TransferTaken } from '../../src/rails/index.ts'
import type { TopUpText } from '../gateway.ts'
import { amountInWords } from '../issuer/amounts.ts'
import type { Language } from '../issuer/messages.ts'
import { toolPage } from '../pages/layout.ts'
import { tableOf } from '../pages/table.ts'
import { dayInWords } from '../pages/time.ts'
import { type BankWords, bankWords } from './messages.ts'
import { type BankEntry, testAccounts } from './model.ts'

export const bankPath = '/sandbox/bank'

export interface BankView {
  readonly lang: Language
  readonly debits: readonly BankEntry[]
  readonly transfers: readonly BankEntry[]
  readonly taken: readonly TransferTaken[]
  readonly texts: readonly TopUpText[]
  readonly notice?: { readonly wrong: boolean; readonly text: string }
  readonly typed?: Readonly<Record<string, string>>
}

export function bankPage(view: BankView): string {
  const { notice, lang } = view
  const words = bankWords[lang]
  const [before, clock, after] = words.lead
  return toolPage({
    title: words.title,
    path: bankPath,
    lang,
    body: html`
      <p class="lead">${before}<a href="/sandbox/clock?lang=${lang}">${clock}</a>${after}</p>
      !${notice === undefined ? '' : notice.wrong ? html`<p class="problem" role="alert">${notice.text}</p>` : html`<p class="note" role="status">${notice.text}</p>`}
      <h2>${words.debits}</h2>
      !${entriesTable(lang, [words.debits, words.debtor], view.debits, true)}
      <h2>${words.payoutsTitle}</h2>
      !${entriesTable(lang, [words.payouts, words.beneficiary], view.transfers, false)}
      <h2>${words.transferTitle}</h2>
      !${transferForm(view, words)}
      !${view.texts.length === 0 ? '' : textsTable(view.texts, words)}
      <h2>${words.arrived}</h2>
      !${takenTable(view.taken, lang)}
      <h2>${words.accounts}</h2>
      <p class="muted">${words.accountsHelp}</p>
      !${tableOf({
        name: words.accounts,
        heads: ['IBAN', words.outcome],
        rows: testAccounts.map(
          ({ iban, outcome }) => html`<tr><td class="number">${iban}</td><td>${outcome[lang]}</td></tr>`,
        ),
      })}`,
  })
}

function euros(amount: bigint, lang: Language): string {
  return amountInWords({ amount, currency: 'EUR' }, lang)
}

function entriesTable(
  lang: Language,
  [name, party]: readonly [string, string],
  entries: readonly BankEntry[],
  returnable: boolean,
): string {
  const words = bankWords[lang]
  if (entries.length === 0) return html`<p class="note">${words.none}</p>`
  const heads = [party, { text: words.amount, right: true }, words.state, words.answer] as const
  return tableOf({ name, heads, rows: entries.map((entry) => entryRow(entry, returnable, lang)) })
}

function entryRow(entry: BankEntry, returnable: boolean, lang: Language): string {
  const words = bankWords[lang]
  const { name, iban, amount, state, reason, reference, answersAt } = entry
  const why = reason === undefined ? '' : reason.replaceAll('_', ' ')
  const when = state === 'waiting' ? words.byItself(dayInWords(answersAt, lang)) : why
  const canReturn = state === 'waiting' || (returnable && state === 'paid')
  return html`
    <tr>
      <td>${name}<small class="muted number">${iban}</small></td>
      <td class="right number">${euros(amount, lang)}</td>
      <td><span class="state-${state}">${words.states[state]}</span><small class="muted">${when}</small></td>
      <td>
        <form method="post" action="${bankPath}/settle?lang=${lang}">
          <input type="hidden" name="operation" value="${reference}">
          !${state === 'waiting' ? button('paid', words.paid, name) : ''}
          !${canReturn ? button('returned', words.return, name) : ''}
        </form>
      </td>
    </tr>`
}

function button(outcome: string, text: string, name: string): string {
  return html`<button class="quiet" type="submit" name="outcome" value="${outcome}">${text}<span class="for-readers"> ${name}</span></button>`
}

function transferForm({ typed = {}, texts, lang }: BankView, words: BankWords): string {
  const [first] = texts
  return html`
    <form method="post" action="${bankPath}/transfer?lang=${lang}">
      <label for="reference_text">${words.text}</label>
      <input id="reference_text" name="reference_text" required maxlength="140" autocomplete="off"
        value="${typed.reference_text ?? ''}" placeholder="${first?.reference ?? ''}" aria-describedby="text-help">
      <p class="help" id="text-help">${words.textHelp}</p>
      <div class="row">
        <div class="grow">
          <label for="amount">${words.amountTyped}</label>
          <input id="amount" name="amount" required inputmode="decimal" maxlength="15" autocomplete="off"
            value="${typed.amount ?? ''}" placeholder="25.00">
        </div>
        <div class="grow">
          <label for="iban">${words.iban}</label>
          <input id="iban" name="iban" maxlength="42" autocomplete="off" value="${typed.iban ?? ''}">
        </div>
        <button type="submit">${words.transfer}</button>
      </div>
    </form>`
}

function textsTable(texts: readonly TopUpText[], words: BankWords): string {
  const rows = texts.map(
    ({ name, reference }) => html`<tr><td>${name}</td><td class="number">${reference}</td></tr>`,
  )
  const table = tableOf({ name: words.references, heads: [words.wallet, words.text], rows })
  return html`<h3>${words.references}</h3>!${table}`
}

function takenTable(taken: readonly TransferTaken[], lang: Language): string {
  const words = bankWords[lang]
  if (taken.length === 0) return html`<p class="note">${words.none}</p>`
  const rows = taken.map(
    ({ text, amount, walletId, problem }) => html`
      <tr>
        <td>${text}</td>
        <td class="right number">${euros(cents(amount), lang)}</td>
        <td>${walletId === undefined ? words.kept(problem ?? '') : words.walletNumbered(walletId)}</td>
      </tr>`,
  )
  return tableOf({
    name: words.arrived,
    heads: [words.text, { text: words.amount, right: true }, words.for],
    rows,
  })
}
