// Audit of mandates and payments by phone.
import { type AuditCheck, auditCheck } from '../../storage/index.ts'
import { mbway } from './facts.ts'

const byPhone = `(select * from attempts where method = '${mbway.code}' and owner is not null)`
const failed = `('DECLINED', 'CLOSED', 'REVERSED')`

export const mbwayChecks: readonly AuditCheck[] = [
  auditCheck(
    'allowances_count_their_reservations',
    'mandate_allowances',
    `select mandate_id::text as subject,
       'counts ' || used || ' cents used in ' || month || ', its reservations ' || total as detail
     from (
       select coalesce(allowances.wallet_id, reserved.wallet_id) as wallet_id,
         coalesce(allowances.mandate_id, reserved.mandate_id) as mandate_id,
         coalesce(allowances.month, reserved.month) as month,
         coalesce(allowances.used, 0) as used, coalesce(reserved.total, 0) as total
       from mandate_allowances as allowances
       full join (
         select wallet_id, mandate_id, month, sum(amount) as total
         from mandate_reservations group by wallet_id, mandate_id, month
       ) as reserved using (wallet_id, mandate_id, month)
     ) as compared
     where used <> total`,
  ),
  auditCheck(
    'mandates_have_their_event',
    'mandates',
    `select mandates.id::text as subject, mandates.state || ' without the event of it' as detail
     from mandates
     where mandates.state <> 'REQUESTED'
       and not exists (
         select 1 from events
         where events.wallet_id = mandates.wallet_id and events.subject = mandates.id
           and events.event = case mandates.state when 'ACTIVE' then 'APPROVED' else mandates.state end
       )`,
  ),
  auditCheck(
    'open_mandates_are_looked_after',
    'mandates',
    `select id::text as subject, state || ', and nothing will look after it' as detail
     from mandates
     where state in ('REQUESTED', 'ACTIVE', 'SUSPENDED') and due_at is null`,
  ),
  auditCheck(
    'failed_charges_gave_their_mandate_back',
    'charges',
    `select charges.id::text as subject, 'failed, and its part of the mandate is still reserved' as detail
     from charges
     join mandate_reservations on mandate_reservations.wallet_id = charges.wallet_id
       and mandate_reservations.id = charges.operation_id
     where charges.status = 'FAIL'`,
  ),
  auditCheck(
    'approved_mobile_payments_completed_their_operation',
    'attempts',
    `select attempt.id::text as subject,
       'approved ' || attempt.amount || ' cents, but its operation is '
         || coalesce(operations.status || ' over ' || operations.amount, 'missing') as detail
     from ${byPhone} as attempt
     left join operations on operations.wallet_id = attempt.wallet_id and operations.id = attempt.operation_id
     where attempt.state = 'APPROVED'
       and (operations.status, operations.attempt_id, operations.amount)
         is distinct from ('COMPLETED', attempt.id, attempt.amount)`,
  ),
  // The attempt of a subscription's charge is the operation itself.
  auditCheck(
    'operations_agree_with_their_mobile_payment',
    'operations',
    `select operations.id::text as subject,
       operations.status || case when operations.under_approval then ' under approval' else '' end
         || ', but its payment by phone is ' || coalesce(attempt.state, 'missing') as detail
     from operations
     left join ${byPhone} as attempt on attempt.wallet_id = operations.wallet_id
       and attempt.id = operations.attempt_id and attempt.operation_id = operations.id
     where operations.method = '${mbway.code}' and operations.type in ('PAYMENT', 'AUTH')
       and (operations.subscription_id is null or operations.attempt_id <> operations.id)
       and case
         when operations.status = 'COMPLETED' then coalesce(attempt.state, '') not in ('APPROVED', 'ASKED', 'GIVEN_UP')
         when operations.under_approval then coalesce(attempt.state, '') not in ('ASKED', 'GIVEN_UP')
         else attempt.id is null
       end`,
  ),
  auditCheck(
    'mandates_follow_the_payment_they_came_with',
    'attempts',
    `select attempt.id::text as subject,
       attempt.state || ', but the mandate asked for with it is ' || coalesce(mandates.state, 'missing') as detail
     from ${byPhone} as attempt
     left join mandates on mandates.wallet_id = attempt.wallet_id
       and mandates.id = (attempt.details ->> 'opensMandateId')::uuid
     where attempt.details ->> 'opensMandateId' is not null
       and case
         when attempt.state in ${failed} then coalesce(mandates.state, 'missing') not in ('EXPIRED', 'VOIDED')
         when attempt.state = 'APPROVED' then coalesce(mandates.state, 'REQUESTED') = 'REQUESTED' or mandates.awaits_payment
         else false
       end`,
  ),
  auditCheck(
    'declined_mobile_payments_gave_their_allowance_back',
    'attempts',
    `select attempt.id::text as subject, 'failed, and its allowance is still reserved' as detail
     from ${byPhone} as attempt
     join mandate_reservations on mandate_reservations.wallet_id = attempt.wallet_id
       and mandate_reservations.id = attempt.id
     where attempt.state in ${failed} or attempt.details ->> 'mandateId' is null`,
  ),
]
