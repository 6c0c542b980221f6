// Proves mandates: an allowance counts exactly what was reserved and not released, and no mandate lacks its timer.
import { type AuditCheck, auditCheck } from '../storage/index.ts'

export const mandateChecks: readonly AuditCheck[] = [
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
]
