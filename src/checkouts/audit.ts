// Proves checkouts: each has its operation, and an open one a moment at which it ends.
import { type AuditCheck, auditCheck } from '../storage/index.ts'

export const checkoutChecks: readonly AuditCheck[] = [
  auditCheck(
    'checkouts_have_operations',
    'checkouts',
    `select checkouts.id::text as subject, 'checkout without its operation' as detail
     from checkouts
     where not exists (
       select 1 from operations
       where operations.wallet_id = checkouts.wallet_id and operations.id = checkouts.operation_id
         and operations.checkout_id = checkouts.id
     )`,
  ),
  auditCheck(
    'open_checkouts_end',
    'checkouts',
    `select checkouts.id::text as subject, operations.status || ' and nothing will end it' as detail
     from checkouts
     join operations on operations.wallet_id = checkouts.wallet_id and operations.id = checkouts.operation_id
     where operations.status in ('NEW', 'PENDING') and checkouts.due_at is null`,
  ),
]
