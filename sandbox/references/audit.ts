// Audit check of the reference network's accepted payments.
import { type AuditCheck, auditCheck } from '../../src/storage/index.ts'

export const referenceNetworkChecks: readonly AuditCheck[] = [
  auditCheck(
    'accepted_payments_of_the_network_are_booked',
    'sandbox.reference_payments',
    `select sandbox.reference_payments.id::text as subject,
       'accepted, but the operation is ' || coalesce(operations.status || ' with ' || operations.amount, 'missing')
         as detail
     from sandbox.reference_payments
     left join operations on operations.id = sandbox.reference_payments.operation_id
     where sandbox.reference_payments.state = 'ACCEPTED'
       and (operations.status, operations.amount, operations.mb_ref) is distinct from
         ('COMPLETED', sandbox.reference_payments.amount, sandbox.reference_payments.ref)`,
  ),
]
