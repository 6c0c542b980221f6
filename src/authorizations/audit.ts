// Proves that authorizations end: each accepted one has its timer until it has lapsed, and nothing is open after that.
import { type AuditCheck, auditCheck } from '../storage/index.ts'

export const authorizationChecks: readonly AuditCheck[] = [
  auditCheck(
    'authorizations_lapse_once',
    'operations',
    `select operations.id::text as subject,
       case when operations.lapsed_at is null then 'accepted, and nothing will end it'
         else 'lapsed, and still has something pending' end as detail
     from operations
     where operations.type = 'AUTH' and operations.status = 'COMPLETED' and case
       when operations.lapsed_at is null then operations.lapse_due_at is null
       else operations.lapse_due_at is not null or exists (
         select 1 from operations as child
         where child.wallet_id = operations.wallet_id and child.parent_id = operations.id
           and child.status in ('NEW', 'PENDING')
       )
     end`,
  ),
]
