// Payments by MB WAY: a checkout, then the question to the customer's phone, then what SPG says of it.
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
import { centsOf } from '../client.ts'
import { checkoutsOf, openCheckout } from '../money/checkouts.ts'
import { cancelUnanswered, wasCancelled } from '../money/unanswered.ts'
import { createOnce, declined, type NotedPayment, notedOf, type Spg } from '../requests.ts'
import { paymentAnswer, phoneOf, undecided } from '../rules.ts'

/** So long after the customer's time was over, a payment that is still not decided is not under way any more. */
const settledWithinMs = hour

type Payments = Pick<MobileWallet, 'requestPayment' | 'inquirePayment' | 'withdrawPayment'>
type Answer = WalletPaymentAnswer | UnknownAnswer | NotReceived

const notFound: NotReceived = { kind: 'not_found' }

/**
 * @param mandateOf SPG's id of a mandate, where it is active and is of this merchant and phone
 */
export function paymentsOf(
  spg: Spg,
  mandateOf: (request: WalletPaymentRequest) => Promise<string | undefined>,
): Payments {
  const { client, tools } = spg
  const { requests, clock } = tools
  const once = createOnce()

  async function request(asked: WalletPaymentRequest, signal: AbortSignal | undefined): Promise<Answer> {
    const { key, amount, intent } = asked
    const known = await requests.find(key)
    if (known?.steps.purchase !== undefined) return askAgain(known, signal)
    const why = whyNot(asked, known)
    if (why !== undefined) return declined(why)

    const mandateId = await mandateOf(asked)
    const isOpen = await openCheckout(
      spg,
      {
        ...{ key, amount, noted: newNote(asked, mandateId) },
        paymentType: intent === 'hold' ? 'AUTH' : 'PURS',
        paymentMethod: mandateId === undefined ? ['MBWAY'] : ['MANDATE', 'MBWAY'],
        more: mandateId === undefined ? undefined : { mandate: { mandateId } },
      },
      signal,
    )
    if (!isOpen) return declined('not_permitted')
    const begun = await requests.begin(key, 'purchase')
    if (begun.before !== 'new') return inquire(key, signal)
    // Withdrawn in between: whoever comes second to the row sees the other.
    if (begun.request.steps.withdraw !== undefined) return close(begun.request, 'purchase', 'withdrawn')
    return purchase(begun.request, 'first', signal)
  }

  /** Why nobody is asked; undefined where the customer is to be asked. */
  function whyNot(asked: WalletPaymentRequest, known: RailRequest | undefined): WalletDecline | undefined {
    const before = notedPayment(known)?.decline
    if (before !== undefined) return before
    if (known?.steps.withdraw !== undefined) return 'withdrawn'
    if (clock.now() >= asked.expires) return 'expired'
    // SPG takes no wish for a mandate's limit and first day.
    return asked.opens === undefined ? undefined : 'not_permitted'
  }

  /** The question was begun before, and perhaps never arrived. */
  async function askAgain(known: RailRequest, signal: AbortSignal | undefined): Promise<Answer> {
    const answer = await inquire(known.key, signal)
    if (answer.kind !== 'not_found') return answer
    if (known.steps.withdraw !== undefined) return { kind: 'unknown', why: 'it is being withdrawn' }
    const again = await requests.begin(known.key, 'again')
    if (again.request.steps.refused !== undefined)
      return { kind: 'unknown', why: 'it was refused to another process' }
    return purchase(again.request, 'again', signal)
  }

  async function purchase(
    known: RailRequest,
    time: 'first' | 'again',
    signal: AbortSignal | undefined,
  ): Promise<Answer> {
    const noted = notedPayment(known)
    if (noted === undefined || known.providerId === undefined) throw new Error('the checkout was not noted')
    const reply = await client.post(`/payments/${known.providerId}/mbway-id/purchase`, {
      body:
        noted.mandateId === undefined
          ? { customerPhone: noted.phone }
          : { mandate: { mandateCreation: false, useMBWAYMandate: true } },
      ...{ signature: known.signature, signal },
    })
    if (reply.kind === 'unknown') return { kind: 'unknown', why: 'SIBS does not know its own checkout' }
    // A second question to one checkout is refused: then the first one had arrived.
    if (reply.kind === 'refused') {
      if (time === 'again') return inquire(known.key, signal)
      // Another process that asks again may have come first. Whoever comes second to the row sees the other.
      const refused = await requests.begin(known.key, 'refused')
      if (refused.request.steps.again !== undefined) return inquire(known.key, signal)
      return close(refused.request, 'purchase', 'refused', reply.code)
    }
    const { paymentStatus: status } = reply.body
    await requests.record(known.key, 'purchase', {
      providerId: known.providerId,
      ...(status !== undefined && { status }),
    })
    return status === 'Pending' ? undecided(underMandate(noted)) : inquire(known.key, signal)
  }

  /** Notes that nothing comes of it. */
  async function close(
    known: RailRequest,
    step: string,
    decline: 'withdrawn' | 'refused',
    status?: string,
  ): Promise<WalletPaymentAnswer> {
    const answer = { ...notedOf(known), kind: 'payment', decline }
    await requests.record(known.key, step, { answer, ...(status !== undefined && { status }) })
    return declined(decline)
  }

  async function inquire(key: string, signal?: AbortSignal): Promise<Answer> {
    const known = await requests.find(key)
    const noted = notedPayment(known)
    if (noted?.decline !== undefined) return declined(noted.decline)
    if (known?.steps.purchase === undefined)
      return known?.steps.withdraw === undefined ? notFound : declined('withdrawn')
    if (noted === undefined) throw new Error('the checkout was not noted')
    // Only one of its checkouts was bought, mostly the one that was noted last.
    const checkouts = new Set([known.providerId ?? '', ...checkoutsOf(known)])
    for (const transactionId of checkouts) {
      const answer = await statusOf(transactionId, noted, signal)
      if (answer === 'not purchased') continue
      return known.steps.withdraw === undefined ? answer : whileWithdrawn(known, answer, signal)
    }
    // What SPG took does not show at once.
    return known.steps.purchase === 'recorded' ? undecided(underMandate(noted)) : notFound
  }

  /** What an answer means where it was to be withdrawn, and what came of that is not noted. */
  async function whileWithdrawn(
    known: RailRequest,
    answer: WalletPaymentAnswer | UnknownAnswer,
    signal: AbortSignal | undefined,
  ): Promise<WalletPaymentAnswer | UnknownAnswer> {
    // Whether the customer refused or we withdrew it, nobody can tell any more.
    if (answer.kind === 'declined') return declined('withdrawn')
    if (answer.kind !== 'approved') return answer
    // Approved a moment before, and cancelled all the same: then nothing was taken.
    const isCancelled = await wasCancelled(spg, known.key, signal)
    return isCancelled ? close(known, 'withdraw', 'withdrawn') : answer
  }

  async function statusOf(
    transactionId: string,
    noted: NotedPayment,
    signal: AbortSignal | undefined,
  ): Promise<WalletPaymentAnswer | UnknownAnswer | 'not purchased'> {
    const reply = await client.get(`/payments/${transactionId}/status`, signal)
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

  /** SPG has no verb for it: cancelling what nobody approved is tried, and where it is refused the question stays. */
  async function withdraw(key: string, signal: AbortSignal | undefined): Promise<Answer> {
    const before = await inquire(key, signal)
    if (before.kind === 'approved' || before.kind === 'declined') return before
    const { request: known } = await requests.begin(key, 'withdraw')
    if (known.steps.purchase === undefined) return close(known, 'withdraw', 'withdrawn')
    const noted = notedPayment(known)
    if (noted === undefined || known.providerId === undefined) throw new Error('the checkout was not noted')
    const unanswered = { key, transactionId: known.providerId, amount: noted.amount }
    if (await cancelUnanswered(spg, unanswered, signal)) return close(known, 'withdraw', 'withdrawn')
    return inquire(key, signal)
  }

  return {
    async requestPayment(asked, signal) {
      signal?.throwIfAborted()
      const answer = await once(asked.key, () => request(asked, signal))
      // It was sent, and does not show yet.
      return answer.kind === 'not_found' ? { kind: 'unknown', why: 'SIBS does not show it yet' } : answer
    },
    inquirePayment: (key) => inquire(key),
    async withdrawPayment(key, signal) {
      signal?.throwIfAborted()
      return withdraw(key, signal)
    },
  }
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

function notedPayment(request: RailRequest | undefined): NotedPayment | undefined {
  const noted = notedOf(request)
  return noted?.kind === 'payment' ? noted : undefined
}
