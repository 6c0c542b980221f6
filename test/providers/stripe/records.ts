// The records of the fake of Stripe: intents, charges and refunds.
import {
  authenticatedCards,
  type CardProblem,
  declinedCards,
  declinedLater,
  refundSucceedsLater,
} from './cards.ts'
import { invalid, StripeFailure } from './failure.ts'
import { type Form, textAt, wholeAt } from './form.ts'

export interface Method {
  readonly id: string
  readonly type: string
  readonly number: string | undefined
  readonly phone: string | undefined
  readonly email: string | undefined
  readonly iban: string | undefined
}

export interface Charge {
  readonly id: string
  readonly object: 'charge'
  status: 'succeeded' | 'failed'
  amount_captured: number
  amount_refunded: number
  refunded: boolean
  readonly created: number
  readonly payment_method_details: object
}

export interface Intent {
  readonly id: string
  readonly object: 'payment_intent' | 'setup_intent'
  readonly amount: number
  readonly currency: string
  readonly capture_method: string
  readonly types: readonly string[]
  readonly severalCaptures: boolean
  metadata: Record<string, string>
  status: string
  amount_capturable: number
  amount_received: number
  problem: object | null
  next_action: {
    type: string
    redirect_to_url?: { url: string; return_url: string }
    multibanco_display_details?: { entity: string; reference: string; expires_at: number }
  } | null
  method: Method | undefined
  charge: Charge | undefined
}

export interface Refund {
  readonly id: string
  readonly object: 'refund'
  readonly payment_intent: string
  readonly amount: number
  readonly metadata: Record<string, string>
  status: 'pending' | 'succeeded' | 'failed'
  failure_reason?: string
}

export type Emit = (type: string, object: object) => void

let made = 0
export const newId = (prefix: string): string => `${prefix}_${String(++made).padStart(14, '0')}Cmp`

function unexpected(intent: Intent): StripeFailure {
  const name = intent.object === 'setup_intent' ? 'setup_intent' : 'payment_intent'
  return invalid(`${name}_unexpected_state`)
}

/** `expand` replaces the charge's id by the charge. */
export function intentOnWire(intent: Intent, expand: readonly unknown[] = []): object {
  const { types, severalCaptures, problem, method, charge, ...plain } = intent
  const common = {
    ...plain,
    allowed_payment_method_types: types,
    payment_method: method?.id ?? null,
    payment_method_types: types,
  }
  if (intent.object === 'setup_intent') return { ...common, last_setup_error: problem }
  const latest = expand.includes('latest_charge') ? charge : charge?.id
  return { ...common, last_payment_error: problem, latest_charge: latest ?? null }
}

function chargeOf(intent: Intent, status: Charge['status']): Charge {
  const multicapture = { status: intent.severalCaptures ? 'available' : 'unavailable' }
  const shown = intent.next_action?.multibanco_display_details
  const card = { authorization_code: String(100_000 + made).slice(-6), multicapture }
  return {
    ...{ id: newId('ch'), object: 'charge', status, refunded: false },
    ...{ amount_captured: 0, amount_refunded: 0 },
    created: Math.floor(Date.now() / 1000),
    payment_method_details: {
      type: intent.method?.type,
      ...(intent.method?.type === 'card' && { card }),
      ...(shown !== undefined && { multibanco: { entity: shown.entity, reference: shown.reference } }),
    },
  }
}

export function confirmIntent(intent: Intent, form: Form, pageUrl: string, emit: Emit): void {
  if (!/^requires_(payment_method|confirmation)$/.test(intent.status)) throw unexpected(intent)
  const { method } = intent
  if (method === undefined) throw invalid('parameter_missing', 'payment_method')
  if (!intent.types.includes(method.type)) throw invalid('payment_intent_invalid_parameter', 'payment_method')
  if (method.type === 'sepa_debit') return orderDebit(intent, method, form, emit)
  if (method.type !== 'card') return askElsewhere(intent, method, emit)
  const problem = declinedCards[method.number ?? '']
  if (problem !== undefined) return failCard(intent, problem, emit)
  const offSession = textAt(form, 'off_session') === 'true'
  if (method.number === declinedLater && offSession)
    return failCard(intent, { code: 'card_declined', decline_code: 'insufficient_funds' }, emit)
  const hasProof =
    textAt(form, 'payment_method_options', 'card', 'three_d_secure', 'cryptogram') !== undefined
  if (!authenticatedCards.includes(method.number ?? '') || hasProof) return payIntent(intent, emit)
  if (offSession || textAt(form, 'error_on_requires_action') === 'true')
    return failCard(
      intent,
      { code: 'authentication_required', decline_code: 'authentication_required' },
      emit,
    )
  const return_url = textAt(form, 'return_url')
  if (return_url === undefined) throw invalid('parameter_missing', 'return_url')
  intent.status = 'requires_action'
  intent.next_action = { type: 'redirect_to_url', redirect_to_url: { url: pageUrl, return_url } }
  emit(`${intent.object}.requires_action`, intentOnWire(intent))
}

function orderDebit(intent: Intent, { email, iban }: Method, form: Form, emit: Emit): void {
  if (email === undefined) throw invalid('parameter_missing', 'payment_method_data[billing_details][email]')
  const accepted = ['ip_address', 'user_agent'].every(
    (name) => textAt(form, 'mandate_data', 'customer_acceptance', 'online', name) !== undefined,
  )
  if (!accepted) throw invalid('parameter_missing', 'mandate_data')
  if (iban === undefined || iban.startsWith('XK')) throw invalid('invalid_bank_account_iban', 'iban')
  intent.status = 'processing'
  emit('payment_intent.processing', intentOnWire(intent))
}

function askElsewhere(intent: Intent, method: Method, emit: Emit): void {
  if (method.type === 'mb_way' && method.phone === undefined)
    throw invalid('parameter_missing', 'payment_method_data[billing_details][phone]')
  if (method.type === 'multibanco' && method.email === undefined)
    throw invalid('parameter_missing', 'payment_method_data[billing_details][email]')
  if (method.phone === unknownPhone)
    return failIntent(
      intent,
      { type: 'invalid_request_error', code: 'payment_method_provider_decline' },
      emit,
    )
  intent.status = 'requires_action'
  intent.next_action = { type: `${method.type}_await_notification` }
  if (method.type !== 'multibanco') return
  const reference = String(600_000_000 + made).replace(/(...)(...)(...)/, '$1 $2 $3')
  const expires_at = Math.floor(Date.now() / 1000) + 7 * 24 * 3600
  intent.next_action.multibanco_display_details = { entity: '11249', reference, expires_at }
}

export const unknownPhone = '+351919999999'

export function payIntent(intent: Intent, emit: Emit): void {
  const charge = chargeOf(intent, 'succeeded')
  intent.next_action = null
  intent.problem = null
  if (intent.object === 'setup_intent') intent.status = 'succeeded'
  else {
    intent.charge = charge
    if (intent.capture_method === 'manual') {
      intent.status = 'requires_capture'
      intent.amount_capturable = intent.amount
      return emit('payment_intent.amount_capturable_updated', intentOnWire(intent))
    }
    intent.status = 'succeeded'
    intent.amount_received = intent.amount
    intent.charge.amount_captured = intent.amount
  }
  emit(`${intent.object}.succeeded`, intentOnWire(intent))
}

export function failIntent(intent: Intent, problem: object, emit: Emit): void {
  intent.next_action = null
  intent.status = 'requires_payment_method'
  intent.problem = problem
  if (intent.object === 'payment_intent') intent.charge = chargeOf(intent, 'failed')
  emit(
    intent.object === 'setup_intent' ? 'setup_intent.setup_failed' : 'payment_intent.payment_failed',
    intentOnWire(intent),
  )
}

function failCard(intent: Intent, problem: CardProblem, emit: Emit): never {
  const error = { type: 'card_error', message: 'Your card was declined.', ...problem }
  failIntent(intent, error, emit)
  throw new StripeFailure(402, { ...error, [intent.object]: intentOnWire(intent) })
}

export function captureIntent(intent: Intent, form: Form, emit: Emit): void {
  if (intent.status !== 'requires_capture' || intent.charge === undefined) throw unexpected(intent)
  const amount = wholeAt(form, 'amount_to_capture') ?? intent.amount_capturable
  const isFinal = textAt(form, 'final_capture') !== 'false'
  if (!isFinal && !intent.severalCaptures) throw invalid('parameter_invalid', 'final_capture')
  if (amount > intent.amount_capturable) throw invalid('amount_too_large', 'amount_to_capture')
  intent.amount_received += amount
  intent.charge.amount_captured += amount
  intent.amount_capturable = isFinal ? 0 : intent.amount_capturable - amount
  addMetadata(intent, form)
  if (intent.amount_capturable > 0) return
  intent.status = 'succeeded'
  emit('payment_intent.succeeded', intentOnWire(intent))
}

export function cancelIntent(intent: Intent, emit: Emit): void {
  if (!/^requires_/.test(intent.status)) throw unexpected(intent)
  intent.status = intent.amount_received > 0 ? 'succeeded' : 'canceled'
  intent.amount_capturable = 0
  intent.next_action = null
  if (intent.charge !== undefined && intent.amount_received === 0) intent.charge.refunded = true
  emit(`${intent.object}.canceled`, intentOnWire(intent))
}

export function refundIntent(intent: Intent, form: Form, emit: Emit, isLater: boolean): Refund {
  const { charge } = intent
  if (charge === undefined || charge.status === 'failed' || charge.amount_captured === 0)
    throw unexpected(intent)
  const left = charge.amount_captured - charge.amount_refunded
  const amount = wholeAt(form, 'amount') ?? left
  if (left === 0) throw invalid('charge_already_refunded')
  if (!(amount > 0)) throw invalid('parameter_invalid_integer', 'amount')
  if (amount > left) throw invalid('', 'amount')
  charge.amount_refunded += amount
  charge.refunded = charge.amount_refunded === charge.amount_captured
  const status = isLater || intent.method?.number === refundSucceedsLater ? 'pending' : 'succeeded'
  const refund: Refund = {
    ...{ id: newId('re'), object: 'refund', payment_intent: intent.id, amount, status },
    metadata: { ...(form.metadata as Record<string, string> | undefined) },
  }
  emit('refund.created', refund)
  return refund
}

export function addMetadata(intent: Intent, form: Form): void {
  intent.metadata = { ...intent.metadata, ...(form.metadata as Record<string, string> | undefined) }
}
