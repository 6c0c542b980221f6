// Audit of debits: they agree with operations and bank orders.
import { type AuditCheck, auditCheck } from '../../storage/index.ts'

export const sepaDebitChecks: readonly AuditCheck[] = [
  auditCheck(
    'debits_agree_with_their_operation',
    'attempts',
    `select attempts.id::text as subject,
       attempts.state || ' over ' || attempts.amount || ' cents, but its operation is '
         || coalesce(operations.status || ' over ' || operations.amount, 'missing') as detail
     from attempts
     left join operations on operations.wallet_id = attempts.wallet_id
       and operations.id = attempts.operation_id
     where attempts.method = 'SEPA' and attempts.owner is not null and (
       (operations.attempt_id, operations.amount) is distinct from (attempts.id, attempts.amount)
       or case attempts.state
         when 'APPROVED' then operations.status <> 'COMPLETED'
         when 'RETURNED' then operations.status <> 'COMPLETED'
         when 'DECLINED' then operations.status <> 'FAIL'
         else operations.status not in ('PENDING', 'COMPLETED', 'FAIL')
       end
     )`,
  ),
  auditCheck(
    'returned_debits_are_withdrawn',
    'attempts',
    `select attempts.id::text as subject,
       'came back over ' || attempts.amount || ' cents, of which refunds and withdrawals took ' || taken.amount
         || ', of that under the return ' || under.amount
         || ', and the operator was told of ' || attempts.amount - withdrawn.amount as detail
     from attempts
     cross join lateral (
       -- The operator has been informed of an amount that a refund had sent before.
       select coalesce(min(amount), attempts.amount) as amount from bank_entries
       where bank_entries.wallet_id = attempts.wallet_id and bank_entries.order_id = attempts.id
         and bank_entries.direction = 'debit'
     ) as withdrawn
     cross join lateral (
       select coalesce(sum(-refund.amount - back.amount), 0) as amount
       from operations as refund
       cross join lateral (
         -- An amount that came back later was not withdrawn.
         select coalesce(sum(amount), 0) as amount from operations
         where wallet_id = refund.wallet_id and parent_id = refund.id and type = 'REFUND'
           and created_at <= attempts.ended_at
       ) as back
       where refund.wallet_id = attempts.wallet_id and refund.parent_id = attempts.operation_id
         and refund.type = 'REFUND' and refund.status in ('NEW', 'PENDING', 'COMPLETED')
     ) as taken
     cross join lateral (
       -- Withdrawals of the return, and refunds that count for it.
       select coalesce(-sum(amount), 0) as amount from operations
       where wallet_id = attempts.wallet_id and parent_id = attempts.operation_id and type = 'REFUND'
         and rail_payment_id is not null and channel <> 'RAIL' and status in ('NEW', 'PENDING', 'COMPLETED')
     ) as under
     where attempts.method = 'SEPA' and attempts.owner is not null and attempts.state = 'RETURNED' and (
       -- While it is due, its refunds are not decided.
       attempts.due_at is null and taken.amount < withdrawn.amount or under.amount > withdrawn.amount
     )`,
  ),
  auditCheck(
    'sepa_payments_have_a_debit_and_an_order',
    'operations',
    `select operations.id::text as subject, operations.status || ' without a debit where it is to be collected' as detail
     from operations
     where operations.type = 'PAYMENT' and operations.method = 'SEPA'
       and (operations.status = 'COMPLETED' or operations.under_approval)
       and not exists (
         select 1 from attempts
         left join bank_orders on bank_orders.wallet_id = attempts.wallet_id and bank_orders.id = attempts.id
         where attempts.wallet_id = operations.wallet_id and attempts.id = operations.attempt_id
           -- A provider’s collection must not be an order for the bank.
           and case
             when attempts.details ->> 'agent' is null then bank_orders.amount = operations.amount
             else bank_orders.id is null
           end
       )`,
  ),
]
