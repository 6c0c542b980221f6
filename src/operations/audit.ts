// Proves operations against the books: one journal per settled movement, totals within bounds.
import { type AuditCheck, auditCheck } from '../storage/index.ts'

/** Types whose completion books a journal; a hold is the issuer's money, a release gives it back. */
const bookedTypes = `('PAYMENT', 'CAPTURE', 'REFUND', 'USERTRANSFER', 'WALLETFUNDS')`

export const operationChecks: readonly AuditCheck[] = [
  auditCheck(
    'settled_operations_have_one_journal',
    'operations',
    `select operations.id::text as subject, 'completed without a journal' as detail
     from operations
     where status = 'COMPLETED' and type in ${bookedTypes}
       and not exists (
         select 1 from journals
         where journals.wallet_id = operations.wallet_id and journals.operation_id = operations.id
           and journals.purpose = 'settle'
       )`,
  ),
  auditCheck(
    'journals_have_settled_operations',
    'journals',
    `select journals.id::text as subject, 'journal of an operation that did not complete' as detail
     from journals
     where not exists (
       select 1 from operations
       where operations.wallet_id = journals.wallet_id and operations.id = journals.operation_id
         and operations.status = 'COMPLETED'
     )`,
  ),
  auditCheck(
    'merchants_got_the_net_amount',
    'operations',
    `select operations.id::text as subject,
       'booked ' || sum(entries.amount) || ' cents to wallets instead of ' || (operations.amount + operations.fee)
         as detail
     from operations
     join journals on journals.wallet_id = operations.wallet_id and journals.operation_id = operations.id
     join entries on entries.wallet_id = journals.wallet_id and entries.journal_id = journals.id
     join accounts on accounts.id = entries.account_id and accounts.wallet_id <> 0
     where operations.type in ('PAYMENT', 'CAPTURE') and journals.purpose = 'settle'
     group by operations.wallet_id, operations.id, operations.amount, operations.fee
     having sum(entries.amount) <> operations.amount + operations.fee`,
  ),
  auditCheck(
    'settled_operations_have_one_event',
    'operations',
    `select operations.id::text as subject, 'completed, with ' || count(events.id) || ' events of it' as detail
     from operations
     left join events on events.wallet_id = operations.wallet_id and events.subject = operations.id
       and events.event = 'COMPLETED'
     where operations.status = 'COMPLETED' and operations.type in ('PAYMENT', 'AUTH')
       and exists (select 1 from wallets where wallets.id = operations.wallet_id and wallets.kind = 'merchant')
     group by operations.wallet_id, operations.id
     having count(events.id) <> 1`,
  ),
  auditCheck(
    'refunds_within_payments',
    'operations',
    `select id::text as subject, 'refunded ' || refunded || ' of ' || amount || ' cents' as detail
     from operations where amount > 0 and refunded > amount`,
  ),
]
