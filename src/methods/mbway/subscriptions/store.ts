// The SQL of subscriptions charged under a mandate.
import type { Day } from '../../../kernel/lisbon.ts'
import type { Cents } from '../../../kernel/money.ts'
import { type Instant, toTimestamp } from '../../../kernel/time.ts'
import { execute, findFirst } from '../../../storage/index.ts'
import { endsAtText, type Subscription, subscriptions } from '../../../subscriptions/index.ts'

export interface MandateTerms {
  readonly mandateId: string
  readonly amount: Cents
  readonly endDate: Day | undefined
}

export const approveUnderMandate = findFirst(subscriptions, parametersOf)`
  update subscriptions set
    status = 'APPROVED', method = 'MBWAY', mandate_id = $3, amount = $4, end_date = $5, ends_at = $6,
    under_approval = false, modified_at = $7
  where wallet_id = $1 and id = $2 and status = 'NEW' and under_approval and attempt_id = $3
  returning *`

/**
 * Stores the mandate before the settlement of its payment approves the subscription, unless the customer has chosen
 * another attempt.
 */
export const keepMandate = execute(parametersOf)`
  update subscriptions set
    method = 'MBWAY', mandate_id = $3, amount = $4, end_date = $5, ends_at = $6, modified_at = $7
  where wallet_id = $1 and id = $2 and status = 'NEW' and exists (
    select from operations
    join attempts on attempts.wallet_id = operations.wallet_id and attempts.id = operations.attempt_id
    where operations.wallet_id = $1 and operations.id = subscriptions.operation_id
      and (attempts.details ->> 'opensMandateId')::uuid = $3
  )`

export const changeUnderMandate = findFirst(subscriptions, parametersOf)`
  update subscriptions set amount = $4, end_date = $5, ends_at = $6, modified_at = $7
  where wallet_id = $1 and id = $2 and status = 'APPROVED' and mandate_id = $3
  returning *`

function parametersOf(
  { walletId, id }: Subscription,
  { mandateId, amount, endDate }: MandateTerms,
  now: Instant,
): unknown[] {
  return [walletId, id, mandateId, amount, endDate ?? null, endsAtText(endDate), toTimestamp(now)]
}
