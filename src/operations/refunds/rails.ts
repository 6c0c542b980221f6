// The way money goes back, by the method it came: each room of a method hands its own in.
import type { ChildOperation, Method, Operation } from '../model.ts'
import type { RailAnswer } from '../rail-answer.ts'

export interface RefundRail {
  /** Gives the amount of `refund` (negative) back to who paid `payment`, once, under the refund's id. */
  refund(refund: ChildOperation, payment: Operation): Promise<RailAnswer>
  /** What became of it. */
  inquire(refund: Operation): Promise<RailAnswer>
}

/** Methods without a rail here cannot be refunded by this gateway, whatever the rules say. */
export type RefundRails = Readonly<Partial<Record<Method, RefundRail>>>
