// Orders at ifthenpay: their ids, derived from our keys, and the requests that make them.
import { createHash } from 'node:crypto'
import type { DriverTools, RailRequest } from '../../src/connections/index.ts'
import * as shared from '../shared/requests.ts'
import { type Json, textOf } from '../shared/texts.ts'
import type { IfthenpayClient, ListedPayment } from './client.ts'
import type { IfthenpaySettings } from './settings.ts'

const stemLength = 14

/**
 * All order ids of a key begin with this text, and a digit follows. ifthenpay accepts 15 characters. The text starts
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

/** Records the request once, with the beginning of its order ids. */
export const note: typeof shared.note = (deps, key, noted) => shared.note(deps, key, noted, orderStemOf(key))

const idOf = (key: string, number: number): string => orderStemOf(key) + number

/** The payments of every order that the driver may have made for a key, with the number of the order. */
export async function paymentsOf(
  { client }: Ifthenpay,
  { key, steps }: RailRequest,
  signal?: AbortSignal,
): Promise<readonly (ListedPayment & { readonly number: number })[]> {
  const found = []
  for (const number of shared.numbers.filter((one) => steps[`create${one}`] !== undefined))
    for (const payment of await client.paymentsOf(idOf(key, number), signal))
      found.push({ ...payment, number })
  return found
}

export interface NewOrder {
  readonly path: string
  readonly body: object
  /** Reads the values of a success, or the reason of a refusal. Undefined if the answer has neither. */
  read(answer: Json, orderId: string): Readonly<Record<string, string>> | string | undefined
  /** Whether the driver may make another order after a lost answer. It may if no customer has seen the first one. */
  readonly again: boolean
}

/**
 * Creates an order once. ifthenpay has no idempotency keys, so a repeated order gets another id. The caller must look
 * for payments first. Undefined if an answer was lost.
 */
export async function make(
  { requests, client, logger }: Ifthenpay,
  key: string,
  { path, body, read, again }: NewOrder,
  signal: AbortSignal | undefined,
): Promise<RailRequest | undefined> {
  for (const number of again ? shared.numbers : [0]) {
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
    const status = typeof made === 'string' ? { status: shared.declinedAs + made } : {}
    await requests.record(key, step, { ids: Object.fromEntries(ids), ...status })
    return requests.find(key)
  }
  return undefined
}

/** The limit of ifthenpay's documents for a text that the payer reads. */
export const textLengthMax = 100
