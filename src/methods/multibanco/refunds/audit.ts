// Audit of refunds to a bank account.
import { reportedChannels } from '../../../operations/index.ts'
import { type AuditCheck, auditCheck, codesSql } from '../../../storage/index.ts'

export const accountRefundChecks: readonly AuditCheck[] = [
  auditCheck(
    'refunds_of_references_go_to_a_named_account',
    'operations',
    `select operations.id::text as subject,
       operations.status || ' over ' || -operations.amount || ' cents, its account '
         || case
           when account_refunds.id is null then 'is unknown'
           when account_refunds.named_at is null then 'was not named'
           else 'was named'
         end
         || ', ordered ' || coalesce(bank_orders.amount || ' cents for ' || bank_orders.due_on, 'nothing') as detail
     from operations
     left join account_refunds on account_refunds.id = operations.id
       and account_refunds.wallet_id = operations.wallet_id
     left join bank_orders on bank_orders.wallet_id = operations.wallet_id and bank_orders.id = operations.id
     where operations.type = 'REFUND' and operations.method = 'MB' and operations.amount < 0
       and operations.channel <> all (${codesSql(reportedChannels)})
       and not coalesce(
         case
           when account_refunds.named_at is null then bank_orders.id is null and operations.status in ('PENDING', 'FAIL')
           else (bank_orders.amount, bank_orders.refund_of) = (-operations.amount, operations.parent_id)
             and bank_orders.due_on > account_refunds.send_on
         end,
         false
       )`,
  ),
  // The network pays a reference on the next bank day.
  auditCheck(
    'refunds_of_references_wait_for_their_money',
    'account_refunds',
    `select account_refunds.id::text as subject,
       'is sent on ' || account_refunds.send_on || ', paid on '
         || (payment.settled_at at time zone 'Europe/Lisbon')::date as detail
     from account_refunds
     join operations as refund on refund.wallet_id = account_refunds.wallet_id and refund.id = account_refunds.id
     join operations as payment on payment.wallet_id = refund.wallet_id and payment.id = refund.parent_id
     where account_refunds.send_on <= (payment.settled_at at time zone 'Europe/Lisbon')::date`,
  ),
  auditCheck(
    'accounts_of_refunds_have_a_refund',
    'account_refunds',
    `select account_refunds.id::text as subject, 'of ' || coalesce(operations.type, 'nothing') as detail
     from account_refunds
     left join operations on operations.wallet_id = account_refunds.wallet_id and operations.id = account_refunds.id
     where (operations.type, operations.method) is distinct from ('REFUND', 'MB')`,
  ),
]
