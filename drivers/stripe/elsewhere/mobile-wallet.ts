// MB WAY at Stripe: payments and refunds, without holds and mandates.
import type Stripe from 'stripe'
import type { Clock } from '../../../src/kernel/time.ts'
import type {
  AcquirerAnswer,
  MobileWallet,
  NotReceived,
  UnknownAnswer,
  WalletDecline,
  WalletFollowUp,
  WalletFollowUpAnswer,
  WalletPaymentAnswer,
  WalletPaymentRequest,
} from '../../../src/rails/index.ts'
import { answerOfFollowUp, isFollowUp, refundPaid, reversePaid } from '../follow-ups.ts'
import {
  cancelIntent,
  declineKept,
  type IntentDeps,
  intentOf,
  isOpen,
  notFound,
  paymentAt,
  walletDeclineOf,
  within,
} from '../intents.ts'
import { askElsewhere } from './payments.ts'

export interface MobileWalletDeps extends IntentDeps {
  readonly clock: Clock
}

type Answer = WalletPaymentAnswer | UnknownAnswer

const notPermitted = { kind: 'declined', decline: 'not_permitted' } as const

export function createMobileWallet(deps: MobileWalletDeps): MobileWallet {
  const { requests } = deps

  async function declineAlways({ key }: { key: string }, step: string): Promise<typeof notPermitted> {
    await requests.record(key, step, { status: 'declined', answer: { decline: notPermitted.decline } })
    return notPermitted
  }

  return {
    lacks: () => ['mandates', 'holds', 'partial releases'],
    findCustomer: async () => ({ kind: 'unsupported' }),
    async requestPayment(asked, signal) {
      signal?.throwIfAborted()
      return requestPayment(within(deps, signal), asked)
    },
    async inquirePayment(key) {
      const request = await requests.find(key)
      if (request === undefined) return notFound
      const kept = declineKept(request)
      if (kept !== undefined) return declinedBy(kept)
      if (request.steps.confirm === undefined) return notFound
      return answerOf(await paymentAt(deps, intentOf(request)))
    },
    async withdrawPayment(key, signal) {
      const own = within(deps, signal)
      const { request } = await requests.begin(key, 'cancel')
      const kept = declineKept(request)
      if (kept !== undefined) return declinedBy(kept)
      const intent = intentOf(request)
      const paid = await paymentAt(own, intent)
      if (!isOpen(paid) || paid.last_payment_error !== null) return answerOf(paid)
      await cancelIntent(own.call, intent, key)
      return answerOf(await paymentAt(own, intent))
    },
    requestMandate: async () => notPermitted,
    withdrawMandate: async () => notFound,
    mandateHistory: async () => notFound,
    cancelMandate: async () => notFound,
    capture: (asked) => declineAlways(asked, 'capture'),
    release: (asked) => declineAlways(asked, 'release'),
    refund: async ({ key, payment: original, amount }: WalletFollowUp, signal) =>
      followUpAnswer(await refundPaid(within(deps, signal), { key, original, amount })),
    async inquireFollowUp(key) {
      const request = await requests.find(key)
      if (request === undefined || !isFollowUp(request)) return notFound
      return followUpAnswer(await answerOfFollowUp(deps, request))
    },
    async cancelFollowUp(key, signal) {
      const { request } = await requests.begin(key, 'cancel')
      const answer = isFollowUp(request) ? await answerOfFollowUp(within(deps, signal), request) : notFound
      return answer.kind === 'not_found' ? declinedBy('cancelled') : followUpAnswer(answer)
    },
    reverse: async (reversal, signal) => followUpAnswer(await reversePaid(within(deps, signal), reversal)),
  }
}

/** Declines requests that Stripe does not support without a call. */
async function requestPayment(deps: MobileWalletDeps, asked: WalletPaymentRequest): Promise<Answer> {
  const { requests, clock } = deps
  const { key, phone, intent, opens, expires } = asked
  const { before, request } = await requests.begin(key, 'create')
  const kept = declineKept(request)
  if (kept !== undefined) return declinedBy(kept)
  const impossible: WalletDecline | undefined =
    intent === 'hold' || opens !== undefined
      ? 'not_permitted'
      : before === 'new' && expires <= clock.now()
        ? 'expired'
        : undefined
  const decline = async (why: WalletDecline) => {
    await requests.record(key, 'create', { status: 'declined', answer: { decline: why } })
    return declinedBy(why)
  }
  if (impossible !== undefined) return decline(impossible)
  const answer = await askElsewhere(deps, { ...asked, method: 'mb_way', customer: { phone } })
  if (answer.kind === 'cancelled') return declinedBy('cancelled')
  if (answer.kind === 'refused') return decline(answer.refused)
  const said = answerOf(answer.intent)
  return said.kind === 'not_found' ? { kind: 'unknown', why: 'Stripe does not report the result' } : said
}

function answerOf(intent: Stripe.PaymentIntent): Answer | NotReceived {
  const { id, status, last_payment_error: problem } = intent
  switch (status) {
    case 'succeeded':
      return { kind: 'approved', reference: id, byMandate: false }
    case 'processing':
    case 'requires_action':
      return { kind: 'waiting' }
    case 'canceled':
      return problem === null
        ? declinedBy('cancelled')
        : { kind: 'declined', decline: walletDeclineOf(problem) }
    case 'requires_payment_method':
      return problem === null ? notFound : { kind: 'declined', decline: walletDeclineOf(problem) }
    case 'requires_confirmation':
      return notFound
    default:
      return { kind: 'unknown', why: `Stripe says ${status}` }
  }
}

function declinedBy(kept: string): { readonly kind: 'declined'; readonly decline: WalletDecline } {
  return { kind: 'declined', decline: kept === 'cancelled' ? 'withdrawn' : (kept as WalletDecline) }
}

function followUpAnswer(answer: AcquirerAnswer): WalletFollowUpAnswer | UnknownAnswer
function followUpAnswer(
  answer: AcquirerAnswer | NotReceived,
): WalletFollowUpAnswer | UnknownAnswer | NotReceived
function followUpAnswer(
  answer: AcquirerAnswer | NotReceived,
): WalletFollowUpAnswer | UnknownAnswer | NotReceived {
  if (answer.kind === 'approved') return { kind: 'approved', reference: answer.reference }
  if (answer.kind !== 'declined') return answer
  const { decline } = answer
  if (decline === 'cancelled') return declinedBy(decline)
  return decline === 'insufficient_funds' ? { kind: 'declined', decline } : notPermitted
}
