// The meaning of Easypay's answers. If a status is not certain, the payment stays undecided.
import { parseLisbonTime } from '../../src/kernel/lisbon.ts'
import { type Cents, cents, readDecimal } from '../../src/kernel/money.ts'
import { type Instant, instant } from '../../src/kernel/time.ts'

export type Json = Readonly<Record<string, unknown>>

/** `gone`: voided, deleted or expired. `unclear`: Easypay gave no status, an unknown one, or contradicting ones. */
export type State = 'paid' | 'held' | 'open' | 'failed' | 'gone' | 'unclear'

/**
 * Status words from Easypay's documents, and older ones from public client libraries. `error` is missing, because
 * the payment can still succeed.
 */
const meanings: Readonly<Record<string, State>> = {
  ...{ paid: 'paid', success: 'paid', captured: 'paid', processed: 'paid', refunded: 'paid' },
  ...{ authorised: 'held', authorized: 'held', failed: 'failed', declined: 'failed' },
  ...{ pending: 'open', waiting: 'open', active: 'open', processing: 'open', delayed: 'open' },
  ...{ voided: 'gone', deleted: 'gone', canceled: 'gone', cancelled: 'gone', expired: 'gone' },
}

export function meaningOf(status: unknown): State {
  return meanings[textOf(status)?.toLowerCase() ?? ''] ?? 'unclear'
}

export function jsonOf(value: unknown): Json | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined
}

export function itemsOf(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.map(jsonOf).filter((item) => item !== undefined) : []
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : undefined
}

/** Euros as a number or a text, with a point or a comma. */
export function centsOf(value: unknown): Cents | undefined {
  const read = readDecimal(textOf(value)?.trim().replace(',', '.') ?? '', 2)
  return typeof read === 'bigint' ? cents(read) : undefined
}

/**
 * Reads ISO 8601 with a zone. The driver assumes that a time without a zone is Lisbon time, because the documents
 * name no zone.
 */
export function timeOf(value: unknown): Instant | undefined {
  const text = textOf(value) ?? ''
  const local = parseLisbonTime(/^\d{4}-\d\d-\d\d[ T]\d\d:\d\d$/.test(text) ? `${text}:00` : text)
  const read = local ?? (/T.*(Z|[+-]\d\d:?\d\d)$/.test(text) ? Date.parse(text) : Number.NaN)
  return Number.isNaN(read) ? undefined : instant(read)
}

/** Reads a capture, or a payment of a reference. */
export function takenOf(item: Json) {
  const values = jsonOf(item.values)
  const id = textOf(item.id)
  const amount = centsOf(item.value ?? values?.paid ?? values?.requested)
  if (id === undefined || amount === undefined) return undefined
  const state: State = item.status === undefined ? 'paid' : meaningOf(item.status)
  const at = [item.paid_at, item.date, item.created_at].map(timeOf).find((time) => time !== undefined)
  return { id, amount, state, at, key: textOf(item.transaction_key ?? item.key) }
}

/** The documents call the list `captures`. Older answers have `transactions`, with nested values and no status. */
export function takenIn({ captures, transactions }: Json) {
  return itemsOf(captures ?? transactions).flatMap((item) => takenOf(item) ?? [])
}

/**
 * The place of the status differs between versions of the API. At the top, `ok` and `success` mean only that the
 * request worked.
 */
function stateOf(body: Json): State {
  const captures = takenIn(body)
  const words = [
    body.payment_status,
    jsonOf(body.method)?.status,
    body.status === 'success' ? '' : body.status,
  ]
  const states = new Set(words.map(meaningOf))
  const isTaken = captures.some(({ state }) => state === 'paid')
  if (isTaken) states.add('paid')
  states.delete('unclear')
  if (states.size > 1) states.delete('open')
  if (states.has('paid')) states.delete('held')
  if (states.has('failed')) states.delete('gone')
  const [state = 'unclear', ...others] = states
  const isContradicted = state === 'paid' && captures.length > 0 && !isTaken
  return others.length > 0 || isContradicted ? 'unclear' : state
}

/** The state of an object. A payment or hold of another amount or currency is `unclear`. */
export function stateFor(body: Json, amount: bigint): State {
  const state = stateOf(body)
  const isSame = centsOf(body.value) === amount && textOf(body.currency ?? 'EUR')?.toUpperCase() === 'EUR'
  return (state === 'paid' || state === 'held') && !isSame ? 'unclear' : state
}

/** Country code and number, from E.164. */
export function phoneOf(e164: string): { readonly phone_indicative: string; readonly phone: string } {
  const code = /^\+(1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})/.exec(e164)?.[0] ?? ''
  return { phone_indicative: code, phone: e164.slice(code.length) }
}
