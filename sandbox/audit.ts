// Audit checks that compare the sandbox's books with the gateway's.
import { type AuditCheck, auditCheck } from '../src/storage/index.ts'

interface Books {
  /** The name in messages of checks: `acquirer` or `phone network`. */
  readonly rail: string
  readonly name: string
  readonly method: 'CC' | 'MBWAY'
  /** SQL of approved payments and holds, with `key`, `amount` and the `type` of the operation. */
  readonly payments: { readonly table: string; readonly approved: string }
  /** SQL of captures, releases and refunds. `original` is the key of their payment. */
  readonly movements: { readonly table: string; readonly approved: string }
}

const books: readonly Books[] = [
  {
    rail: 'acquirer',
    name: 'acquirer',
    method: 'CC',
    payments: {
      table: 'sandbox.authorizations',
      approved: `
        select key, amount, case intent when 'hold' then 'AUTH' else 'PAYMENT' end as type
        from sandbox.authorizations where decline is null and reversed_by is null`,
    },
    movements: {
      table: 'sandbox.follow_ups',
      approved: `
        select key, amount, upper(kind) as type, original
        from sandbox.follow_ups where decline is null and reversed_by is null`,
    },
  },
  {
    rail: 'phone network',
    name: 'phone',
    method: 'MBWAY',
    payments: {
      table: 'sandbox.phone_requests',
      approved: `
        select key, amount, case kind when 'authorization' then 'AUTH' else 'PAYMENT' end as type
        from sandbox.phone_requests
        where state = 'approved' and kind in ('payment', 'authorization') and reversed_by is null`,
    },
    movements: {
      table: 'sandbox.phone_follow_ups',
      approved: `
        select key, amount, upper(kind) as type, payment as original
        from sandbox.phone_follow_ups where reference is not null and reversed_by is null`,
    },
  },
]

/** The operation is completed, or it waits for an answer of the rail. */
const isOurs = `(operations.status = 'COMPLETED' or (operations.status = 'PENDING' and operations.under_approval))`

function checksOf({ rail, name, method, payments, movements }: Books): AuditCheck[] {
  return [
    auditCheck(
      `payments_of_the_${name}_are_ours`,
      payments.table,
      `select approved.key::text as subject,
         'the ${rail} approved ' || approved.amount || ' cents (' || approved.type
           || '), which no operation completed by and nobody reversed' as detail
       from (${payments.approved}) as approved
       where not exists (
         select 1 from operations
         where operations.attempt_id = approved.key and operations.method = '${method}'
           and operations.type = approved.type and operations.amount = approved.amount and ${isOurs}
       )`,
    ),
    auditCheck(
      `movements_of_the_${name}_are_ours`,
      movements.table,
      `select approved.key::text as subject,
         'the ${rail} approved a ' || approved.type || ' of ' || approved.amount
           || ' cents, which no operation completed by and nobody reversed' as detail
       from (${movements.approved}) as approved
       where not exists (
         select 1 from operations
         where operations.id = approved.key and operations.method = '${method}'
           and operations.type = approved.type and abs(operations.amount) = approved.amount and ${isOurs}
       )
       -- The gateway releases an expired authorization without an operation.
       and not (approved.type = 'RELEASE' and exists (
         select 1 from operations
         where operations.attempt_id = approved.original and operations.type = 'AUTH'
           and operations.lapsed_at is not null
       ))`,
    ),
    auditCheck(
      `completed_operations_are_approved_by_the_${name}`,
      'operations',
      `select operations.id::text as subject,
         operations.type || ' completed over ' || abs(operations.amount) || ' cents, which the ${rail} '
           || 'did not approve, or has reversed' as detail
       from operations
       where operations.status = 'COMPLETED' and operations.method = '${method}' and case
         when operations.type in ('PAYMENT', 'AUTH') then not exists (
           select 1 from (${payments.approved}) as approved
           where approved.key = operations.attempt_id and approved.type = operations.type
             and approved.amount = operations.amount
         )
         when operations.type in ('CAPTURE', 'RELEASE', 'REFUND') then not exists (
           select 1 from (${movements.approved}) as approved
           where approved.key = operations.id and approved.type = operations.type
             and approved.amount = abs(operations.amount)
         )
         else false
       end`,
    ),
  ]
}

/** Reversals by the online wallet, less amounts that it gave back, must equal the clawbacks. */
const reversalChecks: readonly AuditCheck[] = [
  auditCheck(
    'reversals_of_the_online_wallet_are_withdrawn',
    'sandbox.wallet_reversals',
    `select operations.id::text as subject,
       'the online wallet took back ' || coalesce(reversed.amount, 0) || ' cents, of which '
         || withdrawn.amount || ' were withdrawn' as detail
     from operations
     left join lateral (
       select case state when 'taken' then amount else 0 end as amount, due_at from sandbox.wallet_reversals
       where wallet_reversals.key = operations.attempt_id
     ) as reversed on true
     cross join lateral (
       select coalesce(sum(-withdrawal.amount - back.amount), 0) as amount
       from operations as withdrawal
       cross join lateral (
         select coalesce(sum(amount), 0) as amount from operations
         where wallet_id = withdrawal.wallet_id and parent_id = withdrawal.id and type = 'REFUND'
           and status in ('NEW', 'PENDING', 'COMPLETED')
       ) as back
       where withdrawal.wallet_id = operations.wallet_id and withdrawal.parent_id = operations.id
         and withdrawal.type = 'REFUND' and withdrawal.channel = 'RAIL'
         and withdrawal.status in ('NEW', 'PENDING', 'COMPLETED')
     ) as withdrawn
     where operations.type = 'PAYMENT' and operations.method = 'PAYPAL' and operations.status = 'COMPLETED'
       and withdrawn.amount <> coalesce(reversed.amount, 0)
       and reversed.due_at is null`,
  ),
]

const mandateChecks: readonly AuditCheck[] = [
  auditCheck(
    'limits_of_mandates_count_what_the_phone_approved_by_them',
    'sandbox.phone_requests',
    `select operations.id::text as subject,
       case when reservation.id is null then 'approved by a mandate whose limit does not count it'
         else 'approved by its customer, and counted to the limit of a mandate' end as detail
     from sandbox.phone_requests as request
     join operations on operations.attempt_id = request.key and operations.method = 'MBWAY'
       and operations.type in ('PAYMENT', 'AUTH') and operations.status = 'COMPLETED'
     left join mandate_reservations as reservation on reservation.wallet_id = operations.wallet_id
       and reservation.id = request.key
     where request.state = 'approved' and request.reversed_by is null
       and (request.by_mandate is null) <> (reservation.id is null)`,
  ),
]

/** These checks work in the sandbox only, because real rails report in statements. */
export const railBooksChecks: readonly AuditCheck[] = [
  ...books.flatMap(checksOf),
  ...reversalChecks,
  ...mandateChecks,
]
