// Multibanco references of SPG, which chooses the numbers.
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
import { cancelUnanswered, openCheckout } from './checkouts.ts'
import { amountOf, centsOf, type SpgBody } from './client.ts'
import type { Movements } from './movements.ts'
import { createOnce, type NotedReference, notedAs, notedOf, type Spg, within } from './requests.ts'
import type { SibsSettings } from './settings.ts'

/** Multibanco allows at most five years and 99,999 €. */
const limits: ReferenceLimits = {
  payableManyTimes: false,
  openAmount: true,
  startsLater: true,
  validityDaysMax: 5 * 365,
  amountMax: cents(99_999_00),
}

const validityDays = limits.validityDaysMax ?? 365

interface Deps extends Spg {
  readonly settings: SibsSettings
}

export function referencesOf(spg: Spg, movements: Movements, settings: SibsSettings): ProviderReferences {
  const deps = { ...spg, settings }
  const once = createOnce()
  return {
    ...{ numbering: 'theirs', limits },
    async create(asked, signal) {
      signal?.throwIfAborted()
      return once(asked.key, () => create(within(deps, signal), asked))
    },
    async withdraw(keys) {
      for (const key of keys) await withdraw(deps, key)
    },
    async paymentsOf(keys) {
      const payments: ReferencePayment[] = []
      for (const key of keys) payments.push(...(await paymentOf(deps, key)))
      return payments
    },
    async refundPayment({ key, of, paymentId, amount }, signal): Promise<RefundAnswer> {
      if (paymentId !== paymentIdOf(of)) return { kind: 'declined', reason: 'unknown_payment' }
      const answer = await movements.move('refund', { key, original: of, amount }, signal)
      // The driver cancels a lost refund, so that another one can follow.
      const last = answer.kind === 'not_found' ? await movements.cancel(key, signal) : answer
      if (last.kind !== 'declined') return last
      const isPossible = last.decline === 'not_permitted'
      return { kind: 'declined', reason: isPossible ? 'amount_exceeds_remaining' : 'not_possible' }
    },
  }
}

async function create(deps: Deps, asked: ReferenceRequest): Promise<ReferenceAnswer> {
  const { requests, clock, settings } = deps
  const { key, amountMin, amountMax, starts } = asked
  const known = await requests.find(key)
  const before = notedAs(known, 'reference')
  if (before !== undefined && isDecided(before)) return answerOf(before)
  if (known?.steps.withdraw !== undefined && known.steps.generate === undefined) return withdrawn
  const entity = settings.referenceEntity
  if (entity === undefined || !asked.payableOnce) return { kind: 'declined', reason: 'not_permitted' }
  const now = clock.now()
  const expires = asked.expires ?? after(now, validityDays * day)
  const noted: NotedReference = { kind: 'reference', amount: String(amountMax), expires }
  const isOpen = await openCheckout(deps, {
    ...{ key, amount: amountMax, noted, paymentType: 'PURS', paymentMethod: ['REFERENCE'] },
    transaction: {
      paymentReference: {
        entity,
        initialDatetime: toTimestamp(starts ?? now),
        finalDatetime: toTimestamp(expires),
        ...{ minAmount: amountOf(amountMin), maxAmount: amountOf(amountMax) },
      },
    },
  })
  if (!isOpen) return { kind: 'declined', reason: 'not_permitted' }
  const started = await requests.begin(key, 'generate')
  if (started.before === 'new' && started.request.steps.withdraw !== undefined)
    return close(deps, started.request, 'withdrawn')
  return generate(deps, started.request, started.before === 'new' ? 'first' : 'again')
}

/** SPG creates one reference per checkout. After an earlier request, the status of the checkout shows it. */
async function generate(deps: Deps, known: RailRequest, time: 'first' | 'again'): Promise<ReferenceAnswer> {
  const { client } = deps
  const { providerId, signature } = known
  if (providerId === undefined) throw new Error('the checkout was not noted')
  if (time === 'again') {
    const status = await client.get(`/payments/${providerId}/status`)
    if (status.kind !== 'taken') return { kind: 'unknown', why: 'SIBS does not know its own checkout' }
    if (status.body.paymentReference?.reference !== undefined) return named(deps, known, status.body)
  }
  const path = `/payments/${providerId}/service-reference/generate`
  const reply = await client.post(path, { body: {}, signature })
  if (reply.kind === 'taken') return named(deps, known, reply.body)
  return time === 'first' && reply.kind === 'refused'
    ? close(deps, known, 'not_permitted')
    : { kind: 'unknown', why: 'SIBS made a reference, or refuses to' }
}

async function named(
  { requests }: Deps,
  known: RailRequest,
  { paymentReference }: SpgBody,
): Promise<ReferenceAnswer> {
  const noted = notedAs(known, 'reference')
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
  { requests }: Deps,
  known: RailRequest,
  decline: NonNullable<NotedReference['decline']>,
): Promise<ReferenceAnswer> {
  const answer = { ...notedOf(known), kind: 'reference', decline }
  await requests.record(known.key, 'generate', { answer })
  return { kind: 'declined', reason: decline }
}

async function withdraw(deps: Deps, key: string): Promise<void> {
  const { requests, logger } = deps
  if ((await requests.find(key)) === undefined) return
  const { request: known } = await requests.begin(key, 'withdraw')
  const noted = notedAs(known, 'reference')
  if (known.steps.generate === undefined || noted?.ref === undefined || known.providerId === undefined) return
  const unanswered = { key, transactionId: known.providerId, amount: noted.amount }
  if (!(await cancelUnanswered(deps, unanswered)))
    logger.info({ request: key }, 'SIBS does not cancel the reference: it is paid or cancelled already')
}

async function paymentOf(deps: Deps, key: string): Promise<ReferencePayment[]> {
  const { client, requests } = deps
  const known = await requests.find(key)
  const noted = notedAs(known, 'reference')
  if (noted?.entity === undefined || noted.ref === undefined || known?.providerId === undefined) return []
  const reply = await client.get(`/payments/${known.providerId}/status`)
  if (reply.kind !== 'taken') throw new Error('SIBS does not know its own checkout')
  const { paymentStatus: status, paymentType: type, amount: paid, transactionDateTime } = reply.body
  const amount = centsOf(paid)
  if (status !== 'Success' || (type !== 'PURS' && type !== 'PREF') || amount === undefined) return []
  const paidAt = await timeOf(deps, key, noted, transactionDateTime)
  const { entity, ref } = noted
  return [{ id: paymentIdOf(key), key, entity, ref, amount, paidAt }]
}

/** If SPG names no time of payment, this is the moment when the gateway first saw the payment. */
async function timeOf(
  { requests, clock }: Deps,
  key: string,
  noted: NotedReference,
  told: string | undefined,
): Promise<Instant> {
  const at = Date.parse(told ?? '')
  if (!Number.isNaN(at)) return instant(at)
  if (noted.paidAt !== undefined) return noted.paidAt
  const paidAt = clock.now()
  await requests.record(key, 'paid', { answer: { ...noted, paidAt } })
  return paidAt
}

const withdrawn = { kind: 'declined', reason: 'withdrawn' } as const

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
