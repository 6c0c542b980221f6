// Checks of bank files, their orders and the answers of the bank.
import { type AuditCheck, auditCheck, derivedIdSql } from '../storage/index.ts'
import { byHandChecks, isSettledSql } from './by-hand/audit.ts'
import { chargeChecks } from './charges/audit.ts'
import { entriesOfReportsSql, refundedTwice } from './incoming/model.ts'

/** Entries of each order by direction. A returned debit includes the part refunded before. */
const bookedOfOrders = `
  select entry.wallet_id, entry.order_id, sum(entry.amount) filter (where entry.direction = 'credit') as credited,
    sum(entry.amount + coalesce(twice.amount, 0)) filter (where entry.direction = 'debit') as debited
  from bank_entries as entry
  left join bank_entries as twice on twice.direction = 'debit'
    and twice.id = case entry.direction when 'debit' then ${derivedIdSql('entry.id', `'${refundedTwice}'`)} end
  where entry.order_id is not null
  group by entry.wallet_id, entry.order_id`

export const bankFileChecks: readonly AuditCheck[] = [
  ...byHandChecks,
  ...chargeChecks,
  auditCheck(
    'bank_files_carry_their_orders',
    'bank_files',
    `select bank_files.name as subject,
       'says ' || bank_files.orders || ' orders over ' || bank_files.total || ' cents, carries ' || carried.orders
         || ' over ' || carried.total as detail
     from bank_files
     cross join lateral (
       select count(*) as orders, coalesce(sum(amount), 0) as total from bank_orders
       where bank_orders.file_id = bank_files.id and bank_orders.kind = bank_files.kind
     ) as carried
     where (bank_files.orders, bank_files.total) is distinct from (carried.orders, carried.total)`,
  ),
  // Orders of the gateway itself return money in suspense. The suspense module checks them.
  auditCheck(
    'bank_orders_are_for_something',
    'bank_orders where wallet_id <> 0',
    `select bank_orders.id::text as subject,
       bank_orders.kind || ' of ' || bank_orders.amount || ' cents to ' || bank_orders.party_iban || ', for '
         || coalesce(operations.type || ' of ' || operations.amount, 'debit of ' || attempts.amount, 'nothing') as detail
     from bank_orders
     left join operations on bank_orders.kind = 'transfer' and operations.wallet_id = bank_orders.wallet_id
       and operations.id = bank_orders.id
     left join attempts on bank_orders.kind = 'collection' and attempts.wallet_id = bank_orders.wallet_id
       and attempts.id = bank_orders.id
     left join bank_orders as collected on collected.wallet_id = bank_orders.wallet_id
       and collected.id = bank_orders.refund_of
     where bank_orders.wallet_id <> 0 and not coalesce(
       case bank_orders.kind
         when 'collection' then (attempts.operation_id, attempts.method, attempts.amount)
           = (bank_orders.operation_id, 'SEPA', bank_orders.amount)
         else (bank_orders.operation_id, operations.amount) = (bank_orders.id, -bank_orders.amount) and (
           bank_orders.refund_of is null and operations.type in ('WALLETFUNDS', 'REFUND')
           or operations.type = 'REFUND' and (
             (collected.kind, collected.operation_id) = ('collection', operations.parent_id)
             or bank_orders.refund_of = operations.parent_id
           )
         )
       end,
       false
     )`,
  ),
  auditCheck(
    'collections_are_of_their_debtor',
    'bank_orders',
    `select bank_orders.id::text as subject,
       'is collected from ' || bank_orders.party_iban || ' ' || coalesce(bank_orders.party_address::text, '')
         || ', who agreed is ' || agreed.iban || ' ' || coalesce(agreed.address::text, '') as detail
     from bank_orders
     join attempts on attempts.wallet_id = bank_orders.wallet_id and attempts.id = bank_orders.id
     cross join lateral (select attempts.details #>> '{debtor,iban}' as iban, attempts.details #> '{debtor,address}' as address) as agreed
     where bank_orders.kind = 'collection' and (
       bank_orders.party_iban <> agreed.iban or bank_orders.party_address is distinct from agreed.address
     )`,
  ),
  auditCheck(
    'bank_orders_are_answered_as_the_bank_booked_them',
    'bank_orders',
    `select coalesce(ordered.id, booked.order_id)::text as subject,
       coalesce(
         kind || ' of ' || ordered.amount || ' cents, ' || coalesce(answer, 'not answered'), 'an order that is missing'
       ) || ', and the bank booked ' || coalesce(booked.credited, 0) || ' in and ' || coalesce(booked.debited, 0)
         || ' out' as detail
     from bank_orders as ordered
     full join (${bookedOfOrders}) as booked
       on booked.wallet_id = ordered.wallet_id and booked.order_id = ordered.id
     cross join lateral (
       select case ordered.kind when 'collection' then booked.credited else booked.debited end as cents,
         case ordered.kind when 'collection' then booked.debited else booked.credited end as cents_back
     ) as went
     where not coalesce(
       case
          -- Entries may confirm it later.
         when ${isSettledSql('ordered')} then coalesce(went.cents, ordered.amount) = ordered.amount
           and (went.cents_back is null or answer = 'returned' and went.cents_back = ordered.amount)
         when ordered.id is not null and answer is null then went.cents is null and went.cents_back is null
         when answer = 'paid' then went.cents = ordered.amount and went.cents_back is null
         when went.cents is null and went.cents_back is null then exists (
           select from bank_reports where kind = 'status' and imported_at = ordered.answered_at
         )
         when answer = 'returned' then coalesce(went.cents, ordered.amount) = ordered.amount
           and went.cents_back = ordered.amount
       end,
       false
     )`,
  ),
  auditCheck(
    'files_of_the_bank_keep_their_entries',
    'bank_reports',
    `select file_name as subject,
       'had ' || bank_reports.entries || ' entries of ' || bank_reports.credited || ' cents in and '
         || bank_reports.debited || ' out, has ' || coalesce(kept.entries, 0) || ' of ' || coalesce(kept.credited, 0)
         || ' and ' || coalesce(kept.debited, 0) || case
           when bank_reports.digest <> coalesce(kept.digest, '') then ', which do not say what they did' else ''
         end as detail
     from bank_reports
     left join (${entriesOfReportsSql()}) as kept on kept.report_id = bank_reports.id
      -- Older files have no digest.
     where bank_reports.entries is not null
       and (bank_reports.entries, bank_reports.credited, bank_reports.debited, bank_reports.digest)
         is distinct from (
           coalesce(kept.entries, 0), coalesce(kept.credited, 0), coalesce(kept.debited, 0),
           case when bank_reports.digest is not null then coalesce(kept.digest, '') end
         )`,
  ),
]
