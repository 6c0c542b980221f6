// Multibanco at Easypay: a single reference is paid once, a frequent one many times.
import { lisbonTimeOf } from '../../src/kernel/lisbon.ts'
import { cents, decimalText } from '../../src/kernel/money.ts'
import { type Instant, instant, minute } from '../../src/kernel/time.ts'
import type * as rails from '../../src/rails/index.ts'
import { type MoveAnswer, move, paymentIdOf } from './movements.ts'
import { ask, type Easypay, end, type Noted, payment, type Shown, unknown } from './payments.ts'
import { jsonOf, takenIn, textOf } from './rules.ts'

/** The Multibanco network allows at most 99,999.99 €. */
const limits: rails.ReferenceLimits = {
  ...{ payableManyTimes: true, openAmount: true, startsLater: true, amountMax: cents(99_999_99) },
}

export function referencesOf(deps: Easypay): rails.ProviderReferences {
  return {
    ...{ numbering: 'theirs', limits },
    create: (asked, signal) => create(deps, asked, signal),
    async withdraw(keys) {
      for (const key of keys) if ((await deps.requests.find(key)) !== undefined) await end(deps, key)
    },
    async paymentsOf(keys) {
      const payments: rails.ReferencePayment[] = []
      for (const key of keys) payments.push(...(await paymentsOf(deps, key)))
      return payments
    },
    refundPayment: async ({ of: original, ...refund }, signal) =>
      refundAnswerOf(await move(deps, 'refund', { original, ...refund }, signal)),
  }
}

/**
 * Easypay accepts local times without seconds. The driver cuts the seconds off, so a reference can end up to a minute
 * early.
 */
const byMinute = (moment: Instant | undefined) => moment && lisbonTimeOf(moment).slice(0, 16)
const euros = (amount: bigint) => Number(decimalText(amount))

/**
 * A single reference has one amount. A frequent one has bounds, and customers can pay it many times. The driver
 * assumes that `unlimited_payments: false` allows one payment of any amount.
 */
async function create(
  deps: Easypay,
  asked: rails.ReferenceRequest,
  signal?: AbortSignal,
): Promise<rails.ReferenceAnswer> {
  const { key, merchant, amountMin, amountMax: amount, starts, expires, payableOnce, customer } = asked
  const isSingle = payableOnce && amountMin === amount
  if (!isSingle && starts !== undefined) return { kind: 'declined', reason: 'not_permitted' }
  const times = { start_time: byMinute(starts), expiration_time: byMinute(expires) }
  const capture = { transaction_key: key, descriptive: (asked.description ?? merchant.name).slice(0, 60) }
  const bounds = { min_value: euros(amountMin), max_value: euros(amount), unlimited_payments: !payableOnce }
  const body = {
    ...{ key, method: 'mb', currency: 'EUR', customer: { key, ...customer } },
    ...(isSingle
      ? { type: 'sale', value: euros(amount), capture, multibanco: times }
      : { ...bounds, ...times }),
  }
  const noted: Noted = {
    ...{ of: isSingle ? 'single' : 'frequent', intent: 'sale', amount: String(amount) },
    ...{ askedAt: deps.clock.now(), until: expires && instant(expires - (expires % minute)) },
  }
  const known = await ask(deps, { key, noted, body }, signal)
  if (known.kind === 'declined')
    return {
      kind: 'declined',
      reason: known.decline === 'cancelled' ? 'withdrawn' : 'amount_not_possible',
    }
  if (known.kind === 'none') return unknown('Easypay does not show the reference yet')
  return known.kind === 'unknown' ? known : named(deps, key, known)
}

async function named(
  { requests }: Easypay,
  key: string,
  { noted, body }: Shown,
): Promise<rails.ReferenceAnswer> {
  if ((await requests.find(key))?.steps.cancel !== undefined) return { kind: 'declined', reason: 'withdrawn' }
  const method = jsonOf(body.method)
  const entity = textOf(method?.entity) ?? ''
  // Easypay can send the reference as a number, which has no leading zeros.
  const ref = textOf(method?.reference)?.replaceAll(/\s/g, '').padStart(9, '0') ?? ''
  if (!/^\d{5}$/.test(entity) || !/^\d{9}$/.test(ref)) return unknown('Easypay names no reference')
  await requests.record(key, 'named', { answer: { ...noted, entity, ref } })
  return { kind: 'named', entity, ref, expires: noted.until }
}

/** A payer can pay another amount than the requested one. The gateway decides whether to accept it. */
async function paymentsOf(deps: Easypay, key: string): Promise<rails.ReferencePayment[]> {
  const known = await payment(deps, key)
  if (known.kind === 'unknown') throw new Error(known.why)
  if (known.kind !== 'shown') return []
  const { entity = '', ref = '', askedAt } = known.noted
  return takenIn(known.body).flatMap(({ id, amount, state, at: paidAt = askedAt }) =>
    state === 'paid' ? [{ id: paymentIdOf(id), key, entity, ref, amount, paidAt }] : [],
  )
}

function refundAnswerOf(answer: MoveAnswer): rails.RefundAnswer {
  if (answer.kind !== 'declined') return answer
  if (answer.decline === 'account_needed') return { kind: 'declined', reason: 'account_needed' }
  const reason = answer.decline === 'exceeds' ? 'amount_exceeds_remaining' : 'not_possible'
  return { kind: 'declined', reason }
}
