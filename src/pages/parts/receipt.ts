// The receipt of a payment, on the page and in print.

import { factsOf } from '../../methods/list.ts'
import { html } from '../frame/html.ts'
import { dayInWords, money, wholeMoment } from '../i18n/format.ts'
import { texts } from '../i18n/index.ts'
import { subscriptionWords } from '../i18n/subscriptions.ts'
import type { Receipt, ResultPage } from '../model.ts'

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

/** Shows both, so that nobody confuses them. */
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
