// Refunds at Stripe, found by our key in their metadata.
import type Stripe from 'stripe'
import type { RailRequest } from '../../src/connections/index.ts'
import type { NotReceived, UnknownAnswer } from '../../src/rails/index.ts'
import { isDeclined, isRefused, isRepeated } from './client.ts'
import { type IntentDeps, notFound } from './intents.ts'

export interface RefundAsked {
  readonly key: string
  readonly original: string
  readonly intent: string
  readonly amount?: bigint | undefined
}

/** `exceeds`: the amount is larger than the rest of the payment. */
export type RefundOutcome =
  | { readonly kind: 'approved'; readonly reference: string }
  | { readonly kind: 'declined'; readonly reason: 'exceeds' | 'insufficient_funds' | 'not_possible' }
  | { readonly kind: 'pending' }
  | UnknownAnswer

/** Stripe's codes for an amount that is larger than the rest. */
const nothingLeft =
  /^(charge_already_refunded|amount_too_large|payment_intent_unexpected_state|resource_missing)$/
const noMoney = /^(balance_insufficient|insufficient_funds)$/

/** Refunds once under a key. The caller must have started `step`. */
export async function refund(
  deps: IntentDeps,
  step: 'refund' | 'reverse',
  { key, original, intent, amount }: RefundAsked,
): Promise<RefundOutcome> {
  const { call, requests } = deps
  const params: Stripe.RefundCreateParams = {
    payment_intent: intent,
    metadata: { comporta_key: key, comporta_of: original },
    ...(amount !== undefined && { amount: Number(amount) }),
  }
  try {
    const made = await call((stripe) => stripe.refunds.create(params, { idempotencyKey: `${key}:${step}` }))
    await requests.record(key, step, { providerId: made.id, status: made.status ?? '' })
    return outcomeOf(made)
  } catch (error) {
    if (isRepeated(error)) return orUnknown(await findRefund(deps, { key, intent }))
    if (!isRefused(error) && !isDeclined(error)) throw error
    const word = `${error.code ?? ''}`
    return {
      kind: 'declined',
      reason:
        nothingLeft.test(word) || error.param === 'amount'
          ? 'exceeds'
          : noMoney.test(word)
            ? 'insufficient_funds'
            : 'not_possible',
    }
  }
}

export async function refundOf(deps: IntentDeps, request: RailRequest): Promise<RefundOutcome | NotReceived> {
  const { providerId } = request
  if (providerId !== undefined)
    return outcomeOf(await deps.call((stripe) => stripe.refunds.retrieve(providerId)))
  const { intent } = request.ids
  return intent === undefined ? notFound : findRefund(deps, { key: request.key, intent })
}

async function findRefund(
  deps: IntentDeps,
  { key, intent }: { readonly key: string; readonly intent: string },
): Promise<RefundOutcome | NotReceived> {
  const made = (await refundsOf(deps, intent)).find(({ metadata }) => metadata?.comporta_key === key)
  return made === undefined ? notFound : outcomeOf(made)
}

export async function refundsOf({ call }: IntentDeps, intent: string): Promise<readonly Stripe.Refund[]> {
  return call(async (stripe) => {
    const found: Stripe.Refund[] = []
    for await (const one of stripe.refunds.list({ payment_intent: intent, limit: 100 })) found.push(one)
    return found
  })
}

function outcomeOf({ id, status }: Pick<Stripe.Refund, 'id' | 'status'>): RefundOutcome {
  if (status === 'succeeded') return { kind: 'approved', reference: id }
  if (status === 'failed' || status === 'canceled') return { kind: 'declined', reason: 'not_possible' }
  return { kind: 'pending' }
}

function orUnknown(outcome: RefundOutcome | NotReceived): RefundOutcome {
  return outcome.kind === 'not_found' ? { kind: 'unknown', why: 'the refund is under way' } : outcome
}
