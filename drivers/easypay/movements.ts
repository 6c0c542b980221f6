// Captures, refunds and voids at Easypay, each sent once.
import { type Cents, cents, decimalText } from '../../src/kernel/money.ts'
import { derivedId } from '../../src/kernel/random.ts'
import { after, hour, type Instant, toTimestamp } from '../../src/kernel/time.ts'
import type * as rails from '../../src/rails/index.ts'
import type { EasypayClient } from './client.ts'
import * as payments from './payments.ts'
import { centsOf, itemsOf, type Json, jsonOf, meaningOf, takenIn, textOf } from './rules.ts'

type Easypay = payments.Easypay

/** `exceeds`: the amount is larger than the held or paid amount. */
export type MoveAnswer =
  | { readonly kind: 'approved'; readonly reference: string }
  | { readonly kind: 'declined'; readonly decline: 'exceeds' | (typeof keptDeclines)[number] }
  | { readonly kind: 'waiting' }
  | rails.UnknownAnswer

interface Movement {
  readonly key: string
  readonly original: string
  readonly amount: Cents | 'all'
  /** The original payment must belong to this wallet. */
  readonly walletId?: bigint | undefined
  /** Easypay's id of the payment to refund, for a reference with several payments. */
  readonly paymentId?: string | undefined
  readonly to?: rails.RefundAccount | undefined
}

/** The Easypay object that a movement changes, and the largest amount that it allows. */
interface Target {
  readonly id: string
  readonly most: bigint
  readonly isReference?: boolean
}

/** A call ends after 8 seconds, so an hour later Easypay has received the request or never will. */
export const settledAfterMs = hour
export const notFound: rails.NotReceived = { kind: 'not_found' }
const pagesMax = 100

export function paymentIdOf(captureId: string): string {
  return derivedId(captureId, 'payment at Easypay')
}

export async function move(
  deps: Easypay,
  of: payments.MoveKind,
  asked: Movement,
  signal?: AbortSignal,
): Promise<MoveAnswer> {
  const { key, to } = asked
  signal?.throwIfAborted()
  const known = await inquireMove(deps, key, signal)
  if (known.kind !== 'not_found') return known
  const target = await targetOf(deps, of, asked, signal)
  const amount = asked.amount === 'all' ? (target?.most ?? 0n) : asked.amount
  const noted: payments.Noted = { of, amount: String(amount), askedAt: deps.clock.now() }
  const decline = whyNot(of, target, amount, to)
  if (target === undefined || decline !== undefined)
    return declinedBy(await payments.close(deps, key, noted, decline ?? 'exceeds'))
  await deps.requests.record(key, 'follow', { ids: { target: target.id } })
  const body = {
    transaction_key: key,
    ...(of !== 'refund' && { descriptive: of === 'void' ? 'Release' : 'Capture' }),
    ...(of !== 'void' && { value: Number(decimalText(amount)) }),
    ...(to !== undefined && { iban: to.iban, account_holder: to.holder }),
  }
  const look = (before: payments.Noted) => lookUp(deps, key, before, target.id, signal)
  const request = { noted, path: `/${of}/${target.id}`, body, look }
  const sent = await payments.sendOnce(deps, key, request, signal)
  return sent.kind === 'declined'
    ? declinedBy(sent)
    : sent.kind === 'unknown'
      ? sent
      : inquireSent(deps, key, signal)
}

/** By Easypay's documents, a void must be of the whole amount, and a reference is refunded only to a bank account. */
function whyNot(of: payments.MoveKind, target: Target | undefined, amount: bigint, to: Movement['to']) {
  if (target === undefined || amount <= 0n || amount > target.most) return 'exceeds'
  if (of === 'void' && amount !== target.most) return 'not_permitted'
  return target.isReference === true && to === undefined ? 'account_needed' : undefined
}

async function targetOf(
  deps: Easypay,
  of: payments.MoveKind,
  { original, walletId, paymentId }: Omit<Movement, 'key' | 'amount'>,
  signal?: AbortSignal,
): Promise<Target | undefined> {
  const request = await deps.requests.find(original)
  const noted = payments.notedOf(request)
  if (noted === undefined || (walletId !== undefined && request?.walletId !== walletId)) return undefined
  if (noted.of === 'capture' && of === 'refund') {
    const answer = await inquireMove(deps, original, signal)
    return answer.kind === 'approved' ? { id: answer.reference, most: BigInt(noted.amount) } : undefined
  }
  if (noted.intent !== (of === 'refund' ? 'sale' : 'hold')) return undefined
  const shown = await payments.payment(deps, original, signal)
  if (shown.kind !== 'shown') return undefined
  const captures = takenIn(shown.body).filter(({ state }) => state === 'paid')
  if (of === 'refund') {
    const capture = captures.find(({ id }) => paymentId === undefined || paymentIdOf(id) === paymentId)
    return capture && { id: capture.id, most: capture.amount, isReference: noted.ref !== undefined }
  }
  const most = captures.reduce((left, { amount }) => left - amount, BigInt(noted.amount))
  const isHeld = (shown.state === 'held' || shown.state === 'paid') && most > 0n
  return isHeld ? { id: shown.id, most } : undefined
}

async function inquireSent(deps: Easypay, key: string, signal?: AbortSignal): Promise<MoveAnswer> {
  const answer = await inquireMove(deps, key, signal)
  return answer.kind === 'not_found' ? payments.unknown('Easypay does not show it yet') : answer
}

/** The answer can be `waiting` for days, because a refund by bank transfer takes days. */
export async function inquireMove(
  deps: Easypay,
  key: string,
  signal?: AbortSignal,
): Promise<MoveAnswer | rails.NotReceived> {
  const request = await deps.requests.find(key)
  const noted = payments.notedOf(request)
  if (noted?.decline !== undefined) return declinedBy({ decline: noted.decline })
  const { target } = request?.ids ?? {}
  if (request === undefined || noted === undefined || target === undefined)
    return request?.steps.cancel === undefined ? notFound : declinedBy({ decline: 'cancelled' })
  const id = request.providerId ?? (await lookUp(deps, key, noted, target, signal))
  if (id === undefined) return notFound
  // The driver found this void by the state of its hold, so the id is that of the hold.
  if (id === target) return { kind: 'approved', reference: id }
  const reply = await deps.client.get(`/${noted.of}/${id}`, signal)
  if (reply.kind !== 'taken') return payments.unknown('Easypay does not know its own object')
  const { transaction_key, id: shown, value, status } = reply.body
  const isOurs = (textOf(transaction_key) ?? key) === key && (textOf(shown) ?? id) === id
  const isWhole = noted.of === 'void' || centsOf(value) === BigInt(noted.amount)
  const state = isOurs && isWhole ? meaningOf(status) : 'unclear'
  if (state === 'paid') return { kind: 'approved', reference: id }
  if (state === 'open') return { kind: 'waiting' }
  if (state === 'failed' || state === 'gone') return { kind: 'declined', decline: 'not_permitted' }
  return payments.unknown('Easypay shows no known status, or another movement')
}

/** Searches the list of the day, because Easypay cannot filter movements by our key. Easypay does not list voids. */
async function lookUp(
  { client, requests }: Easypay,
  key: string,
  { of, askedAt }: payments.Noted,
  target: string,
  signal?: AbortSignal,
): Promise<string | undefined> {
  let id: string | undefined
  if (of === 'capture' || of === 'refund') {
    const items = await listed(client, of, after(askedAt, -hour), after(askedAt, 25 * hour), signal)
    id = textOf(items.find((item) => item.transaction_key === key)?.id)
  } else {
    const reply = await client.get(`/single/${target}`, signal)
    const { method, payment_status: status } = reply.kind === 'taken' ? reply.body : {}
    if ([status, jsonOf(method)?.status].some((word) => meaningOf(word) === 'gone')) id = target
  }
  if (id !== undefined) await requests.record(key, of, { providerId: id })
  return id
}

/**
 * Lists all captures or refunds that were created between two moments. Easypay documents a cursor for pages, and
 * times in minutes of UTC.
 */
export async function listed(
  client: EasypayClient,
  of: 'capture' | 'refund',
  from: Instant,
  until: Instant,
  signal?: AbortSignal,
): Promise<readonly Json[]> {
  const [first, last] = [from, until].map((moment) => toTimestamp(moment).slice(0, 16).replace('T', ' '))
  const path = `/${of}?limit=100&created_at=${encodeURIComponent(`interval(${first},${last})`)}`
  const items: Json[] = []
  let cursor = ''
  for (let page = 0; page < pagesMax; page++) {
    const reply = await client.get(
      cursor === '' ? path : `${path}&cursor=${encodeURIComponent(cursor)}`,
      signal,
    )
    if (reply.kind !== 'taken') break
    items.push(...itemsOf(reply.body.data))
    cursor = textOf(jsonOf(reply.body.metadata)?.next_cursor) ?? ''
    if (cursor === '') return items
  }
  throw new Error(`Easypay does not list all ${of}s`)
}

/** Does not report a movement without an answer as cancelled for an hour, because it can still arrive. */
export async function cancelMove(deps: Easypay, key: string, signal?: AbortSignal): Promise<MoveAnswer> {
  const { request } = await deps.requests.begin(key, 'cancel')
  const answer = await inquireMove(deps, key, signal)
  if (answer.kind !== 'not_found') return answer
  const noted = payments.notedOf(request)
  if (noted === undefined) return declinedBy({ decline: 'cancelled' })
  return deps.clock.now() < after(noted.askedAt, settledAfterMs)
    ? payments.unknown('it was sent, and Easypay does not show it yet')
    : declinedBy(await payments.close(deps, key, noted, 'cancelled'))
}

/** Undoes a sale, a capture or a whole hold. Easypay cannot undo refunds and voids. */
export async function reverse(
  deps: Easypay,
  { key, original }: rails.Reversal,
  signal?: AbortSignal,
): Promise<MoveAnswer> {
  const noted = payments.notedOf(await deps.requests.find(original))
  const amount = cents(BigInt(noted?.amount ?? 0))
  return move(deps, noted?.intent === 'hold' ? 'void' : 'refund', { key, original, amount }, signal)
}

export async function inquireHold(
  deps: Easypay,
  key: string,
  signal?: AbortSignal,
): Promise<rails.HoldAnswer> {
  const hold = await payments.payment(deps, key, signal)
  if (hold.kind === 'unknown') return hold
  if (hold.kind !== 'shown' || hold.noted.intent !== 'hold' || hold.state === 'open') return notFound
  if (hold.state === 'unclear') return payments.unknown('Easypay reports no clear status')
  const target = await targetOf(deps, 'void', { original: key }, signal)
  return { kind: target === undefined ? 'ended' : 'held' }
}

const keptDeclines = ['cancelled', 'not_permitted', 'account_needed'] as const

function declinedBy({ decline }: { readonly decline: string }): MoveAnswer {
  return { kind: 'declined', decline: keptDeclines.find((one) => one === decline) ?? 'exceeds' }
}
