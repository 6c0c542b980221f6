// Payments that the customer confirms later on a phone, at an ATM or at a bank.
import type Stripe from 'stripe'
import { isDeclined, isRefused, isRepeated, type Refused, unlessRefused } from '../client.ts'
import { cancelIntent, createPayment, type IntentDeps, intentOf, isOpen, paymentAt } from '../intents.ts'

export interface PaymentElsewhere {
  readonly key: string
  readonly merchant: { readonly id: bigint }
  readonly amount: bigint
  readonly currency: string
  readonly method: 'mb_way' | 'multibanco' | 'sepa_debit'
  readonly customer: Stripe.PaymentIntentConfirmParams.PaymentMethodData['billing_details']
  readonly debit?: {
    readonly account: Stripe.PaymentIntentConfirmParams.PaymentMethodData.SepaDebit
    readonly mandate: Stripe.PaymentIntentConfirmParams.MandateData
  }
}

export type AskedElsewhere =
  | { readonly kind: 'intent'; readonly intent: Stripe.PaymentIntent }
  | { readonly kind: 'cancelled' }
  | ({ readonly kind: 'refused' } & Refused)

/** Requests a payment once. The caller must first start the step `create`, and check that no decline is recorded. */
export async function askElsewhere(deps: IntentDeps, asked: PaymentElsewhere): Promise<AskedElsewhere> {
  const { call, requests } = deps
  const { key, method, customer, debit } = asked
  const known = await requests.find(key)
  const intent =
    known?.providerId ?? (await unlessRefused(createPayment(deps, { ...asked, intent: 'sale' }, method)))
  if (typeof intent === 'object') return { kind: 'refused', ...intent }
  if (known?.steps.confirm !== undefined) {
    const before = await paymentAt(deps, intent)
    const isAsked = before.status !== 'requires_payment_method' || before.last_payment_error !== null
    if (isAsked) return { kind: 'intent', intent: before }
  }
  const { before, request } = await requests.begin(key, 'confirm')
  if (request.steps.cancel !== undefined) {
    if (before !== 'new') return { kind: 'intent', intent: await paymentAt(deps, intent) }
    await requests.record(key, 'confirm', {
      answer: { intent: 'sale', currency: asked.currency, decline: 'cancelled' },
    })
    return { kind: 'cancelled' }
  }
  const params: Stripe.PaymentIntentConfirmParams = {
    payment_method_data: {
      type: method,
      ...(customer && { billing_details: customer }),
      ...(debit && { sepa_debit: debit.account }),
    },
    ...(debit && { mandate_data: debit.mandate }),
    expand: ['latest_charge'],
  }
  try {
    const confirmed = await call((stripe) =>
      stripe.paymentIntents.confirm(intentOf(request), params, { idempotencyKey: `${key}:confirm` }),
    )
    await requests.record(key, 'confirm', { status: confirmed.status })
    return { kind: 'intent', intent: confirmed }
  } catch (error) {
    if (!isDeclined(error) && !isRefused(error) && !isRepeated(error)) throw error
    const state = await paymentAt(deps, intent)
    if (!isRefused(error) || !isOpen(state) || state.last_payment_error !== null)
      return { kind: 'intent', intent: state }
    await cancelIntent(call, intent, key)
    return { kind: 'intent', intent: await paymentAt(deps, intent) }
  }
}
