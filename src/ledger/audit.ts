// Audit: postings have accounts, and balances equal their postings.
import { type AuditCheck, auditCheck } from '../storage/index.ts'

/** Two rows for each posting: `account_id`, `id`, `amount` (negative for the debited account). */
const posted = `
  select credit_account as account_id, id, amount from postings
  union all
  select debit_account, id, -amount from postings`

export const ledgerChecks: readonly AuditCheck[] = [
  auditCheck(
    'postings_name_accounts',
    'postings',
    `select postings.operation_id::text as subject,
       'moved ' || postings.amount || ' cents from ' || coalesce('account ' || debit.id, 'no account')
         || ' to ' || coalesce('account ' || credit.id, 'no account') as detail
     from postings
     left join accounts as debit on debit.id = postings.debit_account
     left join accounts as credit on credit.id = postings.credit_account
     where debit.currency is distinct from credit.currency or debit.id is null`,
  ),
  auditCheck(
    'rolled_up_balances_are_what_was_written',
    'balance_rollups',
    `select rolled.account_id::text as subject,
       'rolled up as ' || rolled.balance || ' cents, its postings are ' || coalesce(sum(posted.amount), 0) as detail
     from balance_rollups as rolled
     left join (${posted}) as posted on posted.account_id = rolled.account_id and posted.id <= rolled.upto
     group by rolled.account_id, rolled.balance
     having coalesce(sum(posted.amount), 0) <> rolled.balance`,
  ),
  auditCheck(
    'consumers_never_owe',
    'accounts',
    `select accounts.wallet_id::text as subject, 'the consumer has ' || sum(posted.amount) || ' cents' as detail
     from accounts join (${posted}) as posted on posted.account_id = accounts.id
     where accounts.kind = 'consumer'
     group by accounts.id having sum(posted.amount) < 0`,
  ),
]
