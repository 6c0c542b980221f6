// Orders at ifthenpay: our keys, their order ids, and the requests.
import { createHash } from 'node:crypto'
import type { DriverTools, RailRequest } from '../../src/connections/index.ts'
import type { Instant } from '../../src/kernel/time.ts'
import { type IfthenpayClient, type Json, type ListedPayment, textOf } from './client.ts'
import type { IfthenpaySettings } from './settings.ts'

const stemLength = 14

/**
 * The beginning of all order ids of a key; a digit follows. ifthenpay accepts 15 characters (documentation). It starts
 * with a letter, because some answers contain order ids as numbers (observed).
 */
export function orderStemOf(key: string): string {
  const hash = createHash('sha256').update(`ifthenpay ${key}`).digest('hex')
  return `c${BigInt(`0x${hash}`).toString(36)}`.slice(0, stemLength)
}

export const stemIn = (orderId: string): string => orderId.slice(0, stemLength)

export interface Ifthenpay extends Pick<DriverTools, 'requests' | 'clock' | 'logger'> {
  readonly client: IfthenpayClient
  readonly settings: IfthenpaySettings
}

/** Recorded before the first request, and never changed. Results are in `ids` and `status`. */
export interface Noted {
  readonly kind: 'reference' | 'payment' | 'card'
  /** Cents as text. */
  readonly amount: string
  readonly until?: Instant | undefined
}

export function notedOf(request: RailRequest | undefined): Noted | undefined {
  return (request?.answer ?? undefined) as Noted | undefined
}

/** Records the request, once. */
export async function note({ requests }: Ifthenpay, key: string, noted: Noted): Promise<RailRequest> {
  const { request } = await requests.begin(key, 'order')
  if (notedOf(request) !== undefined) return request
  await requests.record(key, 'order', { providerId: orderStemOf(key), answer: noted })
  return (await requests.find(key)) ?? request
}

const declinedAs = 'declined: '

export function declineIn(request: RailRequest | undefined): string | undefined {
  const status = request?.status ?? ''
  return status.startsWith(declinedAs) ? status.slice(declinedAs.length) : undefined
}

export async function decline(
  { requests }: Ifthenpay,
  key: string,
  step: string,
  why: string,
): Promise<void> {
  await requests.record(key, step, { status: declinedAs + why })
}

const numbers = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]

const idOf = (key: string, number: number): string => orderStemOf(key) + number

/** The number of the order whose answer contained `name`. */
export function numberWith(request: RailRequest, name: string): number | undefined {
  return numbers.find((number) => request.ids[name + number] !== undefined)
}

/** The payments of all orders that can exist for a key, each with the number of its order. */
export async function paymentsOf(
  { client }: Ifthenpay,
  { key, steps }: RailRequest,
  signal?: AbortSignal,
): Promise<readonly (ListedPayment & { readonly number: number })[]> {
  const found = []
  for (const number of numbers.filter((one) => steps[`create${one}`] !== undefined))
    for (const payment of await client.paymentsOf(idOf(key, number), signal))
      found.push({ ...payment, number })
  return found
}

export interface NewOrder {
  readonly path: string
  readonly body: object
  /** The results, the reason of a refusal, or undefined for an answer that says neither. */
  read(answer: Json, orderId: string): Readonly<Record<string, string>> | string | undefined
  /** Whether another order may be made after a lost answer, because nobody can pay what nobody has seen. */
  readonly again: boolean
}

/**
 * Creates an order once. ifthenpay has no idempotency keys, so a repeated order gets another id. The caller has looked
 * for payments first. Undefined: an answer was lost.
 */
export async function make(
  { requests, client, logger }: Ifthenpay,
  key: string,
  { path, body, read, again }: NewOrder,
  signal: AbortSignal | undefined,
): Promise<RailRequest | undefined> {
  for (const number of again ? numbers : [0]) {
    const [step, orderId] = [`create${number}`, idOf(key, number)]
    const { before, request } = await requests.begin(key, step)
    if (before === 'recorded') return request
    if (before === 'unknown') continue
    const isWithdrawn = request.steps.withdraw !== undefined
    const answer = isWithdrawn ? {} : await client.post(path, { ...body, orderId }, signal)
    const made = isWithdrawn ? 'withdrawn' : read(answer, orderId)
    if (made === undefined) throw new Error('ifthenpay answered neither an order nor a refusal')
    const ids = typeof made === 'string' ? [] : Object.entries(made).map(([name, id]) => [name + number, id])
    if (typeof made === 'string') logger.info({ code: textOf(answer.Status) }, 'ifthenpay made no order')
    const status = typeof made === 'string' ? { status: declinedAs + made } : {}
    await requests.record(key, step, { ids: Object.fromEntries(ids), ...status })
    return requests.find(key)
  }
  return undefined
}

/** Of a text for the payer (documentation). */
export const textLengthMax = 100

export const declined = <Reason extends string>(decline: Reason) => ({ kind: 'declined', decline }) as const
