// Audit of references: counted once, ended, with unique numbers.
import { type AuditCheck, auditCheck } from '../../storage/index.ts'

export const referenceChecks: readonly AuditCheck[] = [
  auditCheck(
    'references_pay_their_operation',
    'bank_references',
    `select bank_references.id::text as subject, 'its operation is missing or asks another amount' as detail
     from bank_references
     left join operations on operations.wallet_id = bank_references.wallet_id
       and operations.id = bank_references.operation_id
     where bank_references.operation_id is not null
       and operations.amount is distinct from bank_references.amount_max`,
  ),
  auditCheck(
    'open_references_end',
    'bank_references',
    `select bank_references.id::text as subject, 'open, and nothing will end it' as detail
     from bank_references
     join operations on operations.wallet_id = bank_references.wallet_id
       and operations.id = bank_references.operation_id
     where operations.status = 'PENDING' and operations.attempt_id = bank_references.id
       and bank_references.due_at is null`,
  ),
  auditCheck(
    'operations_paid_by_reference_were_paid_once',
    'operations',
    `select operations.id::text as subject, 'completed by MB without a payment of the network' as detail
     from operations
     where operations.method = 'MB' and operations.status = 'COMPLETED' and operations.type = 'PAYMENT'
       and 1 <> (case when operations.rail_payment_id is null then 0 else 1 end) + (
         select count(*) from bank_reference_notices
         where bank_reference_notices.operation_id = operations.id
           and bank_reference_notices.wallet_id = operations.wallet_id
       ) + (
         select count(*) from suspense_entries
         where suspense_entries.operation_id = operations.id
           and suspense_entries.assigned_wallet_id = operations.wallet_id
       )`,
  ),
  auditCheck(
    'taken_payments_became_operations',
    'bank_reference_notices',
    `select bank_reference_notices.payment_id::text as subject,
       'took ' || bank_reference_notices.amount || ' cents, its operation says '
         || coalesce(operations.amount || ' ' || operations.status, 'nothing') as detail
     from bank_reference_notices
     left join operations on operations.wallet_id = bank_reference_notices.wallet_id
       and operations.id = bank_reference_notices.operation_id
     where bank_reference_notices.operation_id is not null
       and (operations.amount is distinct from bank_reference_notices.amount
         or operations.status not in ('PENDING', 'COMPLETED'))`,
  ),
  auditCheck(
    'references_of_an_entity_are_unique',
    'bank_references',
    `select entity || ' ' || coalesce(number::text, min(ref)) as subject,
       count(*) || ' references hold the number' as detail
     from bank_references
     where number_held
     group by entity, number, case when number is null then ref end
     having count(*) > 1`,
  ),
]
