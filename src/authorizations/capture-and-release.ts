// Capturing and releasing: reads, decides, and opens a child.
import type { Created, KeyedRequest } from '../idempotency/index.ts'
import { type Cents, cents, decimalText } from '../kernel/money.ts'
import { newId } from '../kernel/random.ts'
import { deny, type Result, refuse, unwrap } from '../kernel/result.ts'
import {
  answeredClaim,
  type ChildOperation,
  childOperation,
  createdByEngine,
  holdEnded,
  monthEndOf,
} from '../operations/for-movements.ts'
import {
  findOperation,
  type MerchantReferences,
  type Operation,
  operationOnWire,
} from '../operations/index.ts'
import type { Wallet } from '../wallets/index.ts'
import { type AuthorizationsDeps, hasEnded, onHoldEnded } from './lapsing.ts'
import { decideCapture, decideRelease, remainingOf, wholeRelease } from './rules.ts'

/** Each retry lost a race with another capture, release or refund. */
const roundsMax = 100

export interface TakeRequest {
  readonly wallet: Wallet
  readonly authorizationId: string
  /** Undefined: the whole rest. */
  readonly amount: Cents | undefined
  readonly merchantReferences: MerchantReferences
  readonly key: KeyedRequest | undefined
}

export interface Verb {
  readonly type: 'CAPTURE' | 'RELEASE'
  readonly decide: typeof decideCapture
  readonly ask: 'capture' | 'release'
}

export const captureVerb: Verb = {
  type: 'CAPTURE',
  decide: decideCapture,
  ask: 'capture',
}

export const releaseVerb: Verb = {
  type: 'RELEASE',
  decide: decideRelease,
  ask: 'release',
}

export const declined = 'the acquirer declined'

/** Returns undefined if the key was used before. Refusals: not_found, the decision's, card_declined. */
export async function take(
  deps: AuthorizationsDeps,
  request: TakeRequest,
  verb: Verb,
): Promise<Created | undefined> {
  const { engine, railOf, show } = deps
  const { wallet, key } = request
  for (let round = 0; round < roundsMax; round++) {
    const { authorization, child } = await decide(deps, request, verb)
    const ask = railOf(authorization)?.[verb.ask]
    if (ask === undefined) throw new Error(`authorization ${authorization.id} has no rail`)
    const claim = answeredClaim(key, child.id, { wallet, declined })
    let isOver = false
    const outcome = await engine.runChild(child, claim, async (beforeSend) => {
      const answer = await ask(child, authorization, beforeSend)
      isOver = answer.kind === 'declined' && (await hasEnded(deps, authorization))
      return isOver ? { kind: 'declined', reason: holdEnded } : answer
    })
    if (isOver) await onHoldEnded(deps, authorization)
    if (outcome.kind !== 'refused') return createdByEngine(show, outcome, { wallet, declined })
  }
  return deny('service_unavailable', 'too many requests change this authorization at once: try again')
}

export async function previewTake(
  deps: AuthorizationsDeps,
  request: TakeRequest,
  verb: Verb,
): Promise<Record<string, unknown>> {
  const { wallet } = request
  const { authorization, child } = await decide(deps, request, verb)
  const { settled, postings } = await deps.preview(child)
  const { amount, fee } = settled
  return {
    ...operationOnWire({ ...settled, status: 'PENDING' }, wallet),
    dry_run: true,
    calculation: {
      amount: decimalText(amount),
      ...(verb.type === 'CAPTURE'
        ? { fee: decimalText(cents(-fee)), net: decimalText(cents(amount + fee)) }
        : {}),
      remaining: decimalText(cents(remainingOf(authorization) - amount)),
    },
    postings: await deps.showPostings(postings, wallet),
  }
}

async function decide(
  deps: AuthorizationsDeps,
  { wallet, authorizationId, amount: asked, merchantReferences }: TakeRequest,
  { type, decide }: Verb,
): Promise<{ readonly authorization: Operation; readonly child: ChildOperation }> {
  const { clock, random, railOf } = deps
  const authorization = await findAuthorization(deps, wallet.id, authorizationId)
  const now = clock.now()
  const amount = unwrap(decide(authorization, asked, now))
  if (type === 'RELEASE' && railOf(authorization)?.releasesWholeOnly?.(authorization) === true)
    unwrap(wholeRelease(authorization, amount))
  const expires = monthEndOf(authorization)
  const id = newId(now, random)
  return {
    authorization,
    child: childOperation(authorization, { id, type, amount, merchantReferences, expires, createdAt: now }),
  }
}

async function findAuthorization(
  { database }: AuthorizationsDeps,
  walletId: bigint,
  id: string,
): Promise<Operation> {
  return unwrap(authorizationOf(await findOperation(database, walletId, id), id))
}

export function authorizationOf(operation: Operation | undefined, id: string): Result<Operation> {
  return operation?.type === 'AUTH'
    ? { ok: true, value: operation }
    : refuse('not_found', `authorization ${id} does not exist`)
}
