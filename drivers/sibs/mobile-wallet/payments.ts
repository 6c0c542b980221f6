// Payments by MB WAY: a checkout, then the request to the phone.
import type { RailRequest } from '../../../src/connections/index.ts'
import { after, hour } from '../../../src/kernel/time.ts'
import type {
  MobileWallet,
  NotReceived,
  UnknownAnswer,
  WalletDecline,
  WalletPaymentAnswer,
  WalletPaymentRequest,
} from '../../../src/rails/index.ts'
import { cancelUnanswered, checkoutsOf, openCheckout, wasCancelled } from '../checkouts.ts'
import { centsOf } from '../client.ts'
import {
  createOnce,
  declined,
  type NotedPayment,
  notedAs,
  notedOf,
  notFound,
  type Spg,
  within,
} from '../requests.ts'
import { paymentAnswer, phoneOf, undecided } from '../rules.ts'

/** After this time SPG has received an undecided payment or never will. */
const settledWithinMs = hour

type Payments = Pick<MobileWallet, 'requestPayment' | 'inquirePayment' | 'withdrawPayment'>
type Answer = WalletPaymentAnswer | UnknownAnswer | NotReceived

interface Deps extends Spg {
  /** SPG's id of an active mandate for this merchant and phone. */
  mandateOf(request: WalletPaymentRequest): Promise<string | undefined>
}

export function paymentsOf(spg: Spg, mandateOf: Deps['mandateOf']): Payments {
  const deps = { ...spg, mandateOf }
  const once = createOnce()
  return {
    async requestPayment(asked, signal) {
      signal?.throwIfAborted()
      const answer = await once(asked.key, () => request(within(deps, signal), asked))
      return answer.kind === 'not_found' ? { kind: 'unknown', why: 'SIBS does not show it yet' } : answer
    },
    inquirePayment: (key) => inquire(deps, key),
    async withdrawPayment(key, signal) {
      signal?.throwIfAborted()
      return withdraw(within(deps, signal), key)
    },
  }
}

async function request(deps: Deps, asked: WalletPaymentRequest): Promise<Answer> {
  const { requests, mandateOf } = deps
  const { key, amount, intent } = asked
  const known = await requests.find(key)
  if (known?.steps.purchase !== undefined) return askAgain(deps, known)
  const why = whyNot(deps, asked, known)
  if (why !== undefined) return declined(why)

  const mandateId = await mandateOf(asked)
  const isOpen = await openCheckout(deps, {
    ...{ key, amount, noted: newNote(asked, mandateId) },
    paymentType: intent === 'hold' ? 'AUTH' : 'PURS',
    paymentMethod: mandateId === undefined ? ['MBWAY'] : ['MANDATE', 'MBWAY'],
    more: mandateId === undefined ? undefined : { mandate: { mandateId } },
  })
  if (!isOpen) return declined('not_permitted')
  const started = await requests.begin(key, 'purchase')
  if (started.before !== 'new') return inquire(deps, key)
  if (started.request.steps.withdraw !== undefined)
    return close(deps, started.request, 'purchase', 'withdrawn')
  return purchase(deps, started.request, 'first')
}

function whyNot(
  { clock }: Deps,
  asked: WalletPaymentRequest,
  known: RailRequest | undefined,
): WalletDecline | undefined {
  const before = notedAs(known, 'payment')?.decline
  if (before !== undefined) return before
  if (known?.steps.withdraw !== undefined) return 'withdrawn'
  if (clock.now() >= asked.expires) return 'expired'
  // SPG accepts no limit and no first day for a mandate.
  return asked.opens === undefined ? undefined : 'not_permitted'
}

async function askAgain(deps: Deps, known: RailRequest): Promise<Answer> {
  const { requests } = deps
  const answer = await inquire(deps, known.key)
  if (answer.kind !== 'not_found') return answer
  if (known.steps.withdraw !== undefined) return { kind: 'unknown', why: 'it is being withdrawn' }
  const again = await requests.begin(known.key, 'again')
  if (again.request.steps.refused !== undefined)
    return { kind: 'unknown', why: 'it was refused to another process' }
  return purchase(deps, again.request, 'again')
}

async function purchase(deps: Deps, known: RailRequest, time: 'first' | 'again'): Promise<Answer> {
  const { client, requests } = deps
  const noted = notedAs(known, 'payment')
  if (noted === undefined || known.providerId === undefined) throw new Error('the checkout was not noted')
  const reply = await client.post(`/payments/${known.providerId}/mbway-id/purchase`, {
    body:
      noted.mandateId === undefined
        ? { customerPhone: noted.phone }
        : { mandate: { mandateCreation: false, useMBWAYMandate: true } },
    ...{ signature: known.signature },
  })
  if (reply.kind === 'unknown') return { kind: 'unknown', why: 'SIBS does not know its own checkout' }
  // SPG refuses a second purchase of a checkout, so the refusal of a repetition means that the first one arrived.
  if (reply.kind === 'refused') {
    if (time === 'again') return inquire(deps, known.key)
    // Another process may have repeated it: the second writer of the row sees the step of the first.
    const refused = await requests.begin(known.key, 'refused')
    if (refused.request.steps.again !== undefined) return inquire(deps, known.key)
    return close(deps, refused.request, 'purchase', 'refused', reply.code)
  }
  const { paymentStatus: status } = reply.body
  await requests.record(known.key, 'purchase', {
    providerId: known.providerId,
    ...(status !== undefined && { status }),
  })
  return status === 'Pending' ? undecided(underMandate(noted)) : inquire(deps, known.key)
}

async function close(
  { requests }: Deps,
  known: RailRequest,
  step: string,
  decline: 'withdrawn' | 'refused',
  status?: string,
): Promise<WalletPaymentAnswer> {
  const answer = { ...notedOf(known), kind: 'payment', decline }
  await requests.record(known.key, step, { answer, ...(status !== undefined && { status }) })
  return declined(decline)
}

async function inquire(deps: Deps, key: string): Promise<Answer> {
  const { requests } = deps
  const known = await requests.find(key)
  const noted = notedAs(known, 'payment')
  if (noted?.decline !== undefined) return declined(noted.decline)
  if (known?.steps.purchase === undefined)
    return known?.steps.withdraw === undefined ? notFound : declined('withdrawn')
  if (noted === undefined) throw new Error('the checkout was not noted')
  // The customer can have paid only one of the checkouts, usually the last.
  const checkouts = new Set([known.providerId ?? '', ...checkoutsOf(known)])
  for (const transactionId of checkouts) {
    const answer = await statusOf(deps, transactionId, noted)
    if (answer === 'not purchased') continue
    return known.steps.withdraw === undefined ? answer : whileWithdrawn(deps, known, answer)
  }
  return known.steps.purchase === 'recorded' ? undecided(underMandate(noted)) : notFound
}

async function whileWithdrawn(
  deps: Deps,
  known: RailRequest,
  answer: WalletPaymentAnswer | UnknownAnswer,
): Promise<WalletPaymentAnswer | UnknownAnswer> {
  // The decline can come from the customer or from our cancellation.
  if (answer.kind === 'declined') return declined('withdrawn')
  if (answer.kind !== 'approved') return answer
  const isCancelled = await wasCancelled(deps, known.key)
  return isCancelled ? close(deps, known, 'withdraw', 'withdrawn') : answer
}

async function statusOf(
  { client, clock }: Deps,
  transactionId: string,
  noted: NotedPayment,
): Promise<WalletPaymentAnswer | UnknownAnswer | 'not purchased'> {
  const reply = await client.get(`/payments/${transactionId}/status`)
  if (reply.kind !== 'taken') return { kind: 'unknown', why: 'SIBS does not know its own checkout' }
  const { intent, amount, expires } = noted
  const { paymentStatus, paymentType, paymentMethod, amount: paid } = reply.body
  const now = clock.now()
  return paymentAnswer(
    {
      ...{ intent, amount: BigInt(amount), isOver: now >= expires },
      isLongOver: now >= after(expires, settledWithinMs),
      ...underMandate(noted),
    },
    {
      ...{ status: paymentStatus, type: paymentType, method: paymentMethod },
      ...{ amount: centsOf(paid), transactionId },
    },
  )
}

/**
 * SPG has no call that withdraws a request from the phone. The driver tries to cancel it. If SPG refuses, the
 * customer can still approve.
 */
async function withdraw(deps: Deps, key: string): Promise<Answer> {
  const { requests } = deps
  const before = await inquire(deps, key)
  if (before.kind === 'approved' || before.kind === 'declined') return before
  const { request: known } = await requests.begin(key, 'withdraw')
  if (known.steps.purchase === undefined) return close(deps, known, 'withdraw', 'withdrawn')
  const noted = notedAs(known, 'payment')
  if (noted === undefined || known.providerId === undefined) throw new Error('the checkout was not noted')
  const unanswered = { key, transactionId: known.providerId, amount: noted.amount }
  if (await cancelUnanswered(deps, unanswered)) return close(deps, known, 'withdraw', 'withdrawn')
  return inquire(deps, key)
}

function newNote(
  { intent, amount, phone, expires }: WalletPaymentRequest,
  mandateId: string | undefined,
): NotedPayment {
  return {
    ...{ kind: 'payment', intent, amount: String(amount), phone: phoneOf(phone), expires },
    ...(mandateId !== undefined && { mandateId }),
  }
}

function underMandate({ mandateId }: NotedPayment): { isUnderMandate: boolean } {
  return { isUnderMandate: mandateId !== undefined }
}
