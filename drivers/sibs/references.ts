// Multibanco references that SPG makes: it chooses entity and number, takes every payment, and is asked about them.
import type { RailRequest } from '../../src/connections/index.ts'
import { cents } from '../../src/kernel/money.ts'
import { derivedId } from '../../src/kernel/random.ts'
import { after, day, type Instant, instant, toTimestamp } from '../../src/kernel/time.ts'
import type {
  ProviderReferences,
  ReferenceAnswer,
  ReferenceLimits,
  ReferencePayment,
  ReferenceRequest,
  RefundAnswer,
} from '../../src/rails/index.ts'
import { amountOf, centsOf, type SpgBody } from './client.ts'
import { openCheckout } from './money/checkouts.ts'
import type { Movements } from './money/movements.ts'
import { cancelUnanswered } from './money/unanswered.ts'
import { createOnce, type NotedReference, notedOf, type Spg } from './requests.ts'
import type { SibsSettings } from './settings.ts'

/** Multibanco: at most five years ahead, and 99,999 €. */
const limits: ReferenceLimits = {
  payableManyTimes: false,
  openAmount: true,
  startsLater: true,
  validityDaysMax: 5 * 365,
  amountMax: cents(99_999_00),
}

/** What was asked for without an end. */
const validityDays = limits.validityDaysMax ?? 365

export function referencesOf(spg: Spg, movements: Movements, settings: SibsSettings): ProviderReferences {
  const { client, tools } = spg
  const { requests, clock, logger } = tools
  const once = createOnce()

  async function create(asked: ReferenceRequest, signal: AbortSignal | undefined): Promise<ReferenceAnswer> {
    const { key, amountMin, amountMax, starts } = asked
    const known = await requests.find(key)
    const before = notedReference(known)
    if (before !== undefined && isDecided(before)) return answerOf(before)
    if (known?.steps.withdraw !== undefined && known.steps.generate === undefined) return withdrawn
    const entity = settings.referenceEntity
    if (entity === undefined || !asked.payableOnce) return { kind: 'declined', reason: 'not_permitted' }
    const now = clock.now()
    const expires = asked.expires ?? after(now, validityDays * day)
    const noted: NotedReference = { kind: 'reference', amount: String(amountMax), expires }
    const isOpen = await openCheckout(
      spg,
      {
        ...{ key, amount: amountMax, noted, paymentType: 'PURS', paymentMethod: ['REFERENCE'] },
        transaction: {
          paymentReference: {
            entity,
            initialDatetime: toTimestamp(starts ?? now),
            finalDatetime: toTimestamp(expires),
            ...{ minAmount: amountOf(amountMin), maxAmount: amountOf(amountMax) },
          },
        },
      },
      signal,
    )
    if (!isOpen) return { kind: 'declined', reason: 'not_permitted' }
    const begun = await requests.begin(key, 'generate')
    // Withdrawn in between: whoever comes second to the row sees the other.
    if (begun.before === 'new' && begun.request.steps.withdraw !== undefined)
      return close(begun.request, 'withdrawn')
    return generate(begun.request, begun.before === 'new' ? 'first' : 'again', signal)
  }

  /** SPG makes one reference of a checkout: where it was asked before, the status has it. */
  async function generate(
    known: RailRequest,
    time: 'first' | 'again',
    signal: AbortSignal | undefined,
  ): Promise<ReferenceAnswer> {
    const { providerId, signature } = known
    if (providerId === undefined) throw new Error('the checkout was not noted')
    if (time === 'again') {
      const status = await client.get(`/payments/${providerId}/status`, signal)
      if (status.kind !== 'taken') return { kind: 'unknown', why: 'SIBS does not know its own checkout' }
      if (status.body.paymentReference?.reference !== undefined) return named(known, status.body)
    }
    const path = `/payments/${providerId}/service-reference/generate`
    const reply = await client.post(path, { body: {}, signature, signal })
    if (reply.kind === 'taken') return named(known, reply.body)
    return time === 'first' && reply.kind === 'refused'
      ? close(known, 'not_permitted')
      : { kind: 'unknown', why: 'SIBS made a reference, or refuses to' }
  }

  async function named(known: RailRequest, { paymentReference }: SpgBody): Promise<ReferenceAnswer> {
    const noted = notedReference(known)
    const entity = paymentReference?.entity ?? ''
    const ref = (paymentReference?.reference ?? '').replaceAll(' ', '')
    if (noted === undefined || !/^\d{5}$/.test(entity) || !/^\d{9}$/.test(ref))
      return { kind: 'unknown', why: 'SIBS named no reference' }
    const end = Date.parse(paymentReference?.expireDate ?? '')
    const expires = end < noted.expires ? instant(end) : noted.expires
    const answer = { ...noted, entity, ref, expires }
    await requests.record(known.key, 'generate', { answer, providerId: known.providerId ?? '' })
    return answerOf(answer)
  }

  async function close(
    known: RailRequest,
    decline: NonNullable<NotedReference['decline']>,
  ): Promise<ReferenceAnswer> {
    const answer = { ...notedOf(known), kind: 'reference', decline }
    await requests.record(known.key, 'generate', { answer })
    return { kind: 'declined', reason: decline }
  }

  async function withdraw(key: string): Promise<void> {
    if ((await requests.find(key)) === undefined) return
    const { request: known } = await requests.begin(key, 'withdraw')
    const noted = notedReference(known)
    if (known.steps.generate === undefined || noted?.ref === undefined || known.providerId === undefined)
      return
    const unanswered = { key, transactionId: known.providerId, amount: noted.amount }
    if (!(await cancelUnanswered(spg, unanswered, undefined)))
      logger.info({ request: key }, 'SIBS cancels the reference no more: it was paid, or cancelled before')
  }

  async function paymentOf(key: string): Promise<ReferencePayment[]> {
    const known = await requests.find(key)
    const noted = notedReference(known)
    if (noted?.entity === undefined || noted.ref === undefined || known?.providerId === undefined) return []
    const reply = await client.get(`/payments/${known.providerId}/status`)
    if (reply.kind !== 'taken') throw new Error('SIBS does not know its own checkout')
    const { paymentStatus: status, paymentType: type, amount: paid, transactionDateTime } = reply.body
    const amount = centsOf(paid)
    if (status !== 'Success' || (type !== 'PURS' && type !== 'PREF') || amount === undefined) return []
    const paidAt = await timeOf(key, noted, transactionDateTime)
    const { entity, ref } = noted
    return [{ id: paymentIdOf(key), key, entity, ref, amount, paidAt }]
  }

  /** Where SPG tells no time, that at which the payment was first seen. */
  async function timeOf(key: string, noted: NotedReference, told: string | undefined): Promise<Instant> {
    const at = Date.parse(told ?? '')
    if (!Number.isNaN(at)) return instant(at)
    if (noted.paidAt !== undefined) return noted.paidAt
    const paidAt = clock.now()
    await requests.record(key, 'paid', { answer: { ...noted, paidAt } })
    return paidAt
  }

  return {
    ...{ numbering: 'theirs', limits },
    async create(asked, signal) {
      signal?.throwIfAborted()
      return once(asked.key, () => create(asked, signal))
    },
    async withdraw(keys) {
      for (const key of keys) await withdraw(key)
    },
    async paymentsOf(keys) {
      const payments: ReferencePayment[] = []
      for (const key of keys) payments.push(...(await paymentOf(key)))
      return payments
    },
    async refundPayment({ key, of, paymentId, amount }, signal): Promise<RefundAnswer> {
      if (paymentId !== paymentIdOf(of)) return { kind: 'declined', reason: 'unknown_payment' }
      const answer = await movements.move('refund', { key, original: of, amount }, signal)
      // It was sent before and did not arrive: from now on it cannot, and another one may be made.
      const last = answer.kind === 'not_found' ? await movements.cancel(key, signal) : answer
      if (last.kind !== 'declined') return last
      const isPossible = last.decline === 'not_permitted'
      return { kind: 'declined', reason: isPossible ? 'amount_exceeds_remaining' : 'not_possible' }
    },
  }
}

const withdrawn = { kind: 'declined', reason: 'withdrawn' } as const

/** A reference is paid once. */
function paymentIdOf(key: string): string {
  return derivedId(key, 'payment at SIBS')
}

function isDecided({ decline, ref }: NotedReference): boolean {
  return decline !== undefined || ref !== undefined
}

function answerOf({ decline, entity = '', ref = '', expires }: NotedReference): ReferenceAnswer {
  return decline === undefined
    ? { kind: 'named', entity, ref, expires }
    : { kind: 'declined', reason: decline }
}

function notedReference(request: RailRequest | undefined): NotedReference | undefined {
  const noted = notedOf(request)
  return noted?.kind === 'reference' ? noted : undefined
}
