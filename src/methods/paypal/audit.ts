// Audit of PayPal attempts: they agree with their operations.
import { type AuditCheck, auditCheck } from '../../storage/index.ts'

export const paypalChecks: readonly AuditCheck[] = [
  auditCheck(
    'paid_wallet_attempts_completed_their_operation',
    'attempts',
    `select attempts.id::text as subject,
       'paid ' || attempts.amount || ' cents, but its operation is '
         || coalesce(operations.status || ' over ' || operations.amount, 'missing') as detail
     from attempts
     left join operations on operations.wallet_id = attempts.wallet_id and operations.id = attempts.operation_id
     where attempts.method = 'PAYPAL' and attempts.owner = 'checkout' and attempts.state = 'APPROVED'
       and (operations.status, operations.attempt_id, operations.amount)
         is distinct from ('COMPLETED', attempts.id, attempts.amount)`,
  ),
  auditCheck(
    'wallet_payments_have_their_attempt',
    'operations',
    `select operations.id::text as subject,
       operations.status || ', but its attempt is ' || coalesce(attempts.state, 'missing') as detail
     from operations
     left join attempts on attempts.wallet_id = operations.wallet_id and attempts.id = operations.attempt_id
       and attempts.owner is not null
     where operations.type = 'PAYMENT' and operations.method = 'PAYPAL'
       and (operations.status = 'COMPLETED' or operations.under_approval)
       and coalesce(attempts.state, '') not in ('ASKED', 'APPROVED')
       -- A charge of a subscription has no customer.
       and not exists (
         select 1 from charges
         where charges.wallet_id = operations.wallet_id and charges.operation_id = operations.id
       )`,
  ),
  auditCheck(
    'wallet_subscriptions_have_their_account',
    'subscriptions',
    `select subscriptions.id::text as subject, 'is charged to an account that no attempt saved' as detail
     from subscriptions
     left join attempts on attempts.wallet_id = subscriptions.wallet_id and attempts.id = subscriptions.attempt_id
     where subscriptions.method = 'PAYPAL' and subscriptions.status = 'APPROVED'
       and (
         coalesce(attempts.state, '') not in ('ASKED', 'APPROVED')
         or attempts.details ->> 'saves' is distinct from 'true'
       )`,
  ),
]
