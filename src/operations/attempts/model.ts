// An attempt: one request to a rail under one idempotency key, and what became of it.
import { column, type RowOf, table } from '../../storage/tables/table.ts'
import type { Method, NewOperation, OperationType } from '../model.ts'
import { firstInquiry } from './timings.ts'

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

/** Requests that have to be looked at: their rail did not answer at once, or what it did must be reversed. */
export const attempts = table(
  'attempts',
  {
    walletId: column.bigint(),
    operationId: column.uuid(),
    /** The rail's idempotency key: the operation's id, or that of the customer's attempt to pay it. */
    key: column.uuid().named('id'),
    type: column.text<OperationType>(),
    method: column.text<Method>(),
    state: column.text<AttemptState>(),
    /** How often it was taken up in its present state, this time included. */
    tries: column.integer(),
    /** When it was given up. */
    givenUpAt: column.instant().optional(),
  },
  {
    endedAt: column.instant().optional(),
    dueAt: column.instant().optional(),
  },
)

export type Attempt = RowOf<typeof attempts>

/** A request as it was, or may have been, sent to a rail. */
export type RailRequest = Pick<Attempt, 'walletId' | 'operationId' | 'key' | 'type' | 'method'>

/**
 * Movements to be looked at, written in one row by the statement that opened them.
 *
 * @public Compared with the schema.
 */
export const openedMovements = table('opened_movements', {
  dueAt: column.instant(),
  id: column.uuid(),
  walletIds: column.bigint().array(),
  operationIds: column.uuid().array(),
})

/** An operation that waits for its rail, and is looked after should this process die. */
export type OpenedOperation = NewOperation & ReturnType<typeof underApproval>

/** Marks an operation that is about to be opened as decided by its rail under its own id. */
export function underApproval<Asked extends NewOperation>(asked: Asked) {
  return {
    ...asked,
    status: 'PENDING',
    attemptId: asked.id,
    underApproval: true,
    dueAt: firstInquiry(asked.createdAt),
  } as const
}
