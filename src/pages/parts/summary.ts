// The summary of a checkout: merchant, amount, items.
import { factsOf } from '../../methods/list.ts'
import { html } from '../html.ts'
import { dayInWords, decimalMoney, localMoment, money, wholeMoment } from '../i18n/format.ts'
import { texts } from '../i18n/index.ts'
import { subscriptionWords } from '../i18n/subscriptions.ts'
import type {
  CheckoutPage,
  Locale,
  MerchantFrame,
  PageItem,
  Receipt,
  ResultPage,
  TermsShown,
} from '../model.ts'
import { icons } from './icons.ts'
import { merchantMark } from './merchant.ts'

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

export function receiptBox(page: ResultPage): string {
  const { receipt, locale, merchantName, kind } = page
  if (receipt === undefined) return ''
  const { receipt: words } = texts[locale]
  return html`<div class="reference receipt">
<dl>
!${amountLines(page)}
!${detailLine(words.paidTo, merchantName)}
!${optionalLine(words.method, methodOf(page, receipt))}
!${optionalLine(words.date, dateOf(page, receipt))}
!${detailLine(words.number[kind], receipt.number)}
</dl>
!${page.terms === undefined ? '' : html`<p class="quiet">${subscriptionWords[locale].conditions}</p>`}
<div class="reference-actions" data-with-script hidden><button type="button" class="secondary" data-print>${words.print}</button></div>
</div>`
}

function amountLines({ kind, locale, amount, currency, terms }: ResultPage): string {
  const paid = money(amount, currency, locale)
  if (terms === undefined) return detailLine(texts[locale].receipt.amount[kind], paid)
  const words = subscriptionWords[locale]
  const first = dayInWords(terms.startDate, locale)
  const life =
    terms.endDate === undefined
      ? words.lifeFrom(first)
      : words.lifeFromTo(first, dayInWords(terms.endDate, locale))
  const most = money(terms.amount, terms.currency, locale)
  return (
    detailLine(words.paidNow, kind === 'subscription' ? words.nothing : paid) +
    detailLine(words.later, words.laterUpTo(most, words.every(terms.frequency, terms.period), life))
  )
}

function optionalLine(name: string, value: string | undefined): string {
  return value === undefined ? '' : detailLine(name, value)
}

function methodOf({ card, locale }: ResultPage, { method, phone }: Receipt): string | undefined {
  const { paidWith } = texts[locale]
  if (card !== undefined) return paidWith(brandName(card.type), card.last4)
  const name = method === undefined ? undefined : factsOf(method).names[locale]
  return name === undefined || phone === undefined ? name : `${name}, ${phone}`
}

function dateOf({ locale }: ResultPage, { at }: Receipt): string | undefined {
  if (at === undefined) return undefined
  const { day, time } = wholeMoment(at, locale)
  return texts[locale].receipt.moment(day, time)
}

const brandNames: Readonly<Record<string, string>> = { amex: 'American Express' }

export function brandName(type: string): string {
  return brandNames[type] ?? type.charAt(0).toUpperCase() + type.slice(1)
}

export function detailLine(name: string, value: string): string {
  return html`<div><dt>${name}</dt><dd>${value}</dd></div>`
}

export interface TermsBox {
  readonly terms: TermsShown
  readonly merchantName: string
  readonly locale: Locale
  readonly ended?: boolean | undefined
}

export function termsBox({ terms, merchantName, locale, ended }: TermsBox): string {
  const words = subscriptionWords[locale]
  const { amount, currency, frequency, period, description } = terms
  const allowed = words.allowed(merchantName, money(amount, currency, locale), words.every(frequency, period))
  return html`<section class="terms" aria-labelledby="terms-title"><h2 id="terms-title">${ended === true ? words.endedTermsTitle : words.termsTitle}</h2>
!${description === undefined ? '' : html`<p class="terms-description">${description}</p>`}
<p><strong>${allowed}</strong></p>
<p>${lifeOf(terms, locale)}</p>
!${ended === true ? '' : html`<p class="quiet">${words.conditions}</p>`}
</section>`
}

function lifeOf({ startDate, endDate }: TermsShown, locale: Locale): string {
  const words = subscriptionWords[locale]
  const first = dayInWords(startDate, locale)
  return endDate === undefined ? words.from(first) : words.fromTo(first, dayInWords(endDate, locale))
}
