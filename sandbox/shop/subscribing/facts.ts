// How a subscription stands, as its merchant knows it.
import { html } from 'ghtml'
import { type Day, lisbonDayOf } from '../../../src/kernel/lisbon.ts'
import type { Language } from '../../issuer/words.ts'
import { brandName } from '../brands.ts'
import { leftOn } from './allowance.ts'
import { eurosOf } from './euros.ts'
import { type ShopSubscription, wasAccepted } from './model.ts'
import { packPrice } from './offer.ts'
import type { Shown } from './shown.ts'
import { subscribingWords } from './words.ts'

/** How it stands; empty without one. */
export function subscriptionFacts(shown: Shown): string {
  const { visit, subscription, charges, now } = shown
  if (subscription === undefined) return ''
  const { language } = visit
  const say = subscribingWords[language]
  const { state, reference, amount, startDate, endDate, plan, payment } = subscription
  const left = leftOn(lisbonDayOf(now), subscription, charges)
  const paid = payment === undefined ? '' : html` <code>${payment}</code>`
  const facts = [
    fact(
      say.panel.allowance,
      html`${say.panel.everyMonth(eurosOf(amount, language))}<small class="muted">${say.panel.fromTo(dayInWords(startDate, language), endDate && dayInWords(endDate, language))}</small>`,
    ),
    state === 'APPROVED' &&
      fact(
        say.panel.left,
        html`${eurosOf(left.amount, language)}<small class="muted">${say.panel.until(dayInWords(left.until, language))}</small>`,
      ),
    plan === 'with_pack' && fact(say.panel.pack, html`${eurosOf(packPrice, language)}!${paid}`),
    wasAccepted(subscription) &&
      subscription.method !== undefined &&
      fact(say.panel.chargedTo, html`${methodInWords(subscription, language)}`),
    fact(say.panel.reference, html`<span class="number">${reference}</span>`),
  ]
  return html`
    <p class="standing"><code class="outcome ${state === 'APPROVED' ? 'good' : 'bad'}">${state}</code> ${say.states[state]}</p>
    <dl class="facts">!${facts.filter((each) => each !== false)}</dl>
    !${hint(shown)}`
}

/** What the visitor may do elsewhere: decide as the customer, or move the clock. */
function hint({ visit, subscription }: Shown): string {
  const { language } = visit
  const say = subscribingWords[language].panel
  const checkout = `/checkout/${subscription?.checkoutId}?lang=${language}`
  if (subscription?.state === 'NEW') return html`<p class="small"><a href="${checkout}">${say.decide}</a></p>`
  if (subscription?.state !== 'APPROVED') return ''
  return html`
    <p class="small muted">${say.leftHelp} <a href="/sandbox/clock">${say.clock}</a>.</p>
    <p class="small"><a href="${checkout}">${say.customer}</a></p>`
}

function fact(name: string, value: string): string {
  return html`<div><dt>${name}</dt><dd>!${value}</dd></div>`
}

function methodInWords({ method = '', card }: ShopSubscription, language: Language): string {
  const name = subscribingWords[language].panel.methods[method] ?? method
  return card === undefined ? name : `${brandName(card.brand)} •••• ${card.last4}`
}

const dayFormats: Readonly<Record<Language, Intl.DateTimeFormat>> = {
  en: new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' }),
  pt: new Intl.DateTimeFormat('pt-PT', { dateStyle: 'medium', timeZone: 'UTC' }),
}

function dayInWords(day: Day, language: Language): string {
  return dayFormats[language].format(new Date(`${day}T00:00:00Z`))
}
