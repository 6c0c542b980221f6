// Proves the books: every journal balances, and every entry belongs to one.
import { type AuditCheck, auditCheck } from '../storage/index.ts'

export const ledgerChecks: readonly AuditCheck[] = [
  auditCheck(
    'journals_balance',
    'entries',
    `select journal_id::text as subject, 'entries sum to ' || sum(amount) || ' cents' as detail
     from entries group by wallet_id, journal_id having sum(amount) <> 0`,
  ),
  auditCheck(
    'journals_have_entries',
    'journals',
    `select journals.id::text as subject, 'journal without entries' as detail
     from journals
     where not exists (
       select 1 from entries where entries.wallet_id = journals.wallet_id and entries.journal_id = journals.id
     )`,
  ),
  auditCheck(
    'entries_have_journals',
    'entries',
    `select entries.journal_id::text as subject, 'entries without a journal' as detail
     from entries
     where not exists (
       select 1 from journals where journals.wallet_id = entries.wallet_id and journals.id = entries.journal_id
     )`,
  ),
  auditCheck(
    'books_sum_to_zero',
    'accounts',
    `select 'all accounts' as subject, 'balances sum to ' || sum(amount) || ' cents' as detail
     from entries having sum(amount) <> 0`,
  ),
  auditCheck(
    'rolled_up_balances_are_what_was_written',
    'balance_rollups',
    `select rolled.account_id::text as subject,
       'rolled up as ' || rolled.balance || ' cents, its entries are ' || coalesce(written.total, 0) as detail
     from balance_rollups as rolled
     cross join lateral (
       select sum(amount) as total from entries
       where entries.account_id = rolled.account_id and entries.id <= rolled.upto
     ) as written
     where written.total is distinct from rolled.balance`,
  ),
  auditCheck(
    'consumers_never_owe',
    'accounts',
    `select accounts.wallet_id::text as subject, 'the consumer has ' || sum(entries.amount) || ' cents' as detail
     from accounts join entries on entries.account_id = accounts.id
     where accounts.kind = 'consumer'
     group by accounts.id having sum(entries.amount) < 0`,
  ),
]
