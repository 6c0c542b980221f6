// What is asked of a rail about a request whose operation ends, or ended, without it: each module hands its rail in.
import type { Method, OperationType } from '../../model.ts'
import type { RailAnswer } from '../rail-answer.ts'

/** A request as it was, or may have been, sent to a rail. */
export interface AskedOfRail {
  readonly walletId: bigint
  readonly operationId: string
  /** The rail's idempotency key: the operation's id, or that of the attempt to pay it. */
  readonly key: string
  readonly type: OperationType
  readonly method: Method
}

export interface LateRail {
  /** What became of the request; `not_found` also where its key was cancelled before it arrived. */
  inquire(asked: AskedOfRail): Promise<RailAnswer>
  /**
   * What became of the request; one that has not arrived is declined should it arrive later, where the rail can do
   * that: `not_found`.
   */
  cancel(asked: AskedOfRail): Promise<RailAnswer>
  /** Undoes what was approved, whole, under a key of its own. */
  reverse(key: string, asked: AskedOfRail): Promise<RailAnswer>
}

/** Methods without one never fail because their rail received nothing: they are sent again until it has. */
export type LateRails = Readonly<Partial<Record<Method, LateRail>>>
