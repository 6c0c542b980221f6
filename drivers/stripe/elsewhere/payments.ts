// Payments that a phone, an ATM or a bank confirms later.
import type Stripe from 'stripe'
import { isDeclined, isRefused, isRepeated, type Refused, unlessRefused } from '../client.ts'
import { cancelIntent, type IntentDeps, intentOf, isOpen, type KeptAnswer } from '../intents.ts'

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

/** Requests a payment once. The caller has begun the step `create` and found no recorded decline. */
export async function askElsewhere(
  deps: IntentDeps,
  asked: PaymentElsewhere,
  signal: AbortSignal | undefined,
): Promise<AskedElsewhere> {
  const { call, requests } = deps
  const { key, method, customer, debit } = asked
  const known = await requests.find(key)
  const intent = known?.providerId ?? (await unlessRefused(create(deps, asked, signal)))
  if (typeof intent === 'object') return { kind: 'refused', ...intent }
  if (known?.steps.confirm !== undefined) {
    const before = await paymentAt(deps, intent, signal)
    const isAsked = before.status !== 'requires_payment_method' || before.last_payment_error !== null
    if (isAsked) return { kind: 'intent', intent: before }
  }
  const { before, request } = await requests.begin(key, 'confirm')
  if (request.steps.cancel !== undefined) {
    if (before !== 'new') return { kind: 'intent', intent: await paymentAt(deps, intent, signal) }
    await requests.record(key, 'confirm', { answer: { ...keptAbout(asked), decline: 'cancelled' } })
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
    const confirmed = await call(signal, (stripe) =>
      stripe.paymentIntents.confirm(intentOf(request), params, { idempotencyKey: `${key}:confirm` }),
    )
    await requests.record(key, 'confirm', { status: confirmed.status })
    return { kind: 'intent', intent: confirmed }
  } catch (error) {
    if (!isDeclined(error) && !isRefused(error) && !isRepeated(error)) throw error
    const state = await paymentAt(deps, intent, signal)
    if (!isRefused(error) || !isOpen(state) || state.last_payment_error !== null)
      return { kind: 'intent', intent: state }
    await cancelIntent(call, intent, key, signal)
    return { kind: 'intent', intent: await paymentAt(deps, intent, signal) }
  }
}

const keptAbout = ({ currency }: PaymentElsewhere): KeptAnswer => ({ intent: 'sale', currency })

async function create(
  { call, requests }: IntentDeps,
  asked: PaymentElsewhere,
  signal: AbortSignal | undefined,
): Promise<string> {
  const { key, merchant, amount, currency, method } = asked
  const { id } = await call(signal, (stripe) =>
    stripe.paymentIntents.create(
      {
        ...{ amount: Number(amount), currency: currency.toLowerCase() },
        allowed_payment_method_types: [method],
        metadata: { comporta_key: key, comporta_wallet: String(merchant.id) },
      },
      { idempotencyKey: `${key}:create` },
    ),
  )
  await requests.record(key, 'create', { providerId: id, answer: keptAbout(asked) })
  return id
}

export function paymentAt(
  { call }: IntentDeps,
  intent: string,
  signal?: AbortSignal,
): Promise<Stripe.PaymentIntent> {
  return call(signal, (stripe) => stripe.paymentIntents.retrieve(intent, { expand: ['latest_charge'] }))
}
