// PaymentIntents and SetupIntents, and the records of their requests.

import type Stripe from 'stripe'
import type { RailRequest, RailRequests } from '../../src/connections/index.ts'
import { isUuid } from '../../src/kernel/random.ts'
import { after, day, type Instant, instant, second } from '../../src/kernel/time.ts'
import type {
  AcquirerAnswer,
  CustomerNeeded,
  DeclineReason,
  HoldAnswer,
  NotReceived,
  ReferenceName,
  WalletDecline,
} from '../../src/rails/index.ts'
import { type CallStripe, isRefused, isRepeated } from './client.ts'

export interface IntentDeps {
  readonly call: CallStripe
  readonly requests: RailRequests
}

/** The same dependencies with calls that end when the signal aborts. */
export function within<Deps extends IntentDeps>(deps: Deps, signal: AbortSignal | undefined): Deps {
  return { ...deps, call: deps.call.within(signal) }
}

export interface KeptAnswer {
  readonly intent?: 'sale' | 'hold' | 'verify' | 'capture' | undefined
  readonly currency?: string | undefined
  /** The reason of a decline that was recorded before any money could move. */
  readonly decline?: string | undefined
  readonly reference?: ReferenceName | undefined
}

/** Our key in an object. Undefined if another system made the object, whose metadata can contain anything. */
export function keyIn(metadata: unknown): string | undefined {
  const key = (metadata as { readonly comporta_key?: unknown } | null | undefined)?.comporta_key
  return typeof key === 'string' && isUuid(key) ? key : undefined
}

export const keptOf = (request: RailRequest): KeptAnswer => (request.answer ?? {}) as KeptAnswer

const movingSteps = ['confirm', 'capture', 'release', 'refund', 'reverse']

/**
 * The recorded reason of a decline. It is `cancelled` if the gateway cancelled the payment before the driver sent it.
 */
export function declineKept(request: RailRequest): string | undefined {
  const { decline } = keptOf(request)
  // If another process confirmed the intent, the result of that call decides.
  const isLast = request.steps.confirm === undefined || decline === 'cancelled'
  if (decline !== undefined && isLast) return decline
  const wasSent = movingSteps.some((step) => request.steps[step] !== undefined)
  return request.steps.cancel !== undefined && !wasSent ? 'cancelled' : undefined
}

type Declined = Extract<AcquirerAnswer, { kind: 'declined' }>

export function answerKept(request: RailRequest): Declined | undefined {
  const decline = declineKept(request) as Declined['decline'] | undefined
  return decline && { kind: 'declined', decline }
}

export function intentOf({ providerId, key }: RailRequest): string {
  if (providerId === undefined) throw new Error(`request ${key} has no id at Stripe`)
  return providerId
}

export interface PaymentAsked {
  readonly key: string
  readonly merchant: { readonly id: bigint }
  readonly amount: bigint
  readonly currency: string
  readonly intent: 'sale' | 'hold' | 'verify'
}

const severalCaptures: Partial<Stripe.PaymentIntentCreateParams> = {
  capture_method: 'manual',
  payment_method_options: { card: { request_multicapture: 'if_available' } },
}

/** Creates a PaymentIntent, or a SetupIntent to verify a card. It records the id before anything is confirmed. */
export async function createPayment(
  { call, requests }: IntentDeps,
  { key, merchant, amount, currency, intent }: PaymentAsked,
  method: 'card' | 'mb_way' | 'multibanco' | 'sepa_debit',
): Promise<string> {
  const options = { idempotencyKey: `${key}:create` }
  const metadata = { comporta_key: key, comporta_wallet: String(merchant.id) }
  const { id } = await call<{ id: string }>((stripe) =>
    intent === 'verify'
      ? stripe.setupIntents.create(
          { allowed_payment_method_types: ['card'], metadata, usage: 'off_session' },
          options,
        )
      : stripe.paymentIntents.create(
          {
            ...{ metadata, amount: Number(amount), currency: currency.toLowerCase() },
            allowed_payment_method_types: [method],
            ...(intent === 'hold' && severalCaptures),
          },
          options,
        ),
  )
  await requests.record(key, 'create', { providerId: id, answer: { intent, currency } })
  return id
}

export function paymentAt({ call }: Pick<IntentDeps, 'call'>, intent: string): Promise<Stripe.PaymentIntent> {
  return call((stripe) => stripe.paymentIntents.retrieve(intent, { expand: ['latest_charge'] }))
}

export async function retrieveIntent(call: CallStripe, intent: string): Promise<IntentState> {
  return call(async (stripe) =>
    intent.startsWith('seti_')
      ? stateOfSetup(await stripe.setupIntents.retrieve(intent))
      : stateOfPayment(await paymentAt({ call }, intent)),
  )
}

/**
 * Cancels an intent. Stripe refuses this if the intent was completed meanwhile, so the caller must read it
 * afterwards.
 */
export async function cancelIntent(call: CallStripe, intent: string, key: string): Promise<void> {
  const options = { idempotencyKey: `${key}:cancel` }
  try {
    await call(async (stripe) => {
      if (intent.startsWith('seti_')) await stripe.setupIntents.cancel(intent, {}, options)
      else await stripe.paymentIntents.cancel(intent, {}, options)
    })
  } catch (error) {
    if (!isRefused(error) && !isRepeated(error)) throw error
  }
}

export interface IntentState {
  readonly id: string
  readonly status: string
  readonly problem?: StripeProblem | null | undefined
  readonly charge?: Pick<Stripe.Charge, 'status' | 'payment_method_details'> | undefined
  readonly redirect?: string | null | undefined
  readonly heldUntil?: Instant | undefined
}

export interface StripeProblem {
  readonly code?: string | null | undefined
  readonly decline_code?: string | null | undefined
}

export function stateOfPayment(intent: Stripe.PaymentIntent): IntentState {
  const { id, status, last_payment_error: problem, latest_charge, next_action: next } = intent
  const charge = latest_charge === null || typeof latest_charge === 'string' ? undefined : latest_charge
  const isHold = intent.capture_method === 'manual' && charge?.status === 'succeeded'
  return {
    ...{ id, status, problem, charge, redirect: next?.redirect_to_url?.url },
    heldUntil: isHold ? holdEndOf(charge) : undefined,
  }
}

/** Stripe's default length of a hold (https://docs.stripe.com/payments/place-a-hold-on-a-payment-method). */
const holdMs = 7 * day

function holdEndOf({ created, payment_method_details: details }: Stripe.Charge): Instant {
  const { capture_before: end } = details?.card ?? {}
  return end === undefined ? after(instant(created * second), holdMs) : instant(end * second)
}

export function stateOfSetup(intent: Stripe.SetupIntent): IntentState {
  const { id, status, last_setup_error: problem, next_action: next } = intent
  return { id, status, problem, redirect: next?.redirect_to_url?.url }
}

export const cancelled = { kind: 'declined', decline: 'cancelled' } as const
export const notFound = { kind: 'not_found' } as const

/**
 * A released hold counts as approved, because it was approved before. An unconfirmed intent counts as not received,
 * because no money moved.
 */
export function answerOfIntent(intent: IntentState): AcquirerAnswer | CustomerNeeded | NotReceived {
  const { id: reference, status, problem, charge, redirect, heldUntil } = intent
  const approvalCode = charge?.payment_method_details?.card?.authorization_code ?? undefined
  const approved = {
    kind: 'approved',
    reference,
    ...(approvalCode && { approvalCode }),
    ...(heldUntil && { heldUntil }),
  } as const
  switch (status) {
    case 'succeeded':
    case 'requires_capture':
      return approved
    case 'canceled':
      if (charge?.status === 'succeeded') return approved
      return problem == null ? cancelled : { kind: 'declined', decline: declineOf(problem), reference }
    case 'requires_payment_method':
      return problem == null ? notFound : { kind: 'declined', decline: declineOf(problem), reference }
    case 'requires_confirmation':
      return notFound
    case 'requires_action':
      if (redirect != null) return { kind: 'customer', page: { url: redirect } }
      return { kind: 'unknown', why: 'the customer is asked elsewhere' }
    default:
      return { kind: 'unknown', why: `Stripe says ${status}` }
  }
}

/** A hold ends with its last capture or a cancellation. */
export function holdAnswerOf({ status }: Pick<IntentState, 'status'>): HoldAnswer {
  if (status === 'requires_capture') return { kind: 'held' }
  return /^(succeeded|canceled)$/.test(status) ? { kind: 'ended' } : notFound
}

export function isOpen({ status }: IntentState): boolean {
  return /^requires_(payment_method|confirmation|action)$/.test(status)
}

const declines: Readonly<Record<string, DeclineReason>> = {
  insufficient_funds: 'insufficient_funds',
  withdrawal_count_limit_exceeded: 'limit_exceeded',
  card_velocity_exceeded: 'limit_exceeded',
  expired_card: 'expired_card',
  invalid_expiry_month: 'expired_card',
  invalid_expiry_year: 'expired_card',
  lost_card: 'lost_or_stolen',
  stolen_card: 'lost_or_stolen',
  pickup_card: 'lost_or_stolen',
  incorrect_cvc: 'wrong_security_code',
  invalid_cvc: 'wrong_security_code',
  incorrect_number: 'invalid_card',
  invalid_number: 'invalid_card',
  invalid_account: 'invalid_card',
  new_account_information_available: 'invalid_card',
  fraudulent: 'suspected_fraud',
  merchant_blacklist: 'suspected_fraud',
  card_not_supported: 'not_permitted',
  currency_not_supported: 'not_permitted',
  not_permitted: 'not_permitted',
  restricted_card: 'not_permitted',
  service_not_allowed: 'not_permitted',
  transaction_not_allowed: 'not_permitted',
  authentication_required: 'authentication_required',
  payment_intent_authentication_failure: 'authentication_required',
  setup_intent_authentication_failure: 'authentication_required',
}

/** The reason from Stripe's codes (https://docs.stripe.com/declines/codes). An unknown code is `do_not_honour`. */
export function declineOf({ code, decline_code }: StripeProblem): DeclineReason {
  return declines[decline_code ?? ''] ?? declines[code ?? ''] ?? 'do_not_honour'
}

export function walletDeclineOf({ code, decline_code }: StripeProblem): WalletDecline {
  const words = `${code} ${decline_code}`
  if (/insufficient_funds/.test(words)) return 'insufficient_funds'
  if (/expired|timeout/.test(words)) return 'expired'
  return /phone|invalid_account/.test(words) ? 'not_registered' : 'refused'
}
