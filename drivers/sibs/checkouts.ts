// SPG's checkouts: the first step of each payment, which moves no money.
import type { RailRequest, RailRequests, RecordedAnswer } from '../../src/connections/index.ts'
import { type Cents, cents } from '../../src/kernel/money.ts'
import type { SpgBody } from './client.ts'
import type { Noted, Spg } from './requests.ts'
import { merchantTransactionIdOf } from './rules.ts'

/**
 * Without its answer a checkout is unusable, because the answer has the signature for the next step. SPG accepts an
 * id once, so each retry has another suffix.
 */
const suffixes = ['', 'b', 'c', 'd'] as const

export interface NewCheckout {
  readonly key: string
  readonly amount: Cents
  /** `PURS` takes the money, `AUTH` holds it. */
  readonly paymentType: 'PURS' | 'AUTH'
  readonly paymentMethod: readonly string[]
  readonly transaction?: object | undefined
  readonly more?: object | undefined
  readonly noted: Noted
  readonly notedWith?: ((answer: OpenedCheckout) => Noted) | undefined
}

export interface OpenedCheckout {
  readonly transactionId: string
  readonly signature: string
  readonly formContext: string | undefined
}

export function checkoutsOf({ ids }: RailRequest): string[] {
  return Object.entries(ids).flatMap(([name, id]) => (name.startsWith('checkout') ? [id] : []))
}

/** Creates a checkout, unless the key has one. If SPG refuses, it records this and answers false. */
export async function openCheckout(
  { client, requests }: Spg,
  { key, amount, paymentType, paymentMethod, more, noted, notedWith, transaction }: NewCheckout,
): Promise<boolean> {
  for (const suffix of suffixes) {
    const step = `checkout${suffix}`
    const { before } = await requests.begin(key, step)
    if (before === 'recorded') return true
    if (before === 'unknown' && (await isNoted(requests, key, `${step}-again`, `${step}-refused`)))
      return false
    const body = {
      ...client.merchant(merchantTransactionIdOf(key, suffix)),
      ...client.transaction(amount, { paymentType, paymentMethod, ...transaction }),
      ...more,
    }
    const reply = await client.post('/payments', { body })
    if (reply.kind !== 'taken') {
      // SPG accepts an id once. So it refuses a repetition if the first request arrived, even one from another
      // process.
      if (before === 'unknown' || (await isNoted(requests, key, `${step}-refused`, `${step}-again`))) continue
      const status = reply.kind === 'refused' ? reply.code : reply.kind
      await requests.record(key, step, { status, answer: { ...noted, decline: 'not_permitted' } })
      return false
    }
    await requests.record(key, step, opened(step, reply.body, noted, notedWith))
    return true
  }
  throw new Error(`the answers to ${suffixes.length} checkouts were lost`)
}

async function isNoted(requests: RailRequests, key: string, own: string, other: string): Promise<boolean> {
  const { request } = await requests.begin(key, own)
  return request.steps[other] !== undefined
}

function opened(
  step: string,
  body: SpgBody,
  noted: Noted,
  notedWith: NewCheckout['notedWith'],
): RecordedAnswer {
  const { transactionID: transactionId, transactionSignature: signature, formContext } = body
  if (transactionId === undefined || signature === undefined)
    throw new Error('SIBS named no transaction, or signed none')
  return {
    ...{ providerId: transactionId, signature, ids: { [step]: transactionId } },
    answer: notedWith?.({ transactionId, signature, formContext }) ?? noted,
  }
}

const suffix = 'w'

export interface Unanswered {
  readonly key: string
  readonly transactionId: string
  /** The whole amount, for the case that the customer paid before the cancellation. */
  readonly amount: string
}

export async function cancelUnanswered(
  { client }: Spg,
  { key, transactionId, amount }: Unanswered,
): Promise<boolean> {
  const reply = await client.post(`/payments/${transactionId}/cancellation`, {
    body: {
      ...client.merchant(merchantTransactionIdOf(key, suffix)),
      ...client.transaction(cents(BigInt(amount))),
    },
  })
  return reply.kind === 'taken' && reply.body.paymentStatus === 'Success'
}

export async function wasCancelled({ client }: Spg, key: string): Promise<boolean> {
  const id = merchantTransactionIdOf(key, suffix)
  const reply = await client.get(`/payments/status?merchantTransactionId=${id}`)
  return reply.kind === 'taken' && reply.body.paymentStatus === 'Success'
}
