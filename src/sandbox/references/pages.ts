// What a payer sees at the ATM and in home banking: what to pay, whose money it will be, and the receipt.
import { html } from 'ghtml'
import { decimalText } from '../../kernel/money.ts'
import type { Instant } from '../../kernel/time.ts'
import type { PaymentRefusal } from '../../rails/index.ts'
import { amountInWords } from '../issuer/amounts.ts'
import { toolPage } from '../pages/layout.ts'
import { timeInWords } from '../pages/time.ts'
import type { TypedPayment } from './api.ts'

/** Where somebody pays; both ask and answer alike. */
export interface Place {
  readonly path: string
  readonly title: string
  readonly lead: string
}

export const places: readonly Place[] = [
  {
    path: '/sandbox/atm',
    title: 'ATM',
    lead: 'Payments and services, then payment of purchases: the machine asks for three numbers.',
  },
  {
    path: '/sandbox/home-banking',
    title: 'Home banking',
    lead: 'Pay a bill by reference from the current account of a bank that does not exist.',
  },
]

/** What was typed, as it was typed. */
export interface TypedTexts {
  readonly entity?: string | undefined
  readonly ref?: string | undefined
  readonly amount?: string | undefined
}

export function typingPage(place: Place, typed: TypedTexts, problem?: string): string {
  return pageOf(
    place,
    html`
      <p class="lead">${place.lead}</p>
      !${problem === undefined ? '' : html`<p class="problem" role="alert">${problem}</p>`}
      <form class="narrow-form" method="post" action="${place.path}">
        <div class="field">
          <label for="entity">Entity</label>
          <input id="entity" name="entity" required inputmode="numeric" autocomplete="off" value="${typed.entity ?? ''}"
            placeholder="21312" aria-describedby="entity-help">
          <p class="help" id="entity-help">5 digits</p>
        </div>
        <div class="field">
          <label for="ref">Reference</label>
          <input id="ref" name="ref" required inputmode="numeric" autocomplete="off" value="${typed.ref ?? ''}"
            placeholder="123 456 789" aria-describedby="ref-help">
          <p class="help" id="ref-help">9 digits, with or without spaces</p>
        </div>
        <div class="field">
          <label for="amount">Amount in euros</label>
          <input id="amount" name="amount" required inputmode="decimal" autocomplete="off" value="${typed.amount ?? ''}"
            placeholder="10.00">
        </div>
        <button type="submit">Continue</button>
      </form>`,
  )
}

/** The payer sees the final beneficiary before confirming; pressed twice, it is still one payment. */
export function confirmationPage(
  place: Place,
  payment: TypedPayment,
  beneficiary: string,
  paymentId: string,
): string {
  return pageOf(
    place,
    html`
      <p class="lead">Is this what you want to pay?</p>
      <dl class="facts narrow-form">
        !${fact('Beneficiary', beneficiary)}
        !${factsOf(payment)}
      </dl>
      <form class="row" method="post" action="${place.path}/pay">
        <input type="hidden" name="entity" value="${payment.entity}">
        <input type="hidden" name="ref" value="${payment.ref}">
        <input type="hidden" name="amount" value="${euros(payment)}">
        <input type="hidden" name="payment_id" value="${paymentId}">
        <button type="submit">Pay ${shown(payment)}</button>
        <a class="go-back" href="${place.path}">Cancel</a>
      </form>`,
  )
}

export function receiptPage(place: Place, payment: TypedPayment, at: Instant): string {
  return pageOf(
    place,
    html`
      <p class="note" role="status">Paid. Whoever waits for the money has been told.</p>
      <dl class="facts narrow-form">
        !${factsOf(payment)}
        !${fact('When', timeInWords(at))}
      </dl>
      <p><a href="${place.path}">Another payment</a></p>`,
  )
}

const refusals: Readonly<Record<PaymentRefusal | 'in_doubt', string>> = {
  badamount: 'This reference does not take that amount. Nothing was paid.',
  duplicatepayment: 'This reference has been paid already. Nothing was paid now.',
  unknown_reference: 'There is no such reference. Check the digits; nothing was paid.',
  not_started: 'This reference cannot be paid yet. Nothing was paid.',
  expired: 'The time to pay this reference is over. Nothing was paid.',
  deleted: 'This reference is not valid any more. Nothing was paid.',
  in_doubt: 'The beneficiary has not answered. The payment goes through, or the money comes back, by itself.',
}

export function refusalPage(place: Place, typed: TypedTexts, reason: keyof typeof refusals): string {
  return typingPage(place, typed, refusals[reason])
}

function pageOf({ title, path }: Place, body: string): string {
  return toolPage({ title, path, body })
}

function fact(name: string, value: string): string {
  return html`<div><dt>${name}</dt><dd>${value}</dd></div>`
}

function factsOf(payment: TypedPayment): string[] {
  return [
    fact('Entity', payment.entity),
    fact('Reference', payment.ref.replace(/\d{3}(?=\d)/g, '$& ')),
    fact('Amount', shown(payment)),
  ]
}

function shown({ amount }: TypedPayment): string {
  return amountInWords({ amount, currency: 'EUR' }, 'en')
}

/** Cents as the digits that are read again. */
function euros({ amount }: TypedPayment): string {
  return decimalText(BigInt(amount))
}
