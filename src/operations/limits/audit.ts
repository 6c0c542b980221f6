// Audit: a day never counts less than was taken.
import { type AuditCheck, auditCheck } from '../../storage/index.ts'

export const limitChecks: readonly AuditCheck[] = [
  auditCheck(
    'days_of_limits_count_their_payments',
    'limit_days',
    `select uses.wallet_id || '/' || uses.day as subject,
       'counts ' || coalesce(limit_days.taken, 0) || ' cents, its payments are ' || uses.total as detail
     from (
       select wallet_id, day, sum(amount) as total from limit_uses group by wallet_id, day
     ) as uses
     left join limit_days on limit_days.wallet_id = uses.wallet_id and limit_days.day = uses.day
     where coalesce(limit_days.taken, 0) < uses.total`,
  ),
]
