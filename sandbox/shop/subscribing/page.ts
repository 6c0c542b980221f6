// The shop's page to subscribe on: what is offered, the subscription that came of it, and the merchant's part.
import { html } from 'ghtml'
import { framed, type PageGround } from '../frame.ts'
import { subscriptionEventsPath, subscriptionPath } from './addresses.ts'
import { subscriptionFacts } from './facts.ts'
import { noticeOf } from './notice.ts'
import { offerForm } from './offer-form.ts'
import { actingFields, chargesTable, panel } from './panel.ts'
import type { Shown } from './shown.ts'
import { subscribingWords } from './words.ts'

export function subscribingPage(ground: PageGround, shown: Shown): string {
  const { visit, subscription, charge, told } = shown
  const say = subscribingWords[visit.language]
  const telling = { ...(told && { subscription: subscription?.reference }), charge: charge?.reference }
  return framed(ground, {
    tab: 'subscription',
    title: say.title,
    lead: say.lead,
    translated: (translated) => subscriptionPath(translated, telling),
    events: subscriptionEventsPath(visit, { ...telling, problem: shown.problem }),
    nothingYet: say.nothingYet,
    notice: noticeOf(shown),
    doing: html`!${panel(shown)}!${offerForm(shown)}`,
  })
}

/** The parts of the page that change while it is looked at, by their place. */
export function subscribingPlaces(shown: Shown): Readonly<Record<string, string>> {
  return {
    notice: noticeOf(shown),
    subscription: subscriptionFacts(shown),
    acting: actingFields(shown),
    charges: chargesTable(shown),
  }
}
