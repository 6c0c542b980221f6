// Proves attempts: none ended approved without its operation, none kept a card after its end.
import { type AuditCheck, auditCheck } from '../storage/index.ts'

export const attemptChecks: readonly AuditCheck[] = [
  auditCheck(
    'approved_attempts_completed_their_operation',
    'card_attempts',
    `select card_attempts.id::text as subject, 'approved, but its operation is ' || operations.status as detail
     from card_attempts
     join operations on operations.wallet_id = card_attempts.wallet_id and operations.id = card_attempts.subject_id
     where card_attempts.state = 'APPROVED'
       and (operations.status <> 'COMPLETED' or operations.attempt_id <> card_attempts.id)`,
  ),
  auditCheck(
    'one_approved_attempt_per_operation',
    'card_attempts',
    `select subject_id::text as subject, count(*) || ' approved attempts' as detail
     from card_attempts where state = 'APPROVED' and owner <> 'card_store'
     group by wallet_id, subject_id having count(*) > 1`,
  ),
  auditCheck(
    'ended_attempts_keep_no_card',
    'card_attempts',
    `select id::text as subject, 'ended with its card still sealed in it' as detail
     from card_attempts where due_at is null and sealed_card is not null`,
  ),
]
