// Audit of payments by BIZUM.
import { type AuditCheck, auditCheck } from '../../storage/index.ts'
import { bizum } from './facts.ts'

export const bizumChecks: readonly AuditCheck[] = [
  auditCheck(
    'bizum_payments_have_their_attempt',
    'operations',
    `select operations.id::text as subject, 'completed without an approved attempt' as detail
     from operations
     left join attempts on attempts.wallet_id = operations.wallet_id and attempts.id = operations.attempt_id
     where operations.type = 'PAYMENT' and operations.method = '${bizum.code}'
       and operations.status = 'COMPLETED' and coalesce(attempts.state, '') not in ('ASKED', 'APPROVED')`,
  ),
]
