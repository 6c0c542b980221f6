// The SQL of subscriptions charged to a saved account.
import { type Instant, toTimestamp } from '../../kernel/time.ts'
import { execute } from '../../storage/index.ts'

export interface KeptAccount {
  readonly walletId: bigint
  readonly subscriptionId: string
  readonly operationId: string
  /** The key of the attempt under which the wallet saved the account. */
  readonly attemptId: string
}

/** Stores the account, unless the customer has chosen another attempt. */
export const keepAccount = execute((kept: KeptAccount, now: Instant) => [
  ...[kept.walletId, kept.subscriptionId, kept.operationId, kept.attemptId, toTimestamp(now)],
])`
  update subscriptions set method = 'PAYPAL', attempt_id = $4, modified_at = $5
  where wallet_id = $1 and id = $2 and operation_id = $3 and status = 'NEW' and exists (
    select from operations where wallet_id = $1 and id = $3 and attempt_id = $4
  )`
