// The records of the fake of Easypay, and their two spellings on the wire.
import { lisbonTimeOf } from '../../../src/kernel/lisbon.ts'
import { decimalText } from '../../../src/kernel/money.ts'
import type { Instant } from '../../../src/kernel/time.ts'

export interface Payment {
  readonly id: string
  readonly of: 'single' | 'frequent'
  readonly key: string
  readonly method: 'cc' | 'mb' | 'mbw'
  readonly type: 'sale' | 'authorisation'
  /** In cents. A `frequent` payment has a lowest and a highest amount. */
  readonly min: bigint
  readonly max: bigint
  readonly isOnce: boolean
  readonly starts: Instant | undefined
  readonly ends: Instant | undefined
  readonly entity: string | undefined
  readonly reference: string | undefined
  status: 'pending' | 'authorised' | 'paid' | 'failed' | 'deleted' | 'voided'
  /** The hold ran out. */
  isLapsed: boolean
}

export interface Capture {
  readonly id: string
  /** Undefined: paid without this gateway. */
  readonly payment: Payment | undefined
  readonly key: string
  readonly value: bigint
  readonly at: Instant
  status: string
  /** The fake leaves it out of its lists of captures, as if Easypay had lost it. */
  isLost: boolean
}

export interface Refund {
  readonly id: string
  readonly capture: Capture
  readonly key: string
  readonly value: bigint
  readonly at: Instant
  status: string
}

export interface Void {
  readonly id: string
  readonly payment: Payment
  readonly key: string
  status: string
}

/** `old`: nested values, amounts as text, the status in the method, local times without a zone. */
export type Spelling = 'new' | 'old'

// biome-ignore lint/suspicious/noExplicitAny: what came over the wire is looked at field by field
export type Json = any

export function paymentOnWire(
  payment: Payment,
  captures: readonly Capture[],
  spelling: Spelling,
  page: string,
) {
  const { id, key, method, type, status, entity, reference, max } = payment
  const ours = captures.filter((capture) => capture.payment === payment)
  const details = {
    ...(method === 'mb' && { entity, reference: spelling === 'old' ? Number(reference) : reference }),
    ...(method === 'cc' && { url: page }),
  }
  const value = amountOnWire(max, spelling)
  if (spelling === 'old')
    return {
      ...{
        id,
        key,
        type,
        value,
        currency: 'EUR',
        method: { type: method.toUpperCase(), status, ...details },
      },
      transactions: ours.map((capture) => ({
        ...{ id: capture.id, key: capture.key, date: lisbonTimeOf(capture.at) },
        values: { requested: value, paid: amountOnWire(capture.value, spelling), fixed_fee: '0' },
      })),
    }
  return {
    ...{
      id,
      key,
      type,
      value,
      currency: 'EUR',
      payment_status: status,
      method: { type: method, ...details },
    },
    captures: ours.map((capture) => captureOnWire(capture, spelling)),
  }
}

export function captureOnWire({ id, key, value, status, at }: Capture | Refund, spelling: Spelling) {
  const created_at = spelling === 'old' ? lisbonTimeOf(at) : new Date(at).toISOString()
  return { id, transaction_key: key, value: amountOnWire(value, spelling), status, created_at }
}

export function amountOnWire(amount: bigint, spelling: Spelling): number | string {
  return spelling === 'old' ? `${decimalText(amount)}000` : Number(amount) / 100
}

/** Undefined unless a JSON number of euros with at most two decimals. */
export function centsIn(value: unknown): bigint | undefined {
  const [, whole, decimals = ''] = /^(\d+)(?:\.(\d{1,2}))?$/.exec(String(value)) ?? []
  return typeof value === 'number' && whole !== undefined
    ? BigInt(whole + decimals.padEnd(2, '0'))
    : undefined
}
