// Follow-ups of a payment at Stripe: capture, release, refund, reversal.
import type Stripe from 'stripe'
import type { RailRequest } from '../../src/connections/index.ts'
import type {
  AcquirerAnswer,
  CardAcquirer,
  FollowUp,
  FollowUpDecline,
  NotReceived,
  RefundAnswer,
  Release,
  Reversal,
} from '../../src/rails/index.ts'
import { isDeclined, isRefused, isRepeated } from './client.ts'
import {
  answerKept,
  cancelIntent,
  cancelled,
  declineOf,
  type IntentDeps,
  keptOf,
  notFound,
  paymentAt,
  within,
} from './intents.ts'
import { type RefundOutcome, refund, refundOf, refundsOf } from './refunds.ts'

const verbs = ['capture', 'release', 'refund', 'reverse'] as const
type Verb = (typeof verbs)[number]
type Declined = Extract<AcquirerAnswer, { kind: 'declined' }>

type Asked = Pick<FollowUp, 'key' | 'original'> & Partial<Pick<FollowUp, 'merchant' | 'currency'>>

export function isFollowUp(request: RailRequest): boolean {
  return request.steps.follow !== undefined || verbOf(request) !== undefined
}

function verbOf({ steps }: RailRequest): Verb | undefined {
  return verbs.find((verb) => steps[verb] !== undefined)
}

export function createFollowUps(
  deps: IntentDeps,
): Pick<CardAcquirer, 'capture' | 'release' | 'refund' | 'reverse'> {
  return {
    capture(asked, signal) {
      const own = within(deps, signal)
      return follow(own, 'capture', asked, ({ intent }) => capture(own, asked, intent))
    },
    release(asked, signal) {
      const own = within(deps, signal)
      return follow(own, 'release', asked, ({ intent }) => release(own, asked, intent))
    },
    refund: (asked, signal) => refundPaid(within(deps, signal), asked),
    reverse: (asked, signal) => reversePaid(within(deps, signal), asked),
  }
}

export function refundPaid(
  deps: IntentDeps,
  asked: Asked & Pick<FollowUp, 'amount'>,
): Promise<AcquirerAnswer> {
  return follow(deps, 'refund', asked, async (original) =>
    answerOfRefund(await refund(deps, 'refund', { ...asked, ...original })),
  )
}

export function reversePaid(deps: IntentDeps, asked: Reversal): Promise<AcquirerAnswer> {
  return follow(deps, 'reverse', asked, (original) => reverse(deps, asked.key, original))
}

const exceedsHold = { kind: 'declined', decline: 'exceeds_hold' } as const
const exceedsPayment = { kind: 'declined', decline: 'exceeds_payment' } as const
const notPermitted = { kind: 'declined', decline: 'not_permitted' } as const

const followed = {
  capture: { intents: ['hold'], nothing: 'exceeds_hold' },
  release: { intents: ['hold'], nothing: 'exceeds_hold' },
  refund: { intents: ['sale', 'capture'], nothing: 'exceeds_payment' },
  reverse: { intents: ['sale', 'hold', 'capture'], nothing: 'exceeds_payment' },
} as const satisfies Record<Verb, { intents: readonly string[]; nothing: FollowUpDecline }>

interface Original {
  readonly original: string
  readonly intent: string
  readonly was: 'sale' | 'hold' | 'capture'
}

/**
 * Records the original and the step, asks about earlier calls, then calls. It also records declines, because Stripe
 * does not store them.
 */
async function follow(
  deps: IntentDeps,
  verb: Verb,
  asked: Asked,
  ask: (original: Original) => Promise<AcquirerAnswer>,
): Promise<AcquirerAnswer> {
  const { requests } = deps
  const { key } = asked
  const decline = async (answer: Declined) => {
    await requests.record(key, verb, { status: 'declined', answer: { decline: answer.decline } })
    return answer
  }
  const before = await requests.find(key)
  if (before !== undefined && isFollowUp(before)) {
    const answer = await answerOfFollowUp(deps, before)
    if (answer.kind !== 'not_found') return answer
  }
  const known = await requests.find(asked.original)
  const original = known && originalOf(known, verb, asked)
  if (original === undefined) return decline({ kind: 'declined', decline: followed[verb].nothing })
  const { original: of, intent } = original
  const kept = { ...(verb === 'capture' && { intent: verb }), currency: asked.currency }
  await requests.record(key, 'follow', { ids: { intent, original: of }, answer: kept })
  const { before: started, request } = await requests.begin(key, verb)
  if (request.steps.cancel !== undefined && started !== 'new') {
    const sent = await answerOfFollowUp(deps, request)
    return sent.kind === 'not_found' ? cancelled : sent
  }
  const answer = request.steps.cancel === undefined ? await ask(original) : cancelled
  if (answer.kind === 'declined') return decline(answer)
  if (answer.kind === 'approved') await requests.record(key, verb, { status: 'approved' })
  return answer
}

function originalOf(request: RailRequest, verb: Verb, { merchant, currency }: Asked): Original | undefined {
  const { intent: was, currency: is } = keptOf(request)
  const intent = request.ids.intent ?? request.providerId
  const isTheirs = merchant === undefined || request.walletId === merchant.id
  const isOfCurrency = currency === undefined || is === currency
  const intents: readonly (string | undefined)[] = followed[verb].intents
  if (intent === undefined || !isTheirs || !isOfCurrency || !intents.includes(was)) return undefined
  return { original: request.key, intent, was: was as Original['was'] }
}

export async function answerOfFollowUp(
  deps: IntentDeps,
  request: RailRequest,
): Promise<AcquirerAnswer | NotReceived> {
  const known = answerKept(request)
  if (known !== undefined) return known
  const verb = verbOf(request)
  const { intent } = request.ids
  const nothing = request.steps.cancel === undefined ? notFound : cancelled
  if (verb === undefined || intent === undefined) return nothing
  if (verb === 'refund' || verb === 'reverse') {
    const given = await refundOf(deps, request)
    if (given.kind !== 'not_found') return answerOfRefund(given)
    if (verb === 'refund') return nothing
  }
  const paid = await paymentAt(deps, intent)
  const isDone =
    verb === 'capture'
      ? capturedBy(paid, request.key) !== undefined
      : verb === 'release'
        ? paid.amount_capturable === 0
        : paid.status === 'canceled'
  return isDone ? approvedBy(paid) : nothing
}

/**
 * Captures a part of a hold. Unless the issuer allows several captures, Stripe releases the rest after the first one.
 * The metadata has the captured amount by key.
 */
async function capture(deps: IntentDeps, { key, amount }: FollowUp, intent: string): Promise<AcquirerAnswer> {
  const paid = await paymentAt(deps, intent)
  if (capturedBy(paid, key) !== undefined) return approvedBy(paid)
  if (paid.status !== 'requires_capture' || paid.amount_capturable < amount) return exceedsHold
  const { latest_charge: charge } = paid
  const card = charge === null || typeof charge === 'string' ? undefined : charge.payment_method_details?.card
  try {
    const captured = await deps.call((stripe) =>
      stripe.paymentIntents.capture(
        intent,
        {
          amount_to_capture: Number(amount),
          metadata: { [captureName(key)]: String(amount) },
          ...(card?.multicapture?.status === 'available' && { final_capture: false }),
        },
        { idempotencyKey: `${key}:capture` },
      ),
    )
    return approvedBy(captured)
  } catch (error) {
    if (isDeclined(error)) return { kind: 'declined', decline: declineOf(error) }
    if (!isRefused(error) && !isRepeated(error)) throw error
    if (capturedBy(await paymentAt(deps, intent), key) !== undefined) return approvedBy(paid)
    if (!isRefused(error)) return { kind: 'unknown', why: 'it is being captured' }
    return tooMuch.test(`${error.code}`) || error.param === 'amount_to_capture' ? exceedsHold : notPermitted
  }
}

/** Stripe's codes for a hold that is too small or has ended. */
const tooMuch = /^(amount_too_large|payment_intent_unexpected_state|charge_expired_for_capture)$/

/** Releases a hold. Stripe can release only the whole hold. */
async function release(deps: IntentDeps, { key, amount }: Release, intent: string): Promise<AcquirerAnswer> {
  const paid = await paymentAt(deps, intent)
  const { status, amount_capturable: held, amount: whole, amount_received: taken } = paid
  if (status !== 'requires_capture') {
    // A completed capture has already released the rest.
    const freed = status === 'succeeded' ? whole - taken : 0
    const isFreed = amount === 'all' ? /^(succeeded|canceled)$/.test(status) : amount <= freed
    return isFreed ? approvedBy(paid) : exceedsHold
  }
  if (amount !== 'all' && amount !== BigInt(held)) return amount > held ? exceedsHold : notPermitted
  await cancelIntent(deps.call, intent, key)
  const after = await paymentAt(deps, intent)
  return after.amount_capturable === 0
    ? approvedBy(after)
    : { kind: 'unknown', why: `Stripe says ${after.status}` }
}

/** Refunds a sale or capture, or cancels a hold. Stripe cannot undo a refund or release. */
async function reverse(
  deps: IntentDeps,
  key: string,
  { original, intent, was }: Original,
): Promise<AcquirerAnswer> {
  const paid = await paymentAt(deps, intent)
  if (was === 'hold') {
    if (paid.status !== 'requires_capture' || paid.amount_received > 0) return exceedsPayment
    await cancelIntent(deps.call, intent, key)
    const after = await paymentAt(deps, intent)
    return after.status === 'canceled'
      ? approvedBy(after)
      : { kind: 'unknown', why: `Stripe says ${after.status}` }
  }
  const amount = was === 'capture' ? capturedBy(paid, original) : undefined
  if (was === 'capture' ? amount === undefined : paid.status !== 'succeeded') return exceedsPayment
  const followers = (await refundsOf(deps, intent)).filter(
    ({ status, metadata }) =>
      status !== 'failed' &&
      status !== 'canceled' &&
      metadata?.comporta_key !== key &&
      (was === 'sale' || metadata?.comporta_of === original),
  )
  if (followers.length > 0) return exceedsPayment
  return answerOfRefund(await refund(deps, 'reverse', { key, original, intent, amount }))
}

export function answerOfGivenBack(answer: AcquirerAnswer): RefundAnswer {
  if (answer.kind === 'approved') return { kind: 'approved', reference: answer.reference }
  if (answer.kind !== 'declined') return answer
  return {
    kind: 'declined',
    reason: answer.decline === 'exceeds_payment' ? 'amount_exceeds_remaining' : 'not_possible',
  }
}

function answerOfRefund(outcome: RefundOutcome): AcquirerAnswer
function answerOfRefund(outcome: RefundOutcome | NotReceived): AcquirerAnswer | NotReceived
function answerOfRefund(outcome: RefundOutcome | NotReceived): AcquirerAnswer | NotReceived {
  if (outcome.kind === 'pending') return { kind: 'unknown', why: 'Stripe has not refunded it yet' }
  if (outcome.kind !== 'declined') return outcome
  const { reason } = outcome
  if (reason === 'exceeds') return exceedsPayment
  return reason === 'not_possible' ? notPermitted : { kind: 'declined', decline: reason }
}

/** The name of a capture in the metadata. Stripe allows 40 characters. */
const captureName = (key: string): string => `cap_${key.replaceAll('-', '')}`

function capturedBy({ metadata }: Stripe.PaymentIntent, key: string): bigint | undefined {
  const captured = metadata[captureName(key)]
  return captured === undefined ? undefined : BigInt(captured)
}

/** The key of the capture with this amount. Undefined if none or several captures have it. */
export function keyOfCapture({ metadata }: Stripe.PaymentIntent, amount: bigint): string | undefined {
  const fitting = Object.entries(metadata).filter(
    ([name, captured]) => /^cap_[0-9a-f]{32}$/.test(name) && captured === String(amount),
  )
  const [[name] = [], ...others] = fitting
  if (name === undefined || others.length > 0) return undefined
  return name.slice(4).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

function approvedBy({ id }: Stripe.PaymentIntent): AcquirerAnswer {
  return { kind: 'approved', reference: id }
}
