// Checks of orders settled by hand.
import { type AuditCheck, auditCheck } from '../../storage/index.ts'
import { isGivenSql } from './model.ts'

/** SQL condition: the order got its answer by hand. `order` is its table or alias. */
export function isSettledSql(order: string): string {
  return `exists (
    select from bank_settlements as settled
    where settled.wallet_id = ${order}.wallet_id and settled.order_id = ${order}.id and settled.answer = ${order}.answer
      and ${isGivenSql('settled')}
  )`
}

export const byHandChecks: readonly AuditCheck[] = [
  auditCheck(
    'answers_by_hand_are_those_of_their_orders',
    'bank_settlements',
    `select settled.order_id::text as subject,
       'was settled as ' || settled.answer || ' over ' || settled.amount || ' cents by ' || settled.settled_by
         || ', and is ' || coalesce(ordered.kind || ' of ' || ordered.amount || ', ' || coalesce(ordered.answer, 'not answered'),
           'missing') as detail
     from bank_settlements as settled
     left join bank_orders as ordered on ordered.wallet_id = settled.wallet_id and ordered.id = settled.order_id
     left join bank_files on bank_files.id = ordered.file_id and bank_files.written_at is not null
     where ${isGivenSql('settled')} and not coalesce(
       bank_files.id is not null and settled.amount <= ordered.amount
         and (settled.amount = ordered.amount or (settled.answer, ordered.kind) = ('returned', 'collection'))
         and (ordered.answer = settled.answer or ordered.answer = 'returned'),
       false
     )`,
  ),
  auditCheck(
    'answers_by_hand_say_who_and_why',
    'bank_settlements',
    `select order_id::text as subject,
       'was settled by ' || settled_by || coalesce(' and ' || approved_by, ' alone') || ', because: ' || reason as detail
     from bank_settlements
     where btrim(reason) = '' or btrim(settled_by) = '' or approved_by = settled_by
       or (approved_by is not null and not needs_second)`,
  ),
]
