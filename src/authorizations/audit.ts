// Audit: an accepted authorization has its timer until its month ends.
import { type AuditCheck, auditCheck } from '../storage/index.ts'

export const authorizationChecks: readonly AuditCheck[] = [
  auditCheck(
    'authorizations_lapse_once',
    'operations',
    `select operations.id::text as subject,
       case when operations.lapsed_at is null then 'accepted, and nothing will end it'
         else 'lapsed, and still has something pending' end as detail
     from operations
     left join authorization_timers on authorization_timers.due_at = operations.expires
       and authorization_timers.wallet_id = operations.wallet_id and authorization_timers.id = operations.id
     where operations.type = 'AUTH' and operations.status = 'COMPLETED' and case
       when operations.lapsed_at is null then authorization_timers.id is null
       else authorization_timers.id is not null or exists (
         select 1 from operations as child
         where child.wallet_id = operations.wallet_id and child.parent_id = operations.id
           and child.status in ('NEW', 'PENDING')
       )
     end`,
  ),
]
