// Pure decisions about manual splits.
import { ok, type Result, refuse } from '../../kernel/result.ts'
import type { Operation } from '../model.ts'

/** Refusals (CONTRACT section 10): not_splittable; pending_operations while a refund is pending. */
export function splittable(operation: Operation, refundPending: boolean): Result<undefined> {
  const { type, status, split, splitAt, refunded, cameBack } = operation
  if (type !== 'PAYMENT' && type !== 'CAPTURE')
    return refuse(
      'not_splittable',
      `only a PAYMENT or CAPTURE can be split; the operation is of type ${type}`,
    )
  if (split !== undefined || splitAt !== undefined) {
    return refuse('not_splittable', 'the operation was split before, or made with a split')
  }
  if (status !== 'COMPLETED')
    return refuse('not_splittable', `the operation must be COMPLETED; it is ${status}`)
  if (refundPending) {
    return refuse('pending_operations', 'a refund of the operation is pending: split it after the refund')
  }
  if (refunded > 0n || cameBack > 0n)
    return refuse('not_splittable', 'the operation was refunded, at least in part')
  return ok(undefined)
}
