// A subscription with what its merchant can do about it, and its charges.
import { html } from 'ghtml'
import { decimalText } from '../../../src/kernel/money.ts'
import { tableOf } from '../../pages/table.ts'
import { words } from '../words.ts'
import { subscriptionPath, subscriptionsPath } from './addresses.ts'
import { eurosOf } from './euros.ts'
import { subscriptionFacts } from './facts.ts'
import { wasAccepted } from './model.ts'
import { boxPrice } from './offer.ts'
import type { Shown } from './shown.ts'
import { subscribingWords } from './words.ts'

const chargesShownMax = 20

/** The latest subscription, or the one that was asked for; empty before the first. */
export function panel(shown: Shown): string {
  const { visit, session, subscription } = shown
  if (subscription === undefined) return ''
  const say = subscribingWords[visit.language]
  const others = [...session.subscriptions.keys()].filter((reference) => reference !== subscription.reference)
  const links = others
    .toReversed()
    .map(
      (reference) =>
        html`<li><a class="number" href="${subscriptionPath(visit, { subscription: reference })}">${reference}</a></li>`,
    )
  return html`
    <section class="box" aria-labelledby="subscription">
      <h2 id="subscription">${say.panel.title}</h2>
      <div data-subscription>!${subscriptionFacts(shown)}</div>
      <form method="post" action="${subscriptionsPath}/look" data-acting data-paying="${words[visit.language].paying}">!${actingFields(shown)}</form>
      <div data-charges>!${chargesTable(shown)}</div>
      !${others.length === 0 ? '' : html`<p class="small muted">${say.panel.others}</p><ul class="small">!${links}</ul>`}
    </section>`
}

/** What the merchant can do; after the end too, to see it refused. */
export function actingFields({ visit, subscription, attempt }: Shown): string {
  if (subscription?.gatewayId === undefined) return ''
  const { language } = visit
  const { acting: say } = subscribingWords[language]
  const { reference, state } = subscription
  const comma = language === 'pt'
  const price = decimalText(boxPrice)
  const charging = html`
    <h3>${say.title}</h3>
    <p class="muted small" id="acting-help">${state === 'APPROVED' ? say.says : say.ended}</p>
    <label for="amount">${say.amount}</label>
    <div class="row charging">
      <input class="grow" id="amount" name="amount" value="${comma ? price.replace('.', ',') : price}" inputmode="decimal"
        autocomplete="off" required maxlength="12" aria-describedby="acting-help">
      <button type="submit" formaction="${subscriptionsPath}/charge">${say.charge}</button>
    </div>`
  return html`
      <input type="hidden" name="session" value="${visit.session}">
      <input type="hidden" name="lang" value="${language}">
      <input type="hidden" name="attempt" value="${attempt}">
      <input type="hidden" name="subscription" value="${reference}">
      !${wasAccepted(subscription) ? charging : ''}
      <div class="row">
        <button class="quiet" type="submit" formaction="${subscriptionsPath}/look" formnovalidate>${say.look}</button>
        !${state === 'APPROVED' || state === 'NEW' ? html`<button class="quiet" type="submit" formaction="${subscriptionsPath}/cancel" formnovalidate>${say.cancel}</button>` : ''}
      </div>`
}

/** Newest first; empty before the first. */
export function chargesTable({ visit, charges }: Shown): string {
  if (charges.length === 0) return ''
  const { language } = visit
  const { charges: say, chargeStates } = subscribingWords[language]
  const rows = charges
    .slice(-chargesShownMax)
    .reverse()
    .map(
      ({ reference, amount, state, refusal }) => html`
      <tr>
        <td><span class="number">${reference}</span></td>
        <td class="right number">${eurosOf(amount, language)}</td>
        <td>${chargeStates[state]}<br><small class="muted">${refusal?.code ?? state}</small></td>
      </tr>`,
    )
  const heads = [say.charge, { text: say.amount, right: true }, say.state] as const
  return html`<h3>${say.title}</h3>!${tableOf({ name: say.title, heads, rows })}`
}
