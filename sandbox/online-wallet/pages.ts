// Pages of the online wallet.
import { html } from 'ghtml'
import { amountInWords } from '../issuer/amounts.ts'
import type { Language } from '../issuer/messages.ts'
import { thirdPartyPage } from '../pages/layout.ts'
import { walletWords } from './messages.ts'
import { type Order, usualPayer, walletName } from './model.ts'
import { orderPath } from './rail.ts'

export function logInPage(order: Order, language: Language, typed?: string): string {
  const words = walletWords[language]
  const wrong = typed !== undefined
  const input = html`
      <input id="email" name="email" type="email" required autofocus autocomplete="username" maxlength="100"
        value="${typed ?? usualPayer}" aria-describedby="!${wrong ? 'problem ' : ''}help"
        !${wrong ? 'aria-invalid="true"' : ''}>`
  return page(
    language,
    words.logIn,
    html`
    <p>${order.amount === 0n ? words.logInToSave(order.merchantName) : words.logInTo(order.merchantName)}!${sumOf(order, language)}</p>
    !${wrong ? html`<p class="problem" id="problem" role="alert">${words.emailWrong}</p>` : ''}
    <form method="post" action="${pathOf(order, language)}">
      <label for="email">${words.email}</label>
      !${input}
      <p class="help" id="help">${words.emailHelp}</p>
      <div class="stack">
        <button type="submit" name="step" value="review">${words.next}</button>
        <button class="quiet" type="submit" name="step" value="cancel" formnovalidate>${words.cancel(order.merchantName)}</button>
      </div>
    </form>`,
  )
}

export function reviewPage(order: Order, email: string, language: Language): string {
  const words = walletWords[language]
  const amount = amountInWords(order, language)
  const isFree = order.amount === 0n
  return page(
    language,
    isFree ? words.reviewSaving : words.review,
    html`
    <dl class="facts">
      !${isFree ? '' : fact(words.amount, amount)}
      !${fact(words.merchant, order.merchantName)}
      !${fact(words.payAs, email)}
      !${fact(words.order, order.transaction)}
    </dl>
    <p class="help">!${isFree ? '' : html`${words.agreeHelp} `}${order.savesAccount ? words.saveHelp(order.merchantName) : ''}</p>
    <form method="post" action="${pathOf(order, language)}">
      <input type="hidden" name="email" value="${email}">
      <div class="stack">
        <button type="submit" name="step" value="agree">${isFree ? words.agreeSaving : words.agree(amount)}</button>
        <button class="quiet" type="submit" name="step" value="cancel">${words.cancel(order.merchantName)}</button>
      </div>
    </form>`,
  )
}

export function overPage(order: Order, state: Exclude<Order['state'], 'open'>, language: Language): string {
  const words = walletWords[language]
  return page(
    language,
    words.over[state],
    html`
    <p role="status">${order.merchantName}!${sumOf(order, language)}</p>
    <p><a href="${order.returnUrl}">${words.goBack(order.merchantName)}</a></p>`,
  )
}

export function unknownOrderPage(language: Language): string {
  const words = walletWords[language]
  return page(language, words.unknown, html`<p>${words.unknownHelp}</p>`)
}

function page(lang: Language, title: string, body: string): string {
  return thirdPartyPage({ lang, name: walletName, title, note: walletWords[lang].sandbox, body })
}

function pathOf({ key }: Order, language: Language): string {
  return `${orderPath}/${key}?lang=${language}`
}

/** An order that only saves the account shows no amount. */
function sumOf(order: Order, language: Language): string {
  return order.amount === 0n ? '' : html` <strong class="number">${amountInWords(order, language)}</strong>`
}

function fact(name: string, value: string): string {
  return html`<div><dt>${name}</dt><dd>${value}</dd></div>`
}
