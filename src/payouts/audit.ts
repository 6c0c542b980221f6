// Audit: each payout has its booking and bank order, and is returned at most once.
import { bookedSql } from '../ledger/index.ts'
import { bankChannel } from '../operations/for-movements.ts'
import { type AuditCheck, auditCheck } from '../storage/index.ts'

export const payoutChecks: readonly AuditCheck[] = [
  auditCheck(
    'payouts_go_to_an_iban_of_their_wallet',
    'bank_orders',
    `select bank_orders.id::text as subject,
       'goes to ' || bank_orders.party_iban || ', which wallet ' || bank_orders.wallet_id || ' has never had' as detail
     from bank_orders
     join operations on operations.wallet_id = bank_orders.wallet_id and operations.id = bank_orders.id
       and operations.type = 'WALLETFUNDS'
     where not exists (
       select from wallet_ibans
       where wallet_ibans.wallet_id = bank_orders.wallet_id and wallet_ibans.iban = bank_orders.party_iban
     )`,
  ),
  auditCheck(
    'refunds_by_transfer_go_back_to_the_debtor',
    'bank_orders',
    `select bank_orders.id::text as subject,
       'goes to ' || bank_orders.party_iban || ', the debit was collected from ' || collection.party_iban as detail
     from bank_orders
     join bank_orders as collection on collection.wallet_id = bank_orders.wallet_id
       and collection.id = bank_orders.refund_of and collection.kind = 'collection'
     where bank_orders.party_iban <> collection.party_iban`,
  ),
  auditCheck(
    'payouts_left_the_wallet_and_have_an_order',
    'operations',
    `select operations.id::text as subject,
       operations.status || ' over ' || operations.amount || ' cents, booked ' || booked.total || ', ordered '
         || coalesce(bank_orders.amount, 0) as detail
     from operations
     left join bank_orders on bank_orders.wallet_id = operations.wallet_id and bank_orders.id = operations.id
     cross join lateral (
       select coalesce(sum(posted.amount), 0) as total
       from (${bookedSql('operations.wallet_id', 'operations.id')}) as posted
       where posted.wallet_id = operations.wallet_id
     ) as booked
     where operations.type = 'WALLETFUNDS' and operations.parent_id is null
       and (
         bank_orders.amount is distinct from -operations.amount
         or booked.total <> case operations.status when 'COMPLETED' then operations.amount else 0 end
       )`,
  ),
  auditCheck(
    'transfers_that_came_back_are_given_back',
    'bank_orders',
    `select bank_orders.id::text as subject,
       operations.type || ' of ' || operations.amount || ' cents came back, given back ' || coalesce(back.amount, 0) as detail
     from bank_orders
     join operations on operations.wallet_id = bank_orders.wallet_id and operations.id = bank_orders.id
       and operations.status = 'COMPLETED'
     left join operations as back on back.wallet_id = operations.wallet_id and back.parent_id = operations.id
       and back.type = operations.type and back.channel = '${bankChannel}'
     where bank_orders.kind = 'transfer' and bank_orders.answer = 'returned' and bank_orders.due_at is null
       and back.amount is distinct from -operations.amount`,
  ),
  auditCheck(
    'what_came_back_was_sent',
    'operations',
    `select back.id::text as subject,
       back.type || ' of ' || back.amount || ' cents by ' || back.channel || ', of '
         || coalesce(sent.type || ' of ' || sent.amount || ', ' || sent.status, 'nothing') || ', ordered '
         || coalesce(ordered.amount || ' and ' || coalesce(ordered.answer, 'not answered'), 'nothing') || ', of '
         || among.backs as detail
     from operations as back
     left join operations as sent on sent.wallet_id = back.wallet_id and sent.id = back.parent_id
     left join bank_orders as ordered on ordered.wallet_id = sent.wallet_id and ordered.id = sent.id
     cross join lateral (
       select count(*) as backs from operations
       where operations.wallet_id = back.wallet_id and operations.parent_id = back.parent_id
         and operations.type = back.type
     ) as among
     where back.type in ('WALLETFUNDS', 'REFUND') and back.amount > 0 and not coalesce(
       (sent.type, sent.status) = (back.type, 'COMPLETED') and back.amount <= -sent.amount and among.backs = 1
         -- A report without a request does not name the order.
         and (back.channel = 'RAIL' and back.type = 'REFUND' or coalesce(ordered.answer, 'returned') = 'returned'),
       false
     )`,
  ),
]
