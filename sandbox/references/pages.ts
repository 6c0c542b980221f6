// Pages of the ATM and home banking.
import { html } from 'ghtml'
import { decimalText } from '../../src/kernel/money.ts'
import type { Instant } from '../../src/kernel/time.ts'
import { amountInWords } from '../issuer/amounts.ts'
import type { Language } from '../issuer/messages.ts'
import { toolPage } from '../pages/layout.ts'
import { timeInWords } from '../pages/time.ts'
import type { TypedPayment } from './api.ts'
import { type PlaceName, type ReferenceWords, referenceWords } from './messages.ts'

export interface Place {
  readonly path: string
  readonly name: PlaceName
}

export const places: readonly Place[] = [
  { path: '/sandbox/atm', name: 'atm' },
  { path: '/sandbox/home-banking', name: 'homeBanking' },
]

export interface Visit {
  readonly place: Place
  readonly lang: Language
}

export interface TypedTexts {
  readonly entity?: string | undefined
  readonly ref?: string | undefined
  readonly amount?: string | undefined
}

export function typingPage(visit: Visit, typed: TypedTexts, problem?: string, openList = ''): string {
  const words = referenceWords[visit.lang]
  return pageOf(
    visit,
    html`
      <p class="lead">${words.places[visit.place.name].lead}</p>
      !${problem === undefined ? '' : html`<p class="problem" role="alert">${problem}</p>`}
      <form class="narrow-form" method="post" action="${addressOf(visit)}">
        <div class="field">
          <label for="entity">${words.entity}</label>
          <input id="entity" name="entity" required inputmode="numeric" autocomplete="off" value="${typed.entity ?? ''}"
            placeholder="21312" aria-describedby="entity-help">
          <p class="help" id="entity-help">${words.entityHelp}</p>
        </div>
        <div class="field">
          <label for="ref">${words.reference}</label>
          <input id="ref" name="ref" required inputmode="numeric" autocomplete="off" value="${typed.ref ?? ''}"
            placeholder="123 456 789" aria-describedby="ref-help">
          <p class="help" id="ref-help">${words.referenceHelp}</p>
        </div>
        <div class="field">
          <label for="amount">${words.amountTyped}</label>
          <input id="amount" name="amount" required inputmode="decimal" autocomplete="off" value="${typed.amount ?? ''}"
            placeholder="10.00">
        </div>
        <button type="submit">${words.next}</button>
      </form>
      !${openList}`,
  )
}

/** The form contains a payment id, so that a second press pays nothing more. */
export function confirmationPage(
  visit: Visit,
  payment: TypedPayment,
  beneficiary: string,
  paymentId: string,
): string {
  const words = referenceWords[visit.lang]
  return pageOf(
    visit,
    html`
      <p class="lead">${words.confirm}</p>
      <dl class="facts narrow-form">
        !${fact(words.beneficiary, beneficiary)}
        !${factsOf(payment, visit.lang, words)}
      </dl>
      <form class="row" method="post" action="${addressOf(visit, '/pay')}">
        <input type="hidden" name="entity" value="${payment.entity}">
        <input type="hidden" name="ref" value="${payment.ref}">
        <input type="hidden" name="amount" value="${euros(payment)}">
        <input type="hidden" name="payment_id" value="${paymentId}">
        <button type="submit">${words.pay(shown(payment, visit.lang))}</button>
        <a class="go-back" href="${addressOf(visit)}">${words.cancel}</a>
      </form>`,
  )
}

export function receiptPage(visit: Visit, payment: TypedPayment, at: Instant): string {
  const words = referenceWords[visit.lang]
  return pageOf(
    visit,
    html`
      <p class="note" role="status">${words.paid}</p>
      <dl class="facts narrow-form">
        !${factsOf(payment, visit.lang, words)}
        !${fact(words.when, timeInWords(at, visit.lang))}
      </dl>
      <p><a href="${addressOf(visit)}">${words.another}</a></p>`,
  )
}

export function refusalPage(
  visit: Visit,
  typed: TypedTexts,
  reason: keyof ReferenceWords['refusals'],
): string {
  return typingPage(visit, typed, referenceWords[visit.lang].refusals[reason])
}

function pageOf({ place, lang }: Visit, body: string): string {
  const { title } = referenceWords[lang].places[place.name]
  return toolPage({ title, path: place.path, lang, body })
}

function addressOf({ place, lang }: Visit, step = ''): string {
  return `${place.path}${step}?lang=${lang}`
}

function fact(name: string, value: string): string {
  return html`<div><dt>${name}</dt><dd>${value}</dd></div>`
}

function factsOf(payment: TypedPayment, lang: Language, words: ReferenceWords): string[] {
  return [
    fact(words.entity, payment.entity),
    fact(words.reference, payment.ref.replace(/\d{3}(?=\d)/g, '$& ')),
    fact(words.amount, shown(payment, lang)),
  ]
}

function shown({ amount }: TypedPayment, lang: Language): string {
  return amountInWords({ amount, currency: 'EUR' }, lang)
}

/** The amount in the form that the field for amounts reads. */
function euros({ amount }: TypedPayment): string {
  return decimalText(BigInt(amount))
}
