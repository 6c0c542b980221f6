// Payments at Easypay: each is requested once under our key. Inquiries find it by Easypay's id or by our key.
import type { DriverTools, RailRequest } from '../../src/connections/index.ts'
import type { KeyedMutex } from '../../src/kernel/concurrency.ts'
import { after, hour, type Instant } from '../../src/kernel/time.ts'
import { type EasypayClient, EasypayUnclear, type Reply } from './client.ts'
import { itemsOf, type Json, type State, stateFor, textOf } from './rules.ts'

export interface Easypay extends Pick<DriverTools, 'requests' | 'clock' | 'logger'> {
  readonly client: EasypayClient
  /** Runs calls under one key one after the other in this process. Recorded steps do the same between processes. */
  readonly inTurn: KeyedMutex<Sent>
}

export type MoveKind = 'capture' | 'refund' | 'void'

/** The driver records this before it sends the request. Amounts are cents as text. */
export interface Noted {
  /** A customer pays a `single` object once, a `frequent` object many times. */
  readonly of: 'single' | 'frequent' | MoveKind
  readonly amount: string
  readonly askedAt: Instant
  readonly intent?: 'sale' | 'hold' | undefined
  /** The moment at which the customer's time to pay ends. */
  readonly until?: Instant | undefined
  readonly entity?: string | undefined
  readonly ref?: string | undefined
  readonly decline?: string | undefined
}

type Declined = { readonly kind: 'declined'; readonly decline: string }
type Unknown = { readonly kind: 'unknown'; readonly why: string }
export type Sent = { readonly kind: 'sent'; readonly id: string } | Declined | Unknown

export interface Shown {
  readonly kind: 'shown'
  readonly id: string
  readonly body: Json
  readonly noted: Noted
  readonly state: State
}

/** `none`: Easypay does not show the payment yet, or never received it. */
export type Found = Shown | Declined | Unknown | { readonly kind: 'none' }

/** Easypay forgets a key after 24 hours. An hour less leaves time for the request. */
const keyLastsMs = 23 * hour

export const unknown = (why: string): Unknown => ({ kind: 'unknown', why })

export function notedOf(request: RailRequest | undefined): Noted | undefined {
  return (request?.answer ?? undefined) as Noted | undefined
}

/** Records a decline while no money could move yet. */
export async function close({ requests }: Easypay, key: string, noted: Noted, decline: string) {
  await requests.record(key, 'closed', { status: 'declined', answer: { ...noted, decline } })
  return { kind: 'declined', decline } as const
}

export interface Asked {
  readonly noted: Noted
  readonly path: string
  readonly body: object
  /** Finds the id of an earlier call whose answer was lost. */
  look(noted: Noted): Promise<string | undefined>
}

/**
 * Sends a POST under our key once, or again under the same key within a day. After an HTTP 500 it only searches for
 * the payment, because Easypay does not repeat such a request.
 */
export function sendOnce(deps: Easypay, key: string, asked: Asked, signal?: AbortSignal): Promise<Sent> {
  return deps.inTurn(key, () => send(deps, key, asked, signal))
}

async function send(deps: Easypay, key: string, asked: Asked, signal?: AbortSignal): Promise<Sent> {
  const { requests, client, clock } = deps
  signal?.throwIfAborted()
  const { before, request } = await requests.begin(key, asked.noted.of)
  const noted = notedOf(request) ?? asked.noted
  if (noted.decline !== undefined) return { kind: 'declined', decline: noted.decline }
  if (request.providerId !== undefined) return { kind: 'sent', id: request.providerId }
  const isCancelled = request.steps.cancel !== undefined
  if (before === 'new' && isCancelled) return close(deps, key, noted, 'cancelled')
  if (notedOf(request) === undefined) await requests.record(key, 'noted', { answer: noted })
  if (before !== 'new') {
    const id = await asked.look(noted)
    if (id !== undefined) return { kind: 'sent', id }
    if (isCancelled || request.status === '500' || clock.now() > after(noted.askedAt, keyLastsMs))
      return unknown('it was sent, and Easypay does not show it')
  }
  let reply: Reply
  try {
    reply = await client.post(asked.path, asked.body, key, signal)
  } catch (error) {
    if (error instanceof EasypayUnclear && error.cause === 500)
      await requests.record(key, 'failed', { status: '500' })
    throw error
  }
  if (reply.kind === 'refused' && before === 'new') return close(deps, key, noted, `refused ${reply.code}`)
  const id = reply.kind === 'taken' ? textOf(reply.body.id) : undefined
  if (id === undefined) return unknown('Easypay names no id, or refuses a repetition')
  await requests.record(key, noted.of, { providerId: id })
  return { kind: 'sent', id }
}

/** Requests a payment once, and answers its state. */
export async function ask(
  deps: Easypay,
  { key, noted, body }: { readonly key: string; readonly noted: Noted; readonly body: object },
  signal?: AbortSignal,
): Promise<Found> {
  const look = (known: Noted) => lookUp(deps, key, known.of, signal)
  const sent = await sendOnce(deps, key, { noted, path: `/${noted.of}`, body, look }, signal)
  return sent.kind === 'sent' ? payment(deps, key, signal) : sent
}

export async function payment(deps: Easypay, key: string, signal?: AbortSignal): Promise<Found> {
  const request = await deps.requests.find(key)
  const noted = notedOf(request)
  if (noted?.decline !== undefined) return { kind: 'declined', decline: noted.decline }
  if (request === undefined || noted === undefined)
    return request?.steps.cancel === undefined ? { kind: 'none' } : { kind: 'declined', decline: 'cancelled' }
  const id = request.providerId ?? (await lookUp(deps, key, noted.of, signal))
  if (id === undefined) return { kind: 'none' }
  const reply = await deps.client.get(`/${noted.of}/${id}`, signal)
  if (reply.kind !== 'taken') return unknown('Easypay does not know its own payment')
  const { body } = reply
  const isOurs = (textOf(body.id) ?? id) === id && (textOf(body.key) ?? key) === key
  if (!isOurs) return unknown('Easypay shows another payment')
  return { kind: 'shown', id, body, noted, state: stateFor(body, BigInt(noted.amount)) }
}

/** Easypay can filter lists by our key, but accepts two payments with one key. */
async function lookUp(
  { client, requests, logger }: Easypay,
  key: string,
  of: Noted['of'],
  signal?: AbortSignal,
): Promise<string | undefined> {
  const reply = await client.get(`/${of}?key=${key}&records_per_page=20`, signal)
  const [first, ...others] = itemsOf(reply.kind === 'taken' && reply.body.data).filter(
    (item) => item.key === key,
  )
  if (others.length > 0) logger.error({ request: key }, 'Easypay shows several payments under one key')
  const id = textOf(first?.id)
  if (id !== undefined) await requests.record(key, of, { providerId: id })
  return id
}

/**
 * Ends a payment that nobody has paid yet, and answers its new state. Easypay documents this for references and holds
 * only. The driver does not rely on it for requests on a phone and card pages.
 */
export async function end(deps: Easypay, key: string, signal?: AbortSignal): Promise<Found> {
  await deps.requests.begin(key, 'cancel')
  const before = await payment(deps, key, signal)
  if (before.kind !== 'shown') return before
  const { noted, state, id } = before
  const isOpen = noted.of === 'frequent' ? state !== 'gone' : state === 'open' || state === 'unclear'
  if (!isOpen) return before
  await deps.client.remove(`/${noted.of}/${id}`, signal)
  return payment(deps, key, signal)
}
