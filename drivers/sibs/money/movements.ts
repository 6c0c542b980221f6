// Money that follows an approved transaction: captures, cancellations and refunds, each sent once.
import type { RailRequest } from '../../../src/connections/index.ts'
import { type Cents, cents } from '../../../src/kernel/money.ts'
import type { HoldAnswer, NotReceived, Reversal, UnknownAnswer } from '../../../src/rails/index.ts'
import { centsOf, type SpgBody, type SpgReply } from '../client.ts'
import {
  createOnce,
  declined,
  type MovementKind,
  type Noted,
  type NotedMovement,
  notedOf,
  type Spg,
} from '../requests.ts'
import { merchantTransactionIdOf } from '../rules.ts'

export type MovementAnswer =
  | { readonly kind: 'approved'; readonly reference: string }
  | { readonly kind: 'declined'; readonly decline: 'not_permitted' | 'withdrawn' }
  | UnknownAnswer

export interface Movement {
  readonly key: string
  /** Key of the payment, or of the capture. */
  readonly original: string
  readonly amount: Cents
}

export interface Movements {
  /** Sends it once under a key; one that was sent and not answered is asked about, and never sent again. */
  move(
    kind: MovementKind,
    movement: Movement,
    signal: AbortSignal | undefined,
  ): Promise<MovementAnswer | NotReceived>
  inquire(key: string, signal?: AbortSignal): Promise<MovementAnswer | NotReceived>
  /** Whether a hold still stands. SPG documents no status for one that was cancelled by hand: those are `held`. */
  inquireHold(key: string, signal?: AbortSignal): Promise<HoldAnswer>
  /** What of a hold was neither captured nor released. */
  leftOf(key: string, signal: AbortSignal | undefined): Promise<Cents | UnknownAnswer>
  cancel(key: string, signal: AbortSignal | undefined): Promise<MovementAnswer>
  reverse(reversal: Reversal, signal: AbortSignal | undefined): Promise<MovementAnswer | NotReceived>
}

/** What each may follow: a hold is captured or cancelled; a sale or a capture is refunded. */
const follows: Readonly<Record<MovementKind, readonly string[]>> = {
  capture: ['hold'],
  cancellation: ['hold'],
  refund: ['sale', 'capture'],
}

/** How what was approved is undone, by what it is; what is not here cannot be. */
const undoneBy: Readonly<Record<string, MovementKind>> = {
  hold: 'cancellation',
  sale: 'refund',
  capture: 'refund',
}

/** Of a checkout that only takes an id; no capture, cancellation or refund is of this type. */
const emptyCheckoutType = 'AUTH'

/** Before the key of what follows a hold, among the ids of the hold's request. */
const followedBy = 'followed by '

const notFound: NotReceived = { kind: 'not_found' }

export function movementsOf(spg: Spg): Movements {
  const { client, tools } = spg
  const { requests } = tools
  const once = createOnce()

  async function move(
    kind: MovementKind,
    { key, original, amount }: Movement,
    signal: AbortSignal | undefined,
  ): Promise<MovementAnswer | NotReceived> {
    const noted: NotedMovement = { kind, amount: String(amount) }
    const followed = await requests.find(original)
    const isPossible = follows[kind].includes(movableKindOf(followed) ?? '') && amount > 0n
    const { before, request } = await requests.begin(key, kind)
    if (before !== 'new') return inquire(key, signal)
    // Cancelled before it was sent: whoever comes second to the row sees the other.
    if (request.steps.cancel !== undefined) return close(key, kind, { ...noted, decline: 'withdrawn' })
    if (!isPossible || followed?.providerId === undefined)
      return close(key, kind, { ...noted, decline: 'not_permitted' })
    // What is left of it can be counted then, whatever becomes of the answer.
    if (kind !== 'refund')
      await requests.record(original, 'followed', { ids: { [followedBy + key]: noted.amount } })
    const reply = await client.post(`/payments/${followed.providerId}/${kind}`, {
      body: { ...client.merchant(merchantTransactionIdOf(key)), ...client.transaction(amount) },
      signal,
    })
    if (reply.kind === 'refused') return close(key, kind, { ...noted, decline: 'not_permitted' }, reply.code)
    if (reply.kind === 'unknown') return { kind: 'unknown', why: 'SIBS does not know its own transaction' }
    return conclude(key, noted, reply.body)
  }

  /** Notes what SPG said of it, and answers that. */
  async function conclude(key: string, noted: NotedMovement, body: SpgBody): Promise<MovementAnswer> {
    const { paymentStatus: status, transactionID } = body
    if (status === 'Declined' || status === 'Expired')
      return close(key, noted.kind, { ...noted, decline: 'not_permitted' }, status)
    if (status === undefined || transactionID === undefined)
      return { kind: 'unknown', why: 'SIBS named no status, or no transaction' }
    await requests.record(key, noted.kind, { providerId: transactionID, status, answer: noted })
    return status === 'Success'
      ? { kind: 'approved', reference: transactionID }
      : { kind: 'unknown', why: `SIBS reports the status ${status}` }
  }

  async function close(
    key: string,
    step: string,
    answer: NotedMovement,
    status?: string,
  ): Promise<MovementAnswer> {
    await requests.record(key, step, { answer, ...(status !== undefined && { status }) })
    return declined(answer.decline === 'withdrawn' ? 'withdrawn' : 'not_permitted')
  }

  async function inquire(key: string, signal?: AbortSignal): Promise<MovementAnswer | NotReceived> {
    const known = await requests.find(key)
    const kind = (['capture', 'cancellation', 'refund'] as const).find((one) => known?.steps[one])
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
      signal,
    )
    return found(known, kind, reply)
  }

  async function found(
    known: RailRequest,
    kind: MovementKind,
    reply: SpgReply,
  ): Promise<MovementAnswer | NotReceived> {
    if (reply.kind === 'taken') {
      const { paymentType, paymentMethod } = reply.body
      if (
        known.steps.cancel !== undefined &&
        paymentType === emptyCheckoutType &&
        paymentMethod === undefined
      )
        return close(known.key, kind, { kind, amount: '0', decline: 'withdrawn' })
      const moved = centsOf(reply.body.amount)
      const noted = movementOf(known)
      if (moved === undefined && noted === undefined)
        return { kind: 'unknown', why: 'SIBS names no amount that was moved' }
      return conclude(known.key, noted ?? { kind, amount: String(moved) }, reply.body)
    }
    return known.providerId === undefined && reply.kind === 'unknown'
      ? notFound
      : { kind: 'unknown', why: 'SIBS does not know its own transaction' }
  }

  /**
   * What was sent and is not known may still be on its way. An empty checkout takes its id, so that SPG refuses it
   * should it arrive; where the id is taken already, it has arrived.
   */
  async function cancel(key: string, signal: AbortSignal | undefined): Promise<MovementAnswer> {
    const { request: known } = await requests.begin(key, 'cancel')
    const kind = (['capture', 'cancellation', 'refund'] as const).find((one) => known.steps[one])
    const noted: NotedMovement = { kind: kind ?? 'refund', amount: '0', decline: 'withdrawn' }
    if (kind === undefined) return close(key, 'cancel', noted)
    const answer = await inquire(key, signal)
    if (answer.kind !== 'not_found') return answer
    const reply = await client.post('/payments', {
      body: {
        ...client.merchant(merchantTransactionIdOf(key)),
        ...client.transaction(cents(1), { paymentType: emptyCheckoutType, paymentMethod: ['MBWAY'] }),
      },
      signal,
    })
    if (reply.kind !== 'taken') return { kind: 'unknown', why: 'it reached SIBS, and does not show yet' }
    return close(key, kind, noted)
  }

  /** Whole, by the amount: SPG declines it where a part was captured, released or refunded. */
  async function reverse(
    { key, original }: Reversal,
    signal: AbortSignal | undefined,
  ): Promise<MovementAnswer | NotReceived> {
    let undone = await requests.find(original)
    if (undone !== undefined && notedOf(undone) === undefined) {
      // Its answer was lost: what it moved is asked first.
      await inquire(original, signal)
      undone = await requests.find(original)
    }
    const noted = notedOf(undone)
    const kind = undoneBy[movableKindOf(undone) ?? '']
    if (kind === undefined || noted === undefined || !('amount' in noted)) return declined('not_permitted')
    return move(kind, { key, original, amount: cents(BigInt(noted.amount)) }, signal)
  }

  async function leftOf(key: string, signal: AbortSignal | undefined): Promise<Cents | UnknownAnswer> {
    const known = await requests.find(key)
    const noted = notedOf(known)
    if (known === undefined || movableKindOf(known) !== 'hold' || noted === undefined || !('amount' in noted))
      return cents(0)
    let left = BigInt(noted.amount)
    for (const [name, amount] of Object.entries(known.ids)) {
      if (!name.startsWith(followedBy)) continue
      const answer = await inquire(name.slice(followedBy.length), signal)
      if (answer.kind === 'unknown') return answer
      if (answer.kind === 'approved') left -= BigInt(amount)
    }
    return cents(left)
  }

  async function inquireHold(key: string, signal?: AbortSignal): Promise<HoldAnswer> {
    const known = await requests.find(key)
    if (known?.providerId === undefined || movableKindOf(known) !== 'hold') return notFound
    const reply = await client.get(`/payments/${known.providerId}/status`, signal)
    if (reply.kind !== 'taken') return { kind: 'unknown', why: 'SIBS does not know its own transaction' }
    if (reply.body.paymentStatus === 'Expired') return { kind: 'ended' }
    const left = await leftOf(key, signal)
    return typeof left === 'bigint' ? { kind: left > 0n ? 'held' : 'ended' } : left
  }

  return {
    leftOf,
    inquireHold,
    async move(kind, movement, signal) {
      signal?.throwIfAborted()
      return once(movement.key, () => move(kind, movement, signal))
    },
    inquire,
    async cancel(key, signal) {
      signal?.throwIfAborted()
      return cancel(key, signal)
    },
    async reverse(reversal, signal) {
      signal?.throwIfAborted()
      return once(reversal.key, () => reverse(reversal, signal))
    },
  }
}

function movementOf(request: RailRequest | undefined): NotedMovement | undefined {
  const noted = notedOf(request)
  return noted !== undefined && isMovement(noted) ? noted : undefined
}

/** `sale`, `hold` or `capture`: what something may follow. */
function movableKindOf(request: RailRequest | undefined): string | undefined {
  const noted = notedOf(request)
  if (noted === undefined || noted.decline !== undefined) return undefined
  if (noted.kind === 'reference') return 'sale'
  return 'intent' in noted ? noted.intent : noted.kind
}

function isMovement(noted: Noted): noted is NotedMovement {
  return noted.kind === 'capture' || noted.kind === 'cancellation' || noted.kind === 'refund'
}
