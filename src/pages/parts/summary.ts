// The summary of a checkout: merchant, amount, items.

import { html } from '../frame/html.ts'
import { decimalMoney, localMoment, money } from '../i18n/format.ts'
import { texts } from '../i18n/index.ts'
import { subscriptionWords } from '../i18n/subscriptions.ts'
import type { CheckoutPage, MerchantFrame, PageItem } from '../model.ts'
import { icons } from './icons.ts'
import { merchantMark } from './merchant.ts'
import { termsBox } from './terms.ts'

export function checkoutSummary(page: CheckoutPage): string {
  const { kind, locale, merchantName, amount, currency, expiresAt, now, terms } = page
  const words = texts[locale]
  const explained = words.kindExplained[kind]
  return html`<div class="summary">
<h1 class="merchant">!${merchantMark(page)}<span>${words.pageTitle[kind](merchantName)}</span></h1>
<p class="total"><span class="total-label">${amountLabel(page)}</span> <strong class="amount">${money(amount, currency, locale)}</strong> !${everyLine(page)}</p>
!${explained === undefined ? '' : html`<p class="quiet">${explained}</p>`}
!${itemList(page)}
!${terms === undefined ? '' : termsBox({ terms, merchantName, locale })}
<p class="quiet">${words.payableUntil(localMoment(expiresAt, now, locale))}</p>
</div>`
}

function amountLabel({ kind, locale, terms }: CheckoutPage): string {
  const both = kind === 'payment' && terms !== undefined
  return both ? subscriptionWords[locale].toPayNow : texts[locale].amountLabel[kind]
}

function everyLine({ kind, locale, terms }: CheckoutPage): string {
  if (kind !== 'subscription' || terms === undefined) return ''
  return html`<span>${subscriptionWords[locale].every(terms.frequency, terms.period)}</span>`
}

export function summaryLine(page: MerchantFrame): string {
  const { merchantName, amount, currency, locale } = page
  const sum = amount === undefined ? '' : html` <strong>${money(amount, currency, locale)}</strong>`
  return html`<p class="summary-line">!${merchantMark(page)}<span class="summary-merchant">${merchantName}</span>!${sum}</p>`
}

function itemList(page: CheckoutPage): string {
  if (page.items.length === 0) return ''
  return html`<details class="items" data-items><summary>${texts[page.locale].itemsSummary(page.items.length)} !${icons.chevron}</summary>
<ul>!${page.items.map((item) => itemLine(page, item))}</ul></details>`
}

function itemLine({ locale, currency }: CheckoutPage, item: PageItem): string {
  const quantity = item.quantity ?? 1
  const each = item.amount === undefined ? '' : decimalMoney(item.amount, currency, locale)
  const shown = quantity === 1 ? each : texts[locale].quantity(quantity, each)
  return html`<li><span class="item-name">${item.name}</span> <span class="item-amount">${shown}</span></li>`
}
