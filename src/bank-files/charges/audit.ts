// Checks of the account of bank charges.
import { type AuditCheck, auditCheck } from '../../storage/index.ts'
import { isGivenSql } from '../by-hand/model.ts'

/** Charges by the id of their entry or settlement. An entry that confirms a settlement repeats its charge. */
const charges = `
  select entry.id, entry.charge as amount, case when entry.charge_is_shared is null then entry.wallet_id end as wallet_id
  from bank_entries as entry
  left join bank_orders as ordered on ordered.wallet_id = entry.wallet_id and ordered.id = entry.order_id
  where entry.charge is not null and not exists (
    select from bank_settlements as settled
    where settled.wallet_id = entry.wallet_id and settled.order_id = entry.order_id and settled.fee > 0
      and ${isGivenSql('settled')}
      and ((entry.direction = 'credit') = (ordered.kind = 'collection')) = (settled.answer = 'paid')
  )
  union all
  select settled.id, settled.fee, settled.wallet_id from bank_settlements as settled
  where settled.fee > 0 and ${isGivenSql('settled')}`

export const chargeChecks: readonly AuditCheck[] = [
  auditCheck(
    'bank_charges_are_booked',
    `postings where purpose = 'charge'`,
    `select coalesce(charged.id, posted.operation_id)::text as subject,
       'the bank charged ' || coalesce(charged.amount, 0) || ' cents, booked ' || coalesce(posted.amount, 0) as detail
     from (${charges}) as charged
     full join (
       select operation_id, sum(amount)::bigint as amount from postings where purpose = 'charge' and wallet_id = 0
       group by operation_id
     ) as posted on posted.operation_id = charged.id
     where posted.amount is distinct from charged.amount`,
  ),
  auditCheck(
    'postings_of_bank_charges_are_of_a_charge',
    `postings where purpose = 'charge'`,
    `select postings.operation_id::text as subject,
       postings.purpose || ' moved ' || postings.amount || ' cents from ' || debit.kind || ' of wallet ' || debit.wallet_id
         || ' to ' || credit.kind || ' of wallet ' || credit.wallet_id as detail
     from postings
     join accounts as debit on debit.id = postings.debit_account
     join accounts as credit on credit.id = postings.credit_account
     left join (${charges}) as charged on charged.id = postings.operation_id and charged.amount = postings.amount
     where (postings.purpose = 'charge' or 'bank_charges' in (debit.kind, credit.kind)) and not coalesce(
       postings.purpose = 'charge' and case postings.wallet_id
         when 0 then (debit.wallet_id, debit.kind, credit.wallet_id, credit.kind) = (0, 'bank_charges', 0, 'clearing:BANK')
           and charged.id is not null
         else (debit.wallet_id, debit.kind, credit.wallet_id, credit.kind)
             = (charged.wallet_id, 'merchant', 0, 'bank_charges')
           and charged.wallet_id = postings.wallet_id
       end,
       false
     )`,
  ),
]
