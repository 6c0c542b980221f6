// Proves payments from balances: who paid was debited.
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
]
