// Callbacks that the program must not believe.
import { signatureHeaders } from '../../src/callbacks/sending/signature.ts'
import { cents } from '../../src/kernel/money.ts'
import { derivedId, randomBase62, systemRandomness } from '../../src/kernel/random.ts'
import { instant, minute } from '../../src/kernel/time.ts'
import type { Json } from '../gateway.ts'
import { start } from './plan.ts'
import type { Belief } from './state.ts'

/** An event of the examination, as far as a forgery copies it. */
export interface Original {
  readonly id: string
  readonly name: string
  readonly key: string
  readonly story: string
  readonly body: Json
}

export interface SentCallback {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface Forgery {
  readonly key: string
  readonly summary: string
  readonly remedy: string
  readonly before?: string
  /** The operation whose state shows whether the program believed it. */
  readonly operation: string
  /** Makes the request from the genuine callback, as it would be sent now. */
  make(genuine: SentCallback, now: number): SentCallback
  /** The event whose genuine callback `make` gets. */
  readonly original: Original
  /** Whether the forgery explains this change of the program's state. */
  shows(before: Belief | undefined, after: Belief | undefined): boolean
  /** The claim is true, and only the signature is old. */
  readonly isOld?: true
}

/** Amounts that the examination never pays. */
const alteredAmount = cents(987_65)
const forgedRefund = cents(1_23)
/** The samples refuse a signature that is older than 5 minutes. */
const staleMs = 20 * minute

const checkSignature =
  'Check the signature over the bytes that you received, before you read the body. Refuse a callback without one.'

/**
 * One forgery of each kind.
 * @param secret signing secret of the wallet. Undefined: no callback with an old timestamp can be made
 * @param stale the callback that is replayed with an old timestamp: the first of its payment
 */
export function forgeriesOf(
  events: readonly Original[],
  seed: string,
  secret: string | undefined,
  stale: Original | undefined,
): Forgery[] {
  const completed = events.filter(({ name }) => name === 'payment.completed')
  const paid = completed.find(({ story }) => story === 'refunded') ?? completed[0]
  const altered = completed.findLast(({ id }) => id !== paid?.id) ?? paid
  const failed = events.find(({ name }) => name === 'payment.failed')
  const unknownSecret = `whsec_${Buffer.from(randomBase62(systemRandomness, 24)).toString('base64')}`
  const forgeries: Forgery[] = []

  if (failed !== undefined)
    forgeries.push({
      key: 'wrong secret',
      summary: 'a callback that says a failed payment was paid, signed with an unknown secret',
      remedy: checkSignature,
      operation: failed.body.operation_id,
      original: failed,
      make: (genuine, now) =>
        signedAnew(genuine, derivedId(seed, failed.id), unknownSecret, now, {
          event: 'COMPLETED',
          operation_status: 'COMPLETED',
          error: undefined,
        }),
      shows: (before, after) => after?.status === 'COMPLETED' && before?.status !== 'COMPLETED',
    })
  if (paid !== undefined) {
    const otherId = derivedId(seed, `other wallet ${paid.id}`)
    forgeries.push(
      {
        key: 'other wallet',
        summary: 'a payment of another merchant, signed with the secret of that merchant',
        remedy: checkSignature,
        operation: otherId,
        original: paid,
        make: (genuine, now) =>
          signedAnew(genuine, derivedId(otherId, 'event'), unknownSecret, now, {
            operation_id: otherId,
            user: Number(paid.body.user) + 1,
          }),
        shows: (before, after) => before === undefined && after !== undefined,
      },
      {
        key: 'unsigned',
        summary: 'a refund without any signature',
        remedy: checkSignature,
        operation: paid.body.operation_id,
        original: paid,
        make: ({ body }) => ({
          headers: { 'content-type': 'application/json', 'webhook-id': derivedId(seed, `refund ${paid.id}`) },
          body: changed(body, {
            type: 'REFUND',
            operation_id: derivedId(seed, `refund operation ${paid.id}`),
            parent_operation_id: paid.body.operation_id,
            amount: -Number(forgedRefund) / 100,
          }),
        }),
        shows: (before, after) => (after?.refunded ?? 0n) - (before?.refunded ?? 0n) === forgedRefund,
      },
    )
  }
  if (altered !== undefined)
    forgeries.push({
      key: 'altered',
      summary: 'a genuine callback with its own signature, but with another amount in the body',
      remedy:
        'Compute the signature over the body exactly as it came. The password of Authorization: Basic does not protect the body.',
      before: altered.key,
      operation: altered.body.operation_id,
      original: altered,
      make: ({ headers, body }) => ({
        headers,
        body: changed(body, { amount: Number(alteredAmount) / 100 }),
      }),
      shows: (before, after) => after?.amount === alteredAmount && before?.amount !== alteredAmount,
    })
  if (secret !== undefined && stale !== undefined)
    forgeries.push({
      key: 'old timestamp',
      summary: 'a genuine callback whose signature is 20 minutes old',
      remedy: 'Refuse a webhook-timestamp that is more than 5 minutes from the time of your machine.',
      before: start,
      operation: stale.body.operation_id,
      original: stale,
      make: ({ headers, body }, now) => ({
        headers: { ...headers, ...signedAt(stale.id, now - staleMs, body, secret) },
        body,
      }),
      isOld: true,
      shows: (before, after) => before?.status !== after?.status || before?.amount !== after?.amount,
    })
  return forgeries
}

function signedAnew(
  genuine: SentCallback,
  id: string,
  secret: string,
  now: number,
  change: object,
): SentCallback {
  const body = changed(genuine.body, change)
  // A stranger does not know the password of the wallet.
  const { authorization, ...headers } = genuine.headers
  return { headers: { ...headers, ...signedAt(id, now, body, secret) }, body }
}

function signedAt(id: string, now: number, body: string, secret: string) {
  return signatureHeaders(id, instant(now), body, { signingSecrets: [secret] })
}

function changed(body: string, change: object): string {
  return JSON.stringify({ ...JSON.parse(body), ...change })
}
