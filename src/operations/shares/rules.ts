// Pure decisions about manual splits: which operation can be divided now.
import { ok, type Result, refuse } from '../../kernel/result.ts'
import type { Operation } from '../model.ts'

/**
 * Whether the wallet may divide this operation now (CONTRACT section 10).
 *
 * @param refundPending whether a refund of it waits for its rail
 *
 * Refusals: not_splittable; pending_operations while a refund is undecided, after which it may be possible.
 */
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
    return refuse('pending_operations', 'a refund of the operation is pending: split it once that is decided')
  }
  if (refunded > 0n || cameBack > 0n)
    return refuse('not_splittable', 'the operation was refunded, at least in part')
  return ok(undefined)
}
