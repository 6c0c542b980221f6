// Proves what the card API began against its attempts: an attempt that ended has ended what it was for.
import { type AuditCheck, auditCheck } from '../storage/index.ts'

export const cardPaymentChecks: readonly AuditCheck[] = [
  auditCheck(
    'ended_attempts_ended_their_payment',
    'attempts',
    `select attempts.id::text as subject,
       'ended ' || attempts.state || ', but its operation is still ' || operations.status as detail
     from attempts
     join operations on operations.wallet_id = attempts.wallet_id and operations.id = attempts.operation_id
     where attempts.owner = 'card_api' and attempts.due_at is null
       and operations.status in ('NEW', 'PENDING')`,
  ),
  auditCheck(
    'ended_attempts_ended_their_storing',
    'card_storings',
    `select card_storings.id::text as subject,
       'still PENDING, but its attempt ended ' || coalesce(attempts.state, 'missing') as detail
     from card_storings
     left join attempts on attempts.wallet_id = card_storings.wallet_id
       and attempts.operation_id = card_storings.id and attempts.owner = 'card_store'
     where card_storings.state = 'PENDING' and attempts.due_at is null`,
  ),
]
