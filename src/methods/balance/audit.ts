// Audit of payments from balances: the consumer was debited and had agreed.
import { bookedSql } from '../../ledger/index.ts'
import { type AuditCheck, auditCheck } from '../../storage/index.ts'

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
    'balances_paid_for_what_they_allowed',
    'operations',
    `select operations.id::text as subject,
       'subscription ' || subscriptions.id || ' is charged to consumer ' || coalesce(subscriptions.consumer_id::text, 'none')
         || ', paid by ' || coalesce(balance_payments.consumer_id::text, 'none') as detail
     from operations
     join subscriptions on subscriptions.wallet_id = operations.wallet_id
       and subscriptions.id = operations.subscription_id
     left join balance_payments on balance_payments.wallet_id = operations.wallet_id
       and balance_payments.operation_id = operations.id and balance_payments.failure is null
     where operations.type = 'PAYMENT' and operations.status = 'COMPLETED'
       and (operations.method = 'WALLET' or balance_payments.id is not null)
       and (
         balance_payments.consumer_id is distinct from subscriptions.consumer_id
         or balance_payments.amount <> operations.amount
         or operations.method <> 'WALLET'
       )`,
  ),
]
