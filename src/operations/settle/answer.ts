// What a merchant is answered about an operation that its rail decided, and the claim that keeps the answer.
import { claimOf, type KeyedRequest, type Made, madeBeforeAnswer } from '../../idempotency/index.ts'
import { ok, type Result, refuse, unwrap } from '../../kernel/result.ts'
import type { Database } from '../../storage/index.ts'
import type { Wallet } from '../../wallets/index.ts'
import type { AnsweredClaim, Outcome } from '../attempts/engine.ts'
import type { Operation } from '../model.ts'
import { findOperation } from '../read/store.ts'
import { operationOnWire } from '../schemas.ts'
import type { ShowOperations } from '../shares/on-wire.ts'

/** Where an operation can be read. */
export function pathOf(operationId: string): string {
  return `/api/v2/operations/${operationId}`
}

/** Whose operation it is, and what it says where its rail declined, such as `the issuer declined`. */
export interface AnsweredTo {
  readonly wallet: Wallet
  readonly declined: string
}

/**
 * The claim of the request `key` on the operation that it asks for, with the answer that is kept when that settles.
 * The shares of a divided operation are read once they are booked: its answer is not known before.
 */
export function answeredClaim(
  key: KeyedRequest | undefined,
  operationId: string,
  to: AnsweredTo,
): AnsweredClaim | undefined {
  const claim = claimOf(key, { resourceId: operationId, href: pathOf(operationId) })
  if (key === undefined || claim === undefined) return undefined
  return {
    ...claim,
    answerOf(operation) {
      const answer = answerAtOnce(operation, to)
      return answer === undefined ? undefined : key.firstAnswer(answer)
    },
  }
}

/** What became of the request for an operation; undefined where its key was used before. Refusals: card_declined. */
export async function madeByEngine(
  show: ShowOperations,
  outcome: Outcome,
  to: AnsweredTo,
): Promise<Made | undefined> {
  if (outcome.kind === 'repeated') return undefined
  if (outcome.kind === 'settled' && outcome.answer !== undefined)
    return { answer: outcome.answer, isKept: true }
  return madeBeforeAnswer(await movedAnswerOf(show, outcome.operation, to))
}

/** What the request is answered that made the operation, when it is asked about again. Refusals: card_declined. */
export async function rereadOperation(
  { database, show }: { readonly database: Database; readonly show: ShowOperations },
  operationId: string,
  to: AnsweredTo,
): Promise<string> {
  const operation = await findOperation(database, to.wallet.id, operationId)
  if (operation === undefined) return unwrap(refuse('not_found', `there is no operation ${operationId}`))
  return movedAnswerOf(show, operation, to)
}

async function movedAnswerOf(show: ShowOperations, operation: Operation, to: AnsweredTo): Promise<string> {
  const answer = answerAtOnce(operation, to)
  if (answer !== undefined) return unwrap(answer)
  const [shown] = await show([operation], to.wallet)
  return JSON.stringify(shown)
}

function answerAtOnce(operation: Operation, { wallet, declined }: AnsweredTo): Result<string> | undefined {
  const { status, error, id, splitAt } = operation
  if (status === 'FAIL') return refuse('card_declined', `${declined}: ${error ?? 'no reason given'}`, id)
  return splitAt === undefined ? ok(JSON.stringify(operationOnWire(operation, wallet))) : undefined
}
