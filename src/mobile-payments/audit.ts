// Proves payments by phone: each agrees with its operation, and none that was declined keeps an allowance.
import { type AuditCheck, auditCheck } from '../storage/index.ts'

export const mobilePaymentChecks: readonly AuditCheck[] = [
  auditCheck(
    'approved_mobile_payments_completed_their_operation',
    'mobile_payments',
    `select mobile_payments.id::text as subject,
       'approved ' || mobile_payments.amount || ' cents, but its operation is '
         || coalesce(operations.status || ' over ' || operations.amount, 'missing') as detail
     from mobile_payments
     left join operations on operations.wallet_id = mobile_payments.wallet_id
       and operations.id = mobile_payments.operation_id
     where mobile_payments.state = 'APPROVED'
       and (operations.status, operations.attempt_id, operations.amount)
         is distinct from ('COMPLETED', mobile_payments.id, mobile_payments.amount)`,
  ),
  // A charge of a subscription is its own attempt: its mandate stands for the customer.
  auditCheck(
    'operations_agree_with_their_mobile_payment',
    'operations',
    `select operations.id::text as subject,
       operations.status || case when operations.under_approval then ' under approval' else '' end
         || ', but its payment by phone is ' || coalesce(mobile_payments.state, 'missing') as detail
     from operations
     left join mobile_payments on mobile_payments.wallet_id = operations.wallet_id
       and mobile_payments.id = operations.attempt_id and mobile_payments.operation_id = operations.id
     where operations.method = 'MBWAY' and operations.type in ('PAYMENT', 'AUTH')
       and (operations.subscription_id is null or operations.attempt_id <> operations.id)
       and case
         when operations.status = 'COMPLETED' then coalesce(mobile_payments.state, '') not in ('APPROVED', 'ASKED')
         when operations.under_approval then mobile_payments.state is distinct from 'ASKED'
         else mobile_payments.id is null
       end`,
  ),
  auditCheck(
    'mandates_follow_the_payment_they_came_with',
    'mobile_payments',
    `select mobile_payments.id::text as subject,
       mobile_payments.state || ', but the mandate asked for with it is ' || coalesce(mandates.state, 'missing') as detail
     from mobile_payments
     left join mandates on mandates.wallet_id = mobile_payments.wallet_id
       and mandates.id = mobile_payments.opens_mandate_id
     where mobile_payments.opens_mandate_id is not null
       and case mobile_payments.state
         when 'DECLINED' then coalesce(mandates.state, 'missing') not in ('EXPIRED', 'VOIDED')
         when 'APPROVED' then coalesce(mandates.state, 'REQUESTED') = 'REQUESTED' or mandates.awaits_payment
         else false
       end`,
  ),
  auditCheck(
    'declined_mobile_payments_gave_their_allowance_back',
    'mobile_payments',
    `select mobile_payments.id::text as subject, 'declined, and its allowance is still reserved' as detail
     from mobile_payments
     join mandate_reservations on mandate_reservations.wallet_id = mobile_payments.wallet_id
       and mandate_reservations.id = mobile_payments.id
     where mobile_payments.state = 'DECLINED' or mobile_payments.mandate_id is null`,
  ),
]
