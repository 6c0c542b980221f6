// The button of a method's form: it says what is paid and what is accepted, whichever method that is.

import { html } from '../frame/html.ts'
import type { CheckoutPage } from '../model.ts'
import { money } from '../texts/format.ts'
import { subscriptionWords } from '../texts/subscriptions.ts'
import { texts } from '../texts/texts.ts'

/** Also names the subscription where one is accepted together with a payment. */
export function submitButton({ locale, kind, amount, currency, terms }: CheckoutPage): string {
  const sum = money(amount, currency, locale)
  const both = terms !== undefined && kind !== 'subscription'
  const label = both ? subscriptionWords[locale].payAndAccept(sum) : texts[locale].submit[kind](sum)
  return html`<button type="submit" class="primary" data-submit>${label}</button>`
}
