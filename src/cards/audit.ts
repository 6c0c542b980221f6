// Proves attempts: each agrees with its operation, and none kept a card after its end.
import { type AuditCheck, auditCheck } from '../storage/index.ts'
import { attemptsPerSubjectMax } from './model.ts'

export const attemptChecks: readonly AuditCheck[] = [
  auditCheck(
    'approved_attempts_completed_their_operation',
    'card_attempts',
    `select card_attempts.id::text as subject,
       'approved ' || card_attempts.amount || ' cents, but its operation is '
         || coalesce(operations.status || ' over ' || operations.amount, 'missing') as detail
     from card_attempts
     left join operations on operations.wallet_id = card_attempts.wallet_id and operations.id = card_attempts.subject_id
     where card_attempts.state = 'APPROVED' and card_attempts.owner in ('checkout', 'card_api')
       and (operations.status, operations.attempt_id, operations.amount)
         is distinct from ('COMPLETED', card_attempts.id, card_attempts.amount)`,
  ),
  // An operation without an attempt of its own was decided under its own id.
  auditCheck(
    'operations_agree_with_their_attempt',
    'operations',
    `select operations.id::text as subject,
       operations.status || case when operations.under_approval then ' under approval' else '' end
         || ', but its attempt is ' || coalesce(card_attempts.state, 'missing') as detail
     from operations
     left join card_attempts on card_attempts.wallet_id = operations.wallet_id
       and card_attempts.id = operations.attempt_id and card_attempts.subject_id = operations.id
     where operations.method = 'CC' and operations.attempt_id <> operations.id
       and case
         when operations.status = 'COMPLETED' then coalesce(card_attempts.state, '') not in ('APPROVED', 'AUTHORISING')
         when operations.under_approval then card_attempts.state is distinct from 'AUTHORISING'
         else card_attempts.id is null
       end`,
  ),
  auditCheck(
    'one_approved_attempt_per_operation',
    'card_attempts',
    `select subject_id::text as subject, count(*) || ' approved attempts' as detail
     from card_attempts where state = 'APPROVED' and owner <> 'card_store'
     group by wallet_id, subject_id having count(*) > 1`,
  ),
  auditCheck(
    'cards_tried_within_the_limit',
    'card_attempts',
    `select subject_id::text as subject, count(*) || ' cards were tried' as detail
     from card_attempts group by wallet_id, subject_id having count(*) > ${attemptsPerSubjectMax}`,
  ),
  auditCheck(
    'ended_attempts_keep_no_card',
    'card_attempts',
    `select id::text as subject, 'ended with its card still sealed in it' as detail
     from card_attempts where due_at is null and sealed_card is not null`,
  ),
]
