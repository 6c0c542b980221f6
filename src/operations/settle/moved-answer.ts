// What a merchant is answered about a movement that its rail decided, and the claim that keeps the answer.
import type { KeyedRequest } from '../../http/index.ts'
import { ok, type Result, refuse, unwrap } from '../../kernel/result.ts'
import type { Wallet } from '../../wallets/index.ts'
import type { MovementClaim } from '../attempts/movements.ts'
import type { Operation } from '../model.ts'
import { operationOnWire } from '../schemas.ts'
import type { ShowOperations } from '../shares/on-wire.ts'

/** Where an operation can be read. */
export function pathOf(operationId: string): string {
  return `/api/v2/operations/${operationId}`
}

/** A movement as it stands, whose it is, and what it says where its rail declined, such as `the issuer declined`. */
export interface AnsweredMovement {
  readonly operation: Operation
  readonly wallet: Wallet
  readonly declined: string
}

/**
 * The claim of the request `key` on the operation that it asks for, with the answer that is kept when that settles.
 * The shares of a divided operation are read once they are booked: its answer is not known before.
 */
export function movementClaim(
  key: KeyedRequest | undefined,
  operationId: string,
  { wallet, declined }: Omit<AnsweredMovement, 'operation'>,
): MovementClaim | undefined {
  if (key === undefined) return undefined
  const { requestId, fingerprint, firstAnswer } = key
  return {
    requestId,
    fingerprint,
    resourceId: operationId,
    href: pathOf(operationId),
    answerOf(operation) {
      const answer = answerAtOnce({ operation, wallet, declined })
      return answer === undefined ? undefined : firstAnswer(answer)
    },
  }
}

/** What a movement is answered, now or when it is asked about again. Refusals: card_declined with the operation. */
export async function movedAnswerOf(show: ShowOperations, moved: AnsweredMovement): Promise<string> {
  const answer = answerAtOnce(moved)
  if (answer !== undefined) return unwrap(answer)
  const [shown] = await show([moved.operation], moved.wallet)
  return JSON.stringify(shown)
}

function answerAtOnce({ operation, wallet, declined }: AnsweredMovement): Result<string> | undefined {
  const { status, error, id, splitAt } = operation
  if (status === 'FAIL') return refuse('card_declined', `${declined}: ${error ?? 'no reason given'}`, id)
  return splitAt === undefined ? ok(JSON.stringify(operationOnWire(operation, wallet))) : undefined
}
