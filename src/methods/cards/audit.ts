// Audit of card attempts and saved cards: attempts agree with their purpose and keep no card.
import { type AuditCheck, auditCheck } from '../../storage/index.ts'
import { attemptsPerSubjectMax } from './model.ts'

const byCard = `attempts.method = 'CC' and attempts.owner is not null`

export const cardChecks: readonly AuditCheck[] = [
  auditCheck(
    'approved_attempts_completed_their_operation',
    'attempts',
    `select attempts.id::text as subject,
       'approved ' || attempts.amount || ' cents, but its operation is '
         || coalesce(operations.status || ' over ' || operations.amount, 'missing') as detail
     from attempts
     left join operations on operations.wallet_id = attempts.wallet_id and operations.id = attempts.operation_id
     where ${byCard} and attempts.state = 'APPROVED' and attempts.owner in ('checkout', 'card_api')
       and (operations.status, operations.attempt_id, operations.amount)
         is distinct from ('COMPLETED', attempts.id, attempts.amount)`,
  ),
  auditCheck(
    'operations_agree_with_their_attempt',
    'operations',
    `select operations.id::text as subject,
       operations.status || case when operations.under_approval then ' under approval' else '' end
         || ', but its attempt is ' || coalesce(attempts.state, 'missing') as detail
     from operations
     left join attempts on attempts.wallet_id = operations.wallet_id
       and attempts.id = operations.attempt_id and attempts.operation_id = operations.id and ${byCard}
     where operations.method = 'CC' and operations.attempt_id <> operations.id
       and case
         when operations.status = 'COMPLETED' then coalesce(attempts.state, '') not in ('APPROVED', 'ASKED', 'GIVEN_UP')
         when operations.under_approval then coalesce(attempts.state, '') not in ('ASKED', 'GIVEN_UP')
         else attempts.id is null
       end`,
  ),
  auditCheck(
    'one_approved_attempt_per_operation',
    'attempts',
    `select operation_id::text as subject, count(*) || ' approved attempts' as detail
     from attempts where ${byCard} and state = 'APPROVED' and owner <> 'card_store'
     group by wallet_id, operation_id having count(*) > 1`,
  ),
  auditCheck(
    'cards_tried_within_the_limit',
    'attempts',
    `select operation_id::text as subject, count(*) || ' cards were tried' as detail
     from attempts where ${byCard}
     group by wallet_id, operation_id having count(*) > ${attemptsPerSubjectMax}`,
  ),
  auditCheck(
    'ended_attempts_keep_no_card',
    'attempts',
    `select id::text as subject, 'ended with its card still sealed in it' as detail
     from attempts where due_at is null and sealed_card is not null`,
  ),
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
  auditCheck(
    'saved_cards_have_their_customer',
    'stored_cards',
    `select stored_cards.token::text as subject, 'is saved for a customer who was deleted' as detail
     from stored_cards
     left join customers on customers.wallet_id = stored_cards.wallet_id
       and customers.id = stored_cards.customer_id
     where stored_cards.customer_id is not null and stored_cards.voided_at is null and customers.id is null`,
  ),
  auditCheck(
    'customers_save_a_card_once',
    'stored_cards',
    `select customer_id::text as subject, 'has one card ' || count(*) || ' times' as detail
     from stored_cards where customer_id is not null and voided_at is null
     group by wallet_id, customer_id, fingerprint having count(*) > 1`,
  ),
]
