// Audit: no rail keeps money of an operation that failed.
import { type AuditCheck, auditCheck } from '../../storage/index.ts'

export const attemptChecks: readonly AuditCheck[] = [
  auditCheck(
    'late_approvals_are_reversed',
    'attempts',
    `select id::text as subject,
       method || ' approved it for operation ' || operation_id || ', which ended otherwise, and has not reversed it yet'
         as detail
     from attempts where state = 'TO_REVERSE'`,
  ),
]
