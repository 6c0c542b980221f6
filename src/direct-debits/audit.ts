// Proves debits: each agrees with its operation, and is among the bank's orders.
import { type AuditCheck, auditCheck } from '../storage/index.ts'

export const directDebitChecks: readonly AuditCheck[] = [
  auditCheck(
    'debits_agree_with_their_operation',
    'direct_debits',
    `select direct_debits.id::text as subject,
       direct_debits.state || ' over ' || direct_debits.amount || ' cents, but its operation is '
         || coalesce(operations.status || ' over ' || operations.amount, 'missing') as detail
     from direct_debits
     left join operations on operations.wallet_id = direct_debits.wallet_id
       and operations.id = direct_debits.operation_id
     where (operations.attempt_id, operations.amount) is distinct from (direct_debits.id, direct_debits.amount)
       or case direct_debits.state
         when 'PAID' then operations.status <> 'COMPLETED'
         when 'RETURNED' then operations.status not in ('COMPLETED', 'FAIL')
           or (operations.status = 'COMPLETED' and operations.refunded < operations.amount)
         else operations.status not in ('PENDING', 'COMPLETED', 'FAIL')
       end`,
  ),
  auditCheck(
    'sepa_payments_have_a_debit_and_an_order',
    'operations',
    `select operations.id::text as subject, operations.status || ' without a debit among the orders' as detail
     from operations
     where operations.type = 'PAYMENT' and operations.method = 'SEPA'
       and (operations.status = 'COMPLETED' or operations.under_approval)
       and not exists (
         select 1 from direct_debits
         join bank_orders on bank_orders.wallet_id = direct_debits.wallet_id and bank_orders.id = direct_debits.id
         where direct_debits.wallet_id = operations.wallet_id and direct_debits.id = operations.attempt_id
           and bank_orders.amount = operations.amount
       )`,
  ),
]
