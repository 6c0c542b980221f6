// The claim of an idempotency key, and what became of the request that brought it.
import type { Result } from '../kernel/result.ts'
import type { IdempotencyKey } from './key.ts'

/** The first answer to a request, repeated byte for byte. */
export interface FirstAnswer {
  readonly status: number
  readonly body: string
}

/** What a request with a key is about to make. */
export interface AboutToMake {
  /** Tells repeated claims of one key apart. */
  readonly resourceId: string
  /** Path under which what was made can be read. */
  readonly href: string
  /** The body of the answer, status 200, where it is known before the statement runs: then it is kept by the claim. */
  readonly body?: string
}

/** A claim of an idempotency key, written by the statement that makes what was asked for ({@link claimParts}). */
export interface Claim extends IdempotencyKey {
  readonly resourceId: string
  readonly href: string
  /** Where it is known before the statement runs. */
  readonly answer?: FirstAnswer | undefined
}

/** The claim of who makes what `key` asks for; undefined where no key was given. */
export function claimOf(key: IdempotencyKey, made: AboutToMake): Claim
export function claimOf(key: IdempotencyKey | undefined, made: AboutToMake): Claim | undefined
export function claimOf(
  key: IdempotencyKey | undefined,
  { resourceId, href, body }: AboutToMake,
): Claim | undefined {
  if (key === undefined) return undefined
  const { requestId, fingerprint } = key
  return { requestId, fingerprint, resourceId, href, answer: body === undefined ? undefined : okWith(body) }
}

/** A request with a key, for who makes what it asks for and has its answer kept when that is settled. */
export interface KeyedRequest extends IdempotencyKey {
  /** The first answer, as it is to be kept and sent: a body, or a refusal that names the operation. */
  firstAnswer(made: Result<string>): FirstAnswer
}

/** What was made: its answer, and whether that was kept by a statement which made it true. */
export interface Made {
  readonly answer: FirstAnswer
  readonly isKept: boolean
}

/**
 * What became of a request whose claim brought its answer with it; undefined where the key was used before, and
 * nothing was made.
 */
export function madeWithClaim(isNew: boolean, body: string): Made | undefined {
  return isNew ? { answer: okWith(body), isKept: true } : undefined
}

/** What was made, of which the answer is still to be kept. */
export function madeBeforeAnswer(body: string): Made {
  return { answer: okWith(body), isKept: false }
}

export function okWith(body: string): FirstAnswer {
  return { status: 200, body }
}
