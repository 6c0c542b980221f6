// Captures, cancellations and refunds. Each is sent once.
import type { RailRequest } from '../../src/connections/index.ts'
import { type Cents, cents } from '../../src/kernel/money.ts'
import type { HoldAnswer, NotReceived, Reversal, UnknownAnswer } from '../../src/rails/index.ts'
import { centsOf, type SpgBody, type SpgReply } from './client.ts'
import {
  createOnce,
  declined,
  type MovementKind,
  type Noted,
  type NotedMovement,
  notedOf,
  notFound,
  type Spg,
  within,
} from './requests.ts'
import { merchantTransactionIdOf } from './rules.ts'

export type MovementAnswer =
  | { readonly kind: 'approved'; readonly reference: string }
  | { readonly kind: 'declined'; readonly decline: 'not_permitted' | 'withdrawn' }
  | UnknownAnswer

export interface Movement {
  readonly key: string
  /** Key of the payment or capture. */
  readonly original: string
  readonly amount: Cents
}

export interface Movements {
  move(
    kind: MovementKind,
    movement: Movement,
    signal: AbortSignal | undefined,
  ): Promise<MovementAnswer | NotReceived>
  inquire(key: string, signal?: AbortSignal): Promise<MovementAnswer | NotReceived>
  /** SPG documents no status for a hold that somebody cancels by hand. Such a hold stays `held`. */
  inquireHold(key: string, signal?: AbortSignal): Promise<HoldAnswer>
  leftOf(key: string, signal: AbortSignal | undefined): Promise<Cents | UnknownAnswer>
  cancel(key: string, signal: AbortSignal | undefined): Promise<MovementAnswer>
  reverse(reversal: Reversal, signal: AbortSignal | undefined): Promise<MovementAnswer | NotReceived>
}

const follows: Readonly<Record<MovementKind, readonly string[]>> = {
  capture: ['hold'],
  cancellation: ['hold'],
  refund: ['sale', 'capture'],
}

/** The movement that undoes each kind. SPG cannot undo the other kinds. */
const undoneBy: Readonly<Record<string, MovementKind>> = {
  hold: 'cancellation',
  sale: 'refund',
  capture: 'refund',
}

/** No movement has this type, so the driver recognises a checkout that only reserves an id. */
const emptyCheckoutType = 'AUTH'

const followedBy = 'followed by '

export function movementsOf(spg: Spg): Movements {
  const once = createOnce()

  return {
    leftOf: (key, signal) => leftOf(within(spg, signal), key),
    inquireHold: (key, signal) => inquireHold(within(spg, signal), key),
    async move(kind, movement, signal) {
      signal?.throwIfAborted()
      return once(movement.key, () => move(within(spg, signal), kind, movement))
    },
    inquire: (key, signal) => inquire(within(spg, signal), key),
    async cancel(key, signal) {
      signal?.throwIfAborted()
      return cancel(within(spg, signal), key)
    },
    async reverse(reversal, signal) {
      signal?.throwIfAborted()
      return once(reversal.key, () => reverse(within(spg, signal), reversal))
    },
  }
}

async function move(
  spg: Spg,
  kind: MovementKind,
  { key, original, amount }: Movement,
): Promise<MovementAnswer | NotReceived> {
  const { client, requests } = spg
  const noted: NotedMovement = { kind, amount: String(amount) }
  const followed = await requests.find(original)
  const isPossible = follows[kind].includes(movableKindOf(followed) ?? '') && amount > 0n
  const { before, request } = await requests.begin(key, kind)
  if (before !== 'new') return inquire(spg, key)
  if (request.steps.cancel !== undefined) return close(spg, key, kind, { ...noted, decline: 'withdrawn' })
  if (!isPossible || followed?.providerId === undefined)
    return close(spg, key, kind, { ...noted, decline: 'not_permitted' })
  // The driver records the amount first, so that it can compute the rest if the answer is lost.
  if (kind !== 'refund')
    await requests.record(original, 'followed', { ids: { [followedBy + key]: noted.amount } })
  const reply = await client.post(`/payments/${followed.providerId}/${kind}`, {
    body: { ...client.merchant(merchantTransactionIdOf(key)), ...client.transaction(amount) },
  })
  if (reply.kind === 'refused')
    return close(spg, key, kind, { ...noted, decline: 'not_permitted' }, reply.code)
  if (reply.kind === 'unknown') return { kind: 'unknown', why: 'SIBS does not know its own transaction' }
  return conclude(spg, key, noted, reply.body)
}

async function conclude(spg: Spg, key: string, noted: NotedMovement, body: SpgBody): Promise<MovementAnswer> {
  const { requests } = spg
  const { paymentStatus: status, transactionID } = body
  if (status === 'Declined' || status === 'Expired')
    return close(spg, key, noted.kind, { ...noted, decline: 'not_permitted' }, status)
  if (status === undefined || transactionID === undefined)
    return { kind: 'unknown', why: 'SIBS named no status, or no transaction' }
  await requests.record(key, noted.kind, { providerId: transactionID, status, answer: noted })
  return status === 'Success'
    ? { kind: 'approved', reference: transactionID }
    : { kind: 'unknown', why: `SIBS reports the status ${status}` }
}

async function close(
  { requests }: Spg,
  key: string,
  step: string,
  answer: NotedMovement,
  status?: string,
): Promise<MovementAnswer> {
  await requests.record(key, step, { answer, ...(status !== undefined && { status }) })
  return declined(answer.decline === 'withdrawn' ? 'withdrawn' : 'not_permitted')
}

async function inquire(spg: Spg, key: string): Promise<MovementAnswer | NotReceived> {
  const { client, requests } = spg
  const known = await requests.find(key)
  const kind = known && movementIn(known)
  const noted = movementOf(known)
  if (noted?.decline !== undefined)
    return declined(noted.decline === 'withdrawn' ? 'withdrawn' : 'not_permitted')
  if (known === undefined || kind === undefined) return notFound
  if (known.providerId !== undefined && known.status === 'Success')
    return { kind: 'approved', reference: known.providerId }
  const reply = await client.get(
    known.providerId === undefined
      ? `/payments/status?merchantTransactionId=${merchantTransactionIdOf(key)}`
      : `/payments/${known.providerId}/status`,
  )
  return found(spg, known, kind, reply)
}

async function found(
  spg: Spg,
  known: RailRequest,
  kind: MovementKind,
  reply: SpgReply,
): Promise<MovementAnswer | NotReceived> {
  if (reply.kind === 'taken') {
    const { paymentType, paymentMethod } = reply.body
    if (known.steps.cancel !== undefined && paymentType === emptyCheckoutType && paymentMethod === undefined)
      return close(spg, known.key, kind, { kind, amount: '0', decline: 'withdrawn' })
    const moved = centsOf(reply.body.amount)
    const noted = movementOf(known)
    if (moved === undefined && noted === undefined)
      return { kind: 'unknown', why: 'SIBS names no amount that was moved' }
    return conclude(spg, known.key, noted ?? { kind, amount: String(moved) }, reply.body)
  }
  return known.providerId === undefined && reply.kind === 'unknown'
    ? notFound
    : { kind: 'unknown', why: 'SIBS does not know its own transaction' }
}

/**
 * A lost request can still arrive. An empty checkout with the same id makes SPG refuse it. If SPG refuses the
 * checkout, the request has arrived.
 */
async function cancel(spg: Spg, key: string): Promise<MovementAnswer> {
  const { client, requests } = spg
  const { request: known } = await requests.begin(key, 'cancel')
  const kind = movementIn(known)
  const noted: NotedMovement = { kind: kind ?? 'refund', amount: '0', decline: 'withdrawn' }
  if (kind === undefined) return close(spg, key, 'cancel', noted)
  const answer = await inquire(spg, key)
  if (answer.kind !== 'not_found') return answer
  const reply = await client.post('/payments', {
    body: {
      ...client.merchant(merchantTransactionIdOf(key)),
      ...client.transaction(cents(1), { paymentType: emptyCheckoutType, paymentMethod: ['MBWAY'] }),
    },
  })
  if (reply.kind !== 'taken') return { kind: 'unknown', why: 'it reached SIBS, and does not show yet' }
  return close(spg, key, kind, noted)
}

/** Reverses only the whole amount: SPG declines this after a partial capture, release or refund. */
async function reverse(spg: Spg, { key, original }: Reversal): Promise<MovementAnswer | NotReceived> {
  const { requests } = spg
  let undone = await requests.find(original)
  if (undone !== undefined && notedOf(undone) === undefined) {
    // The answer to the original was lost, so the driver asks for its state first.
    await inquire(spg, original)
    undone = await requests.find(original)
  }
  const noted = notedOf(undone)
  const kind = undoneBy[movableKindOf(undone) ?? '']
  if (kind === undefined || noted === undefined || !('amount' in noted)) return declined('not_permitted')
  return move(spg, kind, { key, original, amount: cents(BigInt(noted.amount)) })
}

async function leftOf(spg: Spg, key: string): Promise<Cents | UnknownAnswer> {
  const { requests } = spg
  const known = await requests.find(key)
  const noted = notedOf(known)
  if (known === undefined || movableKindOf(known) !== 'hold' || noted === undefined || !('amount' in noted))
    return cents(0)
  let left = BigInt(noted.amount)
  for (const [name, amount] of Object.entries(known.ids)) {
    if (!name.startsWith(followedBy)) continue
    const answer = await inquire(spg, name.slice(followedBy.length))
    if (answer.kind === 'unknown') return answer
    if (answer.kind === 'approved') left -= BigInt(amount)
  }
  return cents(left)
}

async function inquireHold(spg: Spg, key: string): Promise<HoldAnswer> {
  const { client, requests } = spg
  const known = await requests.find(key)
  if (known?.providerId === undefined || movableKindOf(known) !== 'hold') return notFound
  const reply = await client.get(`/payments/${known.providerId}/status`)
  if (reply.kind !== 'taken') return { kind: 'unknown', why: 'SIBS does not know its own transaction' }
  if (reply.body.paymentStatus === 'Expired') return { kind: 'ended' }
  const left = await leftOf(spg, key)
  return typeof left === 'bigint' ? { kind: left > 0n ? 'held' : 'ended' } : left
}

function movementOf(request: RailRequest | undefined): NotedMovement | undefined {
  const noted = notedOf(request)
  return noted !== undefined && isMovement(noted) ? noted : undefined
}

function movableKindOf(request: RailRequest | undefined): string | undefined {
  const noted = notedOf(request)
  if (noted === undefined || noted.decline !== undefined) return undefined
  if (noted.kind === 'reference') return 'sale'
  return 'intent' in noted ? noted.intent : noted.kind
}

function isMovement(noted: Noted): noted is NotedMovement {
  return noted.kind === 'capture' || noted.kind === 'cancellation' || noted.kind === 'refund'
}

export function movementIn({ steps }: RailRequest): MovementKind | undefined {
  return (['capture', 'cancellation', 'refund'] as const).find((kind) => steps[kind] !== undefined)
}
