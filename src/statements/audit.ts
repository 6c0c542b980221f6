// Audit: days of accounts equal their postings.
import { type AuditCheck, auditCheck } from '../storage/index.ts'
import { lisbonDaySql } from './movements-sql.ts'

export const statementChecks: readonly AuditCheck[] = [
  // Fees are not added, because the gross amount includes them.
  auditCheck(
    'days_of_accounts_add_up_to_their_postings',
    'account_days',
    `select account_id || ' ' || day as subject,
       'adds up to ' || coalesce(days.cents, 0) || ' cents, its postings to ' || coalesce(posted.cents, 0) as detail
     from (
       select account_id, ${lisbonDaySql('created_at')} as day, sum(amount) as cents
       from (
         select credit_account as account_id, created_at, amount from postings
         where credit_account > 0 and id <= (select upto from account_days_upto)
         union all
         select debit_account, created_at, -amount from postings
         where debit_account > 0 and id <= (select upto from account_days_upto)
       ) as moved
       join accounts on accounts.id = account_id and accounts.kind = 'merchant'
       group by 1, 2
     ) as posted
     full join (
       select account_id, day, sum(gross - fee) as cents from account_days group by account_id, day
     ) as days using (account_id, day)
     where coalesce(days.cents, 0) <> coalesce(posted.cents, 0)`,
  ),
]
