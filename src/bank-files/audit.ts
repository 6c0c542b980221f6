// Proves files against their orders: what a file says it carries is what was given to it.
import { type AuditCheck, auditCheck } from '../storage/index.ts'

export const bankFileChecks: readonly AuditCheck[] = [
  auditCheck(
    'bank_files_carry_their_orders',
    'bank_files',
    `select bank_files.name as subject,
       'says ' || bank_files.orders || ' orders over ' || bank_files.total || ' cents, carries ' || carried.orders
         || ' over ' || carried.total as detail
     from bank_files
     cross join lateral (
       select count(*) as orders, coalesce(sum(amount), 0) as total from bank_orders
       where bank_orders.file_id = bank_files.id and bank_orders.kind = bank_files.kind
     ) as carried
     where (bank_files.orders, bank_files.total) is distinct from (carried.orders, carried.total)`,
  ),
]
