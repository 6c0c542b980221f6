// The way money goes back, by the method it came: each method's module hands its own in.
import type { MayStart } from '../../rails/index.ts'
import type { RailAnswer } from '../attempts/rail-answer.ts'
import type { ChildOperation, Method, Operation } from '../model.ts'

export interface RefundRail {
  /**
   * Gives the amount of `refund` (negative) back to who paid `payment`, once, under the refund's id. A rail that is
   * asked again with the refund itself, should it never have received it, need not ask `mayStart`.
   */
  refund(refund: ChildOperation, payment: Operation, mayStart: MayStart): Promise<RailAnswer>
  /** What became of it. */
  inquire(refund: Operation): Promise<RailAnswer>
}

/** Methods without a rail here cannot be refunded by this gateway, whatever the rules say. */
export type RefundRails = Readonly<Partial<Record<Method, RefundRail>>>
