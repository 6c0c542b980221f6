// The form to subscribe with: what it costs, and whether something is paid at once.
import { html } from 'ghtml'
import { coffee } from '../pictures.ts'
import { words } from '../words.ts'
import { subscriptionsPath } from './addresses.ts'
import { eurosOf } from './euros.ts'
import { allowance, boxPrice, paidAtOnce, plans } from './offer.ts'
import type { Shown } from './shown.ts'
import { subscribingWords } from './words.ts'

/** Folded away where there is a subscription already. */
export function offerForm({ visit, subscription, attempt }: Shown): string {
  const { language } = visit
  const { offer: say } = subscribingWords[language]
  const options = plans.map((plan, index) => {
    const price = paidAtOnce(plan)
    return html`
      <label class="option">
        <input type="radio" name="plan" value="${plan}" !${index === 0 ? 'checked' : ''}>
        <span>${say.plans[plan].name}!${price === 0n ? '' : html`, ${eurosOf(price, language)}`}<small class="muted">${say.plans[plan].says}</small></span>
      </label>`
  })
  const form = html`
    <form method="post" action="${subscriptionsPath}" data-paying="${words[language].paying}">
      <input type="hidden" name="session" value="${visit.session}">
      <input type="hidden" name="lang" value="${language}">
      <input type="hidden" name="attempt" value="${attempt}">
      <div class="offer">!${coffee}<p>${say.says(eurosOf(boxPrice, language), eurosOf(allowance, language))}</p></div>
      <fieldset><legend class="for-readers">${say.choice}</legend>!${options}</fieldset>
      <button type="submit">${say.subscribe}</button>
      <p class="help">${say.help} ${words[language].fields.cardHelp} <a href="/sandbox/phone">${say.phone}</a>.</p>
    </form>`
  return subscription === undefined
    ? html`<section class="box"><h2>${say.title}</h2>!${form}</section>`
    : html`<details class="box again"><summary><h2>${say.again}</h2></summary>!${form}</details>`
}
