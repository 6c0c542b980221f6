// Proves balances: who paid from one was debited, each transfer and payout is booked and ordered, and goes where it may.
import { bookedSql } from '../ledger/index.ts'
import { type AuditCheck, auditCheck } from '../storage/index.ts'
import { lisbonDaySql } from './statement/movements-sql.ts'

export const balanceChecks: readonly AuditCheck[] = [
  auditCheck(
    'balance_payments_debited_their_consumer',
    'balance_payments',
    `select balance_payments.id::text as subject,
       'paid ' || balance_payments.amount || ' cents, booked ' || coalesce(booked.total, 0) as detail
     from balance_payments
     cross join lateral (
       select -sum(posted.amount) as total
       from (${bookedSql('balance_payments.wallet_id', 'balance_payments.operation_id')}) as posted
       where posted.purpose = 'settle' and posted.kind = 'consumer'
         and posted.wallet_id = balance_payments.consumer_id
     ) as booked
     where balance_payments.failure is null and booked.total is distinct from balance_payments.amount`,
  ),
  auditCheck(
    'transfers_topped_up_their_wallet',
    'incoming_transfers',
    `select incoming_transfers.id::text as subject,
       'put to wallet ' || incoming_transfers.wallet_id || ' with ' || incoming_transfers.amount
         || ' cents, its operation is ' || coalesce(operations.status || ' over ' || operations.amount, 'missing') as detail
     from incoming_transfers
     left join operations on operations.wallet_id = incoming_transfers.wallet_id
       and operations.id = incoming_transfers.operation_id
     where incoming_transfers.wallet_id is not null
       and (
         (operations.type, operations.method, operations.amount)
           is distinct from ('PAYMENT', 'BANK', incoming_transfers.amount)
         or operations.status not in ('PENDING', 'COMPLETED')
       )`,
  ),
  // What the sandbox gives a consumer who is made came by no transfer.
  auditCheck(
    'payments_by_transfer_have_their_transfer',
    'operations',
    `select operations.id::text as subject, 'of ' || operations.amount || ' cents, and no transfer arrived' as detail
     from operations
     join wallets on wallets.id = operations.wallet_id
     where operations.type = 'PAYMENT' and operations.method = 'BANK'
       and not (
         wallets.kind = 'consumer' and operations.attempt_id is null and to_regnamespace('sandbox') is not null
       )
       and not exists (
         select from incoming_transfers
         where incoming_transfers.wallet_id = operations.wallet_id
           and incoming_transfers.operation_id = operations.id
       )`,
  ),
  auditCheck(
    'transfers_of_the_bank_have_arrived',
    'bank_entries',
    `select bank_entries.id::text as subject,
       'was imported with ' || bank_entries.amount || ' ' || bank_entries.currency || ' of '
         || coalesce(bank_entries.party_iban, 'nobody') || ', arrived '
         || coalesce(incoming_transfers.amount || ' ' || incoming_transfers.currency || ' of '
           || coalesce(incoming_transfers.iban, 'nobody'), 'nothing') as detail
     from bank_entries
     left join incoming_transfers on incoming_transfers.id = bank_entries.id
     where bank_entries.state = 'TRANSFER' and bank_entries.due_at is null
       and (incoming_transfers.amount, incoming_transfers.currency, incoming_transfers.iban)
         is distinct from (bank_entries.amount, bank_entries.currency, bank_entries.party_iban)`,
  ),
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
       and back.type = operations.type and back.channel = 'BANK'
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
         -- A bank that answers by itself says nothing of the order.
         and (back.channel = 'RAIL' and back.type = 'REFUND' or coalesce(ordered.answer, 'returned') = 'returned'),
       false
     )`,
  ),
  // A fee is no part of it: what it took of a day, it added to its gross.
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
