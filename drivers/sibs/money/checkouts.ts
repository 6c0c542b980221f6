// SPG's checkouts: each payment begins with one. By itself it asks nobody and moves nothing.
import type { RailRequest, RailRequests, RecordedAnswer } from '../../../src/connections/index.ts'
import type { Cents } from '../../../src/kernel/money.ts'
import type { SpgBody } from '../client.ts'
import type { Noted, Spg } from '../requests.ts'
import { merchantTransactionIdOf } from '../rules.ts'

/**
 * A checkout whose answer was lost cannot be used, because only the answer has its signature: the next one is made under
 * another id. So many answers may be lost for one key, and one more.
 */
const suffixes = ['', 'b', 'c', 'd'] as const

export interface NewCheckout {
  readonly key: string
  readonly amount: Cents
  /** `PURS` takes the money, `AUTH` holds it. */
  readonly paymentType: 'PURS' | 'AUTH'
  readonly paymentMethod: readonly string[]
  /** Further fields of its transaction. */
  readonly transaction?: object | undefined
  /** Further parts of the request. */
  readonly more?: object | undefined
  /** What is kept with the request. */
  readonly noted: Noted
  /** The same with what the answer says. */
  readonly notedWith?: ((answer: OpenedCheckout) => Noted) | undefined
}

export interface OpenedCheckout {
  readonly transactionId: string
  readonly signature: string
  /** For SPG's own form. */
  readonly formContext: string | undefined
}

/** SPG's ids of the checkouts that were made for a request. */
export function checkoutsOf({ ids }: RailRequest): string[] {
  return Object.entries(ids).flatMap(([name, id]) => (name.startsWith('checkout') ? [id] : []))
}

/**
 * Makes a checkout, unless the key has one: its id and signature are in the row of the key then.
 *
 * @returns false where SPG refused it, which is noted
 */
export async function openCheckout(
  { client, tools: { requests } }: Spg,
  { key, amount, paymentType, paymentMethod, more, noted, notedWith, transaction }: NewCheckout,
  signal: AbortSignal | undefined,
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
    const reply = await client.post('/payments', { body, signal })
    if (reply.kind !== 'taken') {
      // Sent again under its id, which SPG takes once, it is refused where it had arrived, and moves nothing otherwise. So
      // it is where another process sent it again first: whoever comes second to the row sees the other.
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

/** Notes `own`, and whether `other` was noted before it. */
async function isNoted(requests: RailRequests, key: string, own: string, other: string): Promise<boolean> {
  const { request } = await requests.begin(key, own)
  return request.steps[other] !== undefined
}

/** What is kept of a checkout that SPG made. */
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
