// SEPA direct debits at Stripe, under Stripe's creditor identifier.
import type Stripe from 'stripe'
import type {
  Collection,
  CollectionAnswer,
  Creditor,
  DebtorAddress,
  DirectDebit,
  NotReceived,
  ReturnReason,
} from '../../../src/rails/index.ts'
import { answerOfFollowUp, answerOfGivenBack, isFollowUp, refundPaid } from '../follow-ups.ts'
import {
  declineKept,
  type IntentDeps,
  intentOf,
  notFound,
  paymentAt,
  type StripeProblem,
  within,
} from '../intents.ts'
import { askElsewhere } from './payments.ts'

export interface DirectDebitDeps extends IntentDeps {
  readonly creditor: Pick<Creditor, 'name' | 'creditorId'>
}

export function createDirectDebits(deps: DirectDebitDeps): DirectDebit {
  const { requests, creditor } = deps
  return {
    creditorOf: () => ({ ...creditor, agent: 'Stripe', wantsEmail: true }),
    collect: async (asked, signal) => {
      signal?.throwIfAborted()
      return collect(within(deps, signal), asked)
    },
    async inquire(key) {
      const request = await requests.find(key)
      if (request === undefined) return notFound
      if (declineKept(request) !== undefined) return refused
      if (request.steps.confirm === undefined) return notFound
      return answerOf(await paymentAt(deps, intentOf(request)))
    },
    refund: async ({ key, of, amount }, signal) =>
      answerOfGivenBack(await refundPaid(within(deps, signal), { key, original: of, amount })),
    async inquireRefund(key) {
      const request = await requests.find(key)
      if (request === undefined || !isFollowUp(request)) return notFound
      const answer = await answerOfFollowUp(deps, request)
      return answer.kind === 'not_found' ? answer : answerOfGivenBack(answer)
    },
  }
}

const refused = { kind: 'returned', reason: 'unspecified' } as const

async function collect(deps: DirectDebitDeps, asked: Collection): Promise<CollectionAnswer> {
  const { requests } = deps
  const { key, debtor, mandate } = asked
  const { request } = await requests.begin(key, 'create')
  if (declineKept(request) !== undefined) return refused
  const { name, email, iban, address } = debtor
  const answer = await askElsewhere(deps, {
    ...asked,
    method: 'sepa_debit',
    customer: {
      name,
      ...(email !== undefined && { email }),
      ...(address !== undefined && { address: addressOf(address) }),
    },
    debit: { account: { iban }, mandate: acceptance(mandate) },
  })
  if (answer.kind === 'refused')
    await requests.record(key, 'create', { status: 'declined', answer: { decline: refused.reason } })
  if (answer.kind !== 'intent') return refused
  const said = answerOf(answer.intent)
  return said.kind === 'not_found' ? { kind: 'unknown', why: 'Stripe does not report the result' } : said
}

function addressOf({ street, postalcode, city, country }: DebtorAddress) {
  return { line1: street, city, country, ...(postalcode !== undefined && { postal_code: postalcode }) }
}

function acceptance({
  signedFrom,
  signedWith,
}: Collection['mandate']): Stripe.PaymentIntentConfirmParams.MandateData {
  const online = { ip_address: signedFrom ?? '', user_agent: signedWith || 'unknown' }
  return { customer_acceptance: { type: 'online', online } }
}

/** The state of a debit. The webhook of a later dispute reports it separately. */
function answerOf({
  status,
  last_payment_error: problem,
}: Stripe.PaymentIntent): CollectionAnswer | NotReceived {
  switch (status) {
    case 'succeeded':
      return { kind: 'paid' }
    case 'processing':
      return { kind: 'waiting' }
    case 'canceled':
      return problem === null ? refused : { kind: 'returned', reason: reasonOf(problem) }
    case 'requires_payment_method':
      return problem === null ? notFound : { kind: 'returned', reason: reasonOf(problem) }
    case 'requires_confirmation':
      return notFound
    default:
      return { kind: 'unknown', why: `Stripe says ${status}` }
  }
}

/** The failure codes are those of https://docs.stripe.com/payments/sepa-debit. */
function reasonOf({ code, decline_code }: StripeProblem): ReturnReason {
  const words = `${code} ${decline_code}`
  if (/insufficient_funds/.test(words)) return 'insufficient_funds'
  if (/account_closed|no_account/.test(words)) return 'account_closed'
  return /debit_not_authorized/.test(words) ? 'refused_by_debtor' : 'unspecified'
}
