// Proves what the card API began against its attempts: an attempt that ended has ended what it was for.
import { type AuditCheck, auditCheck } from '../storage/index.ts'

export const cardPaymentChecks: readonly AuditCheck[] = [
  auditCheck(
    'ended_attempts_ended_their_payment',
    'card_attempts',
    `select card_attempts.id::text as subject,
       'ended ' || card_attempts.state || ', but its operation is still ' || operations.status as detail
     from card_attempts
     join operations on operations.wallet_id = card_attempts.wallet_id and operations.id = card_attempts.subject_id
     where card_attempts.owner = 'card_api' and card_attempts.due_at is null
       and operations.status in ('NEW', 'PENDING')`,
  ),
  auditCheck(
    'ended_attempts_ended_their_storing',
    'card_storings',
    `select card_storings.id::text as subject,
       'still PENDING, but its attempt ended ' || coalesce(card_attempts.state, 'missing') as detail
     from card_storings
     left join card_attempts on card_attempts.wallet_id = card_storings.wallet_id
       and card_attempts.subject_id = card_storings.id
     where card_storings.state = 'PENDING' and card_attempts.due_at is null`,
  ),
]
