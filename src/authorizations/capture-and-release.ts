// Capturing and releasing: the authorization is read, the rules decide, and a child moves the money or the hold.
import type { KeyedRequest, Made } from '../idempotency/index.ts'
import type { Cents } from '../kernel/money.ts'
import { newId } from '../kernel/random.ts'
import { type Result, refuse, unwrap } from '../kernel/result.ts'
import {
  answeredClaim,
  childOperation,
  findOperation,
  type MerchantReferences,
  madeByEngine,
  type Operation,
} from '../operations/index.ts'
import type { Wallet } from '../wallets/index.ts'
import type { AuthorizationsDeps } from './deps.ts'
import { decideCapture, decideRelease } from './rules.ts'

/** Each round but the last lost the authorization to somebody who took of it or gave back in between. */
const roundsMax = 100

/** A capture or release as asked for. */
export interface TakeRequest {
  readonly wallet: Wallet
  readonly authorizationId: string
  /** In cents; undefined for all that remains. */
  readonly amount: Cents | undefined
  readonly merchantReferences: MerchantReferences
  readonly key: KeyedRequest | undefined
}

interface Verb {
  readonly type: 'CAPTURE' | 'RELEASE'
  readonly decide: typeof decideCapture
  readonly ask: 'capture' | 'release'
}

const captureVerb: Verb = {
  type: 'CAPTURE',
  decide: decideCapture,
  ask: 'capture',
}

const releaseVerb: Verb = {
  type: 'RELEASE',
  decide: decideRelease,
  ask: 'release',
}

export const declined = 'the acquirer declined'

/**
 * Takes money of an authorization: a CAPTURE, COMPLETED or, while the acquirer's answer is unclear, PENDING.
 * Undefined when the idempotency key was used before.
 *
 * Refusals: not_found, those of {@link decideCapture}, card_declined with the operation.
 */
export function capture(deps: AuthorizationsDeps, request: TakeRequest): Promise<Made | undefined> {
  return take(deps, request, captureVerb)
}

/** Gives the cardholder back what is held; otherwise as {@link capture}, with {@link decideRelease}. */
export function release(deps: AuthorizationsDeps, request: TakeRequest): Promise<Made | undefined> {
  return take(deps, request, releaseVerb)
}

async function take(deps: AuthorizationsDeps, request: TakeRequest, verb: Verb): Promise<Made | undefined> {
  const { clock, random, engine, handlers, show } = deps
  const { wallet, key, merchantReferences } = request
  for (let round = 0; round < roundsMax; round++) {
    const authorization = await findAuthorization(deps, wallet.id, request.authorizationId)
    const now = clock.now()
    const amount = unwrap(verb.decide(authorization, request.amount, now))
    const { expires, method } = authorization
    const take = method === undefined ? undefined : handlers[method]?.[verb.ask]
    if (take === undefined) throw new Error(`authorization ${authorization.id} is held by no rail`)
    const asked = {
      id: newId(now, random),
      type: verb.type,
      amount,
      merchantReferences,
      expires,
      createdAt: now,
    }
    const child = childOperation(authorization, asked)
    const claim = answeredClaim(key, child.id, { wallet, declined })
    const outcome = await engine.runChild(child, claim, (mayStart) => take(child, authorization, mayStart))
    if (outcome.kind !== 'refused') return madeByEngine(show, outcome, { wallet, declined })
  }
  return unwrap(refuse('service_unavailable', 'the authorization is in too much demand: try again'))
}

/** The wallet's operation that is meant as an authorization. Refusals: not_found. */
async function findAuthorization(
  { database }: AuthorizationsDeps,
  walletId: bigint,
  id: string,
): Promise<Operation> {
  return unwrap(authorizationOf(await findOperation(database, walletId, id), id))
}

/** Refusals: not_found for what is no authorization. */
export function authorizationOf(operation: Operation | undefined, id: string): Result<Operation> {
  return operation?.type === 'AUTH'
    ? { ok: true, value: operation }
    : refuse('not_found', `there is no authorization ${id}`)
}
