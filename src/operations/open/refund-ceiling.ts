// How much of one payment may have been refunded once a request is done, for requests that may refund a part only.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Refusal } from '../../kernel/result.ts'

export interface RefundCeiling {
  /** In cents, with everything that was refunded of the same payment before and has not come back. */
  readonly max: bigint
  /** What a refund is answered that would bring it above that. */
  readonly refusal: Refusal
}

/**
 * Beside the request rather than in it: it comes from who may ask (the backoffice), and is checked by the statement that
 * opens the refund, whose lock on the payment puts refunds of several gateways one after the other.
 */
const current = new AsyncLocalStorage<RefundCeiling>()

/** Does `work`; a refund that it opens above `ceiling` is refused with {@link RefundCeiling.refusal}, and nothing is written. */
export function withRefundCeiling<T>(ceiling: RefundCeiling, work: () => T): T {
  return current.run(ceiling, work)
}

/** The ceiling of what is being worked on; undefined where there is none. */
export function refundCeiling(): RefundCeiling | undefined {
  return current.getStore()
}
