// Proves payments by phone: each agrees with its operation, and none that failed keeps an allowance.
import { type AuditCheck, auditCheck } from '../storage/index.ts'

/** Those whose end is known; what was given up, or is to be reversed, may be about to follow. */
const byPhone = `(select * from attempts where method = 'MBWAY' and owner is not null)`
const failed = `('DECLINED', 'CLOSED', 'REVERSED')`

export const mobilePaymentChecks: readonly AuditCheck[] = [
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
  // A charge of a subscription is its own attempt: its mandate stands for the customer.
  auditCheck(
    'operations_agree_with_their_mobile_payment',
    'operations',
    `select operations.id::text as subject,
       operations.status || case when operations.under_approval then ' under approval' else '' end
         || ', but its payment by phone is ' || coalesce(attempt.state, 'missing') as detail
     from operations
     left join ${byPhone} as attempt on attempt.wallet_id = operations.wallet_id
       and attempt.id = operations.attempt_id and attempt.operation_id = operations.id
     where operations.method = 'MBWAY' and operations.type in ('PAYMENT', 'AUTH')
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
