// Proves attempts: each agrees with its operation, and none moved money that was not asked for.
import { type AuditCheck, auditCheck } from '../storage/index.ts'

export const onlineWalletChecks: readonly AuditCheck[] = [
  auditCheck(
    'paid_wallet_attempts_completed_their_operation',
    'online_wallet_attempts',
    `select online_wallet_attempts.id::text as subject,
       'paid ' || online_wallet_attempts.amount || ' cents, but its operation is '
         || coalesce(operations.status || ' over ' || operations.amount, 'missing') as detail
     from online_wallet_attempts
     left join operations on operations.wallet_id = online_wallet_attempts.wallet_id
       and operations.id = online_wallet_attempts.operation_id
     where online_wallet_attempts.state = 'PAID'
       and (operations.status, operations.attempt_id, operations.amount)
         is distinct from ('COMPLETED', online_wallet_attempts.id, online_wallet_attempts.amount)`,
  ),
  auditCheck(
    'wallet_payments_have_their_attempt',
    'operations',
    `select operations.id::text as subject,
       operations.status || ', but its attempt is ' || coalesce(online_wallet_attempts.state, 'missing') as detail
     from operations
     left join online_wallet_attempts on online_wallet_attempts.wallet_id = operations.wallet_id
       and online_wallet_attempts.id = operations.attempt_id
     where operations.type = 'PAYMENT' and operations.method = 'PAYPAL'
       and (operations.status = 'COMPLETED' or operations.under_approval)
       and coalesce(online_wallet_attempts.state, '') not in ('TAKING', 'PAID')`,
  ),
]
