// An attempt: one request to a rail under one idempotency key, and what became of it.
import type { Instant } from '../../kernel/time.ts'
import type { Method, OperationType } from '../model.ts'

/**
 * `ASKED`: the rail was asked, or is about to be, and money may move. `APPROVED` and `DECLINED`: the operation ended as
 * the rail decided. `GIVEN_UP`: the rail had not received the request when its operation ended, and is asked again.
 * `CLOSED`: it was asked often enough. `TO_REVERSE`: the rail moved money for an operation that ended otherwise.
 */
export type AttemptState =
  | 'ASKED'
  | 'APPROVED'
  | 'DECLINED'
  | 'GIVEN_UP'
  | 'CLOSED'
  | 'TO_REVERSE'
  | 'REVERSED'

/**
 * Every transition there is; a state without any is final. A rail may approve what was declined or closed for want of
 * an answer: then the money is reversed.
 *
 * @public Compared with its drawing in docs/states.
 */
export const attemptTransitions: Readonly<Record<AttemptState, readonly AttemptState[]>> = {
  ASKED: ['APPROVED', 'DECLINED', 'GIVEN_UP', 'TO_REVERSE'],
  APPROVED: [],
  DECLINED: ['TO_REVERSE'],
  GIVEN_UP: ['CLOSED', 'TO_REVERSE'],
  CLOSED: ['TO_REVERSE'],
  TO_REVERSE: ['REVERSED'],
  REVERSED: [],
}

/** A request as it was, or may have been, sent to a rail. */
export interface RailRequest {
  readonly walletId: bigint
  readonly operationId: string
  /** The rail's idempotency key: the operation's id, or that of the customer's attempt to pay it. */
  readonly key: string
  readonly type: OperationType
  readonly method: Method
}

/** A request that has to be looked at: its rail did not answer at once, or what it did must be reversed. */
export interface Attempt extends RailRequest {
  readonly state: AttemptState
  /** How often it was taken up in its present state, this time included. */
  readonly tries: number
  /** When it was given up. */
  readonly givenUpAt: Instant | undefined
}
