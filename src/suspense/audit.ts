// Audit: the balance of suspense equals the entries that are not resolved.
import { type AuditCheck, auditCheck, derivedIdSql } from '../storage/index.ts'

/** Sums the postings under an id: cents to suspense less cents from it. */
const movedUnder = (id: string) => `
  select coalesce(sum(case when credit.kind = 'suspense' then postings.amount else -postings.amount end), 0) as cents
  from postings
  join accounts as credit on credit.id = postings.credit_account
  where postings.wallet_id = 0 and postings.purpose = 'suspense' and postings.operation_id = ${id}`

/** Lists the tries to refund each entry. Each try has its own key (`refundKeyOf`). */
const tries = `
  select ${derivedIdSql('id', `'refund ' || try`)} as key, amount, method
  from suspense_entries
  cross join generate_series(1, refunds) as try`

/** Lists all allowed movements, each once: received, refunded, returned, assigned. */
const movements = `
  select id, amount, 'clearing:' || method as debit, 'suspense' as credit from suspense_entries
  union all
  select operation_id, amount, 'suspense', 'clearing:' || method from suspense_entries where operation_id is not null
  union all
  select key, amount, debit, credit
  from (${tries}) as given
  cross join lateral (
    values ('suspense', 'clearing:' || method), ('clearing:' || method, 'suspense'),
      ('suspense', 'clearing:BANK'), ('clearing:BANK', 'suspense')
  ) as way (debit, credit)
  union all
  select id, amount, 'clearing:BANK', 'suspense' from bank_entries where direction = 'credit'
  union all
  select id, amount, 'suspense', 'clearing:BANK' from bank_entries where direction = 'credit' and state <> 'UNMATCHED'`

export const suspenseChecks: readonly AuditCheck[] = [
  auditCheck(
    'suspense_is_what_is_not_resolved',
    'suspense_entries',
    `select 'suspense' as subject, 'holds ' || held.cents || ' cents, its open entries ' || open.cents as detail
     from (
       select coalesce(sum(case when credit.kind = 'suspense' then postings.amount else -postings.amount end), 0) as cents
       from postings
       join accounts as credit on credit.id = postings.credit_account
       join accounts as debit on debit.id = postings.debit_account
       where 'suspense' in (credit.kind, debit.kind)
     ) as held
     cross join (
       select coalesce(sum(amount), 0) as cents
       from (
         select amount from suspense_entries where state in ('OPEN', 'REFUNDING')
         union all
         select amount from bank_entries where state = 'UNMATCHED' and direction = 'credit'
       ) as waiting
     ) as open
     where held.cents <> open.cents`,
  ),
  auditCheck(
    'postings_of_suspense_are_of_an_entry',
    `postings where purpose = 'suspense'`,
    `select postings.operation_id::text as subject,
       'moved ' || postings.amount || ' cents from ' || debit.kind || ' of wallet ' || debit.wallet_id || ' to '
         || credit.kind || ' of wallet ' || credit.wallet_id || ', as no entry in suspense did' as detail
     from postings
     join accounts as debit on debit.id = postings.debit_account
     join accounts as credit on credit.id = postings.credit_account
     left join (${movements}) as movement
       on movement.id = postings.operation_id and movement.amount = postings.amount
       and movement.debit = debit.kind and movement.credit = credit.kind
       and postings.wallet_id = 0 and debit.wallet_id = 0 and credit.wallet_id = 0
     where postings.purpose = 'suspense' and movement.id is null`,
  ),
  auditCheck(
    'suspense_entries_are_booked',
    'suspense_entries',
    `select suspense_entries.id::text as subject,
       suspense_entries.state || ' over ' || suspense_entries.amount || ' cents, booked ' || taken.cents || ' and '
         || coalesce(resolved.cents, 0) as detail
     from suspense_entries
     cross join lateral (${movedUnder('suspense_entries.id')}) as taken
     cross join lateral (
       ${movedUnder('coalesce(suspense_entries.operation_id, suspense_entries.refund_key)')}
     ) as resolved
     where taken.cents <> suspense_entries.amount
       or resolved.cents <> case when suspense_entries.state in ('REFUNDED', 'ASSIGNED') then -suspense_entries.amount else 0 end`,
  ),
  auditCheck(
    'suspense_was_assigned_once',
    'suspense_entries',
    `select suspense_entries.id::text as subject,
       'assigned to wallet ' || suspense_entries.assigned_wallet_id || ' with ' || suspense_entries.amount
         || ' cents, its operation is ' || coalesce(operations.status || ' over ' || operations.amount, 'missing') as detail
     from suspense_entries
     left join operations on operations.wallet_id = suspense_entries.assigned_wallet_id
       and operations.id = suspense_entries.operation_id
     where suspense_entries.state = 'ASSIGNED'
       and (
         (operations.type, operations.method, operations.amount)
           is distinct from ('PAYMENT', suspense_entries.method, suspense_entries.amount)
         or operations.status not in ('PENDING', 'COMPLETED')
       )`,
  ),
  auditCheck(
    'suspense_by_transfer_has_its_order',
    'suspense_entries',
    `select suspense_entries.id::text as subject,
       suspense_entries.state || ' by transfer over ' || suspense_entries.amount || ' cents, ordered '
         || coalesce(bank_orders.amount, 0) as detail
     from suspense_entries
     left join bank_orders on bank_orders.wallet_id = 0 and bank_orders.id = suspense_entries.refund_key
     where suspense_entries.refund_by = 'transfer' and bank_orders.amount is distinct from suspense_entries.amount`,
  ),
  auditCheck(
    'transfers_out_of_suspense_are_of_an_entry',
    'bank_orders where wallet_id = 0',
    `select bank_orders.id::text as subject,
       kind || ' of ' || bank_orders.amount || ' cents, of no entry of that amount' as detail
     from bank_orders
     left join (${tries}) as given on given.key = bank_orders.id and given.amount = bank_orders.amount
     where bank_orders.wallet_id = 0 and (given.key is null or bank_orders.kind <> 'transfer')`,
  ),
]
