// Multibanco at Stripe: a reference has one amount and lasts a week.
import type Stripe from 'stripe'
import type { RailRequest } from '../../../src/connections/index.ts'
import { derivedId } from '../../../src/kernel/random.ts'
import { instant, second } from '../../../src/kernel/time.ts'
import type {
  ProviderReferences,
  ReferenceAnswer,
  ReferenceDecline,
  ReferenceName,
  ReferencePayment,
} from '../../../src/rails/index.ts'
import { answerOfGivenBack, refundPaid } from '../follow-ups.ts'
import {
  cancelIntent,
  declineKept,
  type IntentDeps,
  intentOf,
  isOpen,
  keptOf,
  paymentAt,
  within,
} from '../intents.ts'
import { askElsewhere } from './payments.ts'

export interface ReferenceDeps extends IntentDeps {
  /** Stripe requires an e-mail address. It gets this one if the payer has none. */
  readonly email: string | undefined
}

export function createReferences(deps: ReferenceDeps): ProviderReferences {
  const { requests, call } = deps
  return {
    numbering: 'theirs',
    limits: { payableManyTimes: false, openAmount: false, startsLater: false, validityDaysMax: 7 },
    async create(asked, signal) {
      signal?.throwIfAborted()
      const { key, merchant, amountMax: amount, customer, expires } = asked
      const { request } = await requests.begin(key, 'create')
      const kept = declineKept(request)
      if (kept !== undefined) return declinedBy(kept)
      const email = customer?.email ?? deps.email
      if (email === undefined) return declinedBy('not_permitted')
      const details = { email, ...(customer?.name !== undefined && { name: customer.name }) }
      const payment = {
        key,
        merchant,
        amount,
        currency: 'EUR',
        method: 'multibanco',
        customer: details,
      } as const
      const answer = await askElsewhere(within(deps, signal), payment)
      if (answer.kind === 'cancelled') return declinedBy('cancelled')
      if (answer.kind === 'refused') {
        const decline: ReferenceDecline = 'amount_not_possible'
        await requests.record(key, 'create', { status: 'declined', answer: { decline } })
        return declinedBy(decline)
      }
      const { intent } = answer
      if (intent.status === 'canceled') return declinedBy('cancelled')
      const shown = intent.next_action?.multibanco_display_details
      const reference = nameOf(request, intent)
      if (reference === undefined)
        return { kind: 'unknown', why: `Stripe reports ${intent.status} without a reference` }
      await requests.record(key, 'confirm', {
        answer: { ...keptOf(request), intent: 'sale', currency: 'EUR', reference },
      })
      const ends = shown?.expires_at == null ? undefined : instant(shown.expires_at * second)
      const isEarlier = ends !== undefined && (expires === undefined || ends < expires)
      return { kind: 'named', ...reference, ...(isEarlier && { expires: ends }) }
    },
    async withdraw(keys) {
      for (const key of keys) {
        const { request } = await requests.begin(key, 'cancel')
        if (declineKept(request) !== undefined) continue
        const intent = intentOf(request)
        if (isOpen(await paymentAt(deps, intent))) await cancelIntent(call, intent, key)
      }
    },
    paymentsOf: (keys) => paymentsAt(deps, keys),
    async refundPayment({ key, of, amount }, signal) {
      return answerOfGivenBack(await refundPaid(within(deps, signal), { key, original: of, amount }))
    },
  }
}

export async function paymentsAt(
  deps: IntentDeps,
  keys: readonly string[],
): Promise<readonly ReferencePayment[]> {
  const found = await Promise.all(keys.map((key) => deps.requests.find(key)))
  const paid = await Promise.all(found.map((request) => request && paymentOf(deps, request)))
  return paid.flatMap((payment) => payment ?? [])
}

async function paymentOf(deps: IntentDeps, request: RailRequest): Promise<ReferencePayment | undefined> {
  if (request.steps.confirm === undefined || request.providerId === undefined) return undefined
  const intent = await paymentAt(deps, request.providerId)
  const { latest_charge: charge, amount_received: amount } = intent
  if (intent.status !== 'succeeded' || charge === null || typeof charge === 'string') return undefined
  return {
    id: derivedId(intent.id, 'stripe payment'),
    key: request.key,
    ...(nameOf(request, intent) ?? { entity: '', ref: '' }),
    amount: BigInt(amount) as ReferencePayment['amount'],
    paidAt: instant(charge.created * second),
  }
}

/** The reference comes from Stripe while it can be paid, otherwise from our record or from the charge. */
function nameOf(request: RailRequest, intent: Stripe.PaymentIntent): ReferenceName | undefined {
  const { latest_charge: charge } = intent
  const paid =
    charge === null || typeof charge === 'string' ? undefined : charge.payment_method_details?.multibanco
  const shown = intent.next_action?.multibanco_display_details ?? paid
  if (shown?.entity == null || shown.reference == null) return keptOf(request).reference
  return { entity: shown.entity, ref: shown.reference.replaceAll(' ', '') }
}

function declinedBy(kept: string): ReferenceAnswer {
  return { kind: 'declined', reason: kept === 'cancelled' ? 'withdrawn' : (kept as ReferenceDecline) }
}
