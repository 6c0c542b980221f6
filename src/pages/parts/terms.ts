// The terms of a subscription.

import { html } from '../frame/html.ts'
import { dayInWords, money } from '../i18n/format.ts'
import { subscriptionWords } from '../i18n/subscriptions.ts'
import type { Locale, TermsShown } from '../model.ts'

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
