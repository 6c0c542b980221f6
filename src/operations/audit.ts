// Audit: each settled movement has its postings, and totals are within their bounds.
import { bookedSql } from '../ledger/index.ts'
import { methods } from '../methods/list.ts'
import { type AuditCheck, auditCheck, codesSql } from '../storage/index.ts'
import { payingKindSql, settleChecks } from './settle/audit.ts'
import { shareChecks } from './shares/audit.ts'

/** A hold is the issuer's money and a release returns it, so neither is posted. */
const bookedTypes = `('PAYMENT', 'CAPTURE', 'REFUND', 'USERTRANSFER', 'WALLETFUNDS')`

export const bookChecks: readonly AuditCheck[] = [
  ...settleChecks,
  ...shareChecks,
  auditCheck(
    'settled_operations_are_posted',
    'operations',
    `select operations.id::text as subject, 'completed without a posting' as detail
     from operations
     where status = 'COMPLETED' and type in ${bookedTypes}
       -- Sub-merchants' operations are booked by the divided operation.
       and not (type = 'USERTRANSFER' and channel = 'SPLIT')
       and not exists (
         select 1 from postings
         where postings.wallet_id = operations.wallet_id and postings.operation_id = operations.id
           and postings.purpose = 'settle'
       )`,
  ),
  auditCheck(
    'postings_have_settled_operations',
    'postings',
    `select distinct postings.operation_id::text as subject, 'posted for an operation that did not complete' as detail
     from postings
     -- Suspense and bank charges have their own checks.
     where postings.purpose not in ('suspense', 'charge') and not exists (
       select 1 from operations
       where operations.wallet_id = postings.wallet_id and operations.id = postings.operation_id
         and operations.status = 'COMPLETED'
     )`,
  ),
  auditCheck(
    'merchants_got_the_net_amount',
    'operations',
    `select operations.id::text as subject,
       'booked ' || booked.net || ' cents to the wallet, ' || booked.fee || ' to the fees and ' || booked.owed
         || ' to its rail, for ' || operations.amount || ' less ' || -operations.fee as detail
     from operations
     cross join lateral (
       select
         coalesce(sum(posted.amount) filter (
           where posted.wallet_id = operations.wallet_id or exists (
             select 1 from shares
             where shares.wallet_id = operations.wallet_id and shares.operation_id = operations.id
               and shares.merchant_wallet_id = posted.wallet_id
           )
         ), 0) as net,
         coalesce(sum(posted.amount) filter (where posted.wallet_id = 0 and posted.kind = 'fees'), 0) as fee,
         coalesce(sum(posted.amount) filter (
           where posted.kind = ${payingKindSql('operations.method')}
         ), 0) as owed
       from (${bookedSql('operations.wallet_id', 'operations.id')}) as posted
       where posted.purpose = 'settle'
     ) as booked
     where operations.type in ('PAYMENT', 'CAPTURE') and operations.status = 'COMPLETED'
       and (booked.net, booked.fee, booked.owed)
         is distinct from (operations.amount + operations.fee, -operations.fee, -operations.amount)`,
  ),
  auditCheck(
    'settled_operations_have_one_event',
    'operations',
    `select operations.id::text as subject, operations.status || ', with ' || count(events.id) || ' events of it' as detail
     from operations
     left join events on events.wallet_id = operations.wallet_id and events.subject = operations.id
       and events.event = operations.status
     where operations.status in ('COMPLETED', 'FAIL') and operations.type in ('PAYMENT', 'AUTH', 'CAPTURE', 'RELEASE')
       and exists (select 1 from wallets where wallets.id = operations.wallet_id and wallets.kind = 'merchant')
     group by operations.wallet_id, operations.id, operations.status
     having count(events.id) <> 1`,
  ),
  auditCheck(
    'events_tell_what_happened',
    'events',
    `select events.id::text as subject,
       'says ' || events.event || ' of an operation that is ' || coalesce(operations.status, 'missing') as detail
     from events
     left join operations on operations.wallet_id = events.wallet_id and operations.id = events.subject
     where events.kind = 'operation' and events.event in ('COMPLETED', 'FAIL', 'VOIDED')
       and operations.status is distinct from events.event`,
  ),
  auditCheck(
    'refunds_within_payments',
    'operations',
    `select operations.id::text as subject,
       'counts ' || operations.refunded || ' of ' || operations.amount || ' cents refunded and '
         || operations.came_back || ' that came back, its refunds ' || refunds.total || ' and ' || back.total as detail
     from operations
     cross join lateral (
       select coalesce(-sum(refund.amount), 0) as total
       from operations as refund
       where refund.wallet_id = operations.wallet_id and refund.parent_id = operations.id
         and refund.type = 'REFUND' and refund.status in ('NEW', 'PENDING', 'COMPLETED')
     ) as refunds
     cross join lateral (
       select coalesce(sum(back.amount), 0) as total
       from operations as refund
       join operations as back on back.wallet_id = refund.wallet_id and back.parent_id = refund.id
         and back.type = 'REFUND' and back.status in ('NEW', 'PENDING', 'COMPLETED')
       where refund.wallet_id = operations.wallet_id and refund.parent_id = operations.id and refund.type = 'REFUND'
     ) as back
     where operations.type in ('PAYMENT', 'CAPTURE') and (
       operations.refunded > operations.amount or operations.refunded <> refunds.total - operations.came_back
       or operations.came_back <> back.total
     )`,
  ),
  auditCheck(
    'what_rails_took_is_withdrawn_when_it_comes_back',
    'rail_shortfalls',
    `select rail_shortfalls.operation_id::text as subject,
       'lacks ' || missing || ' cents of what was taken, and ' || payment.id || ' has '
         || payment.amount - payment.refunded || ' left' as detail
     from rail_shortfalls
     join operations as payment on payment.wallet_id = rail_shortfalls.wallet_id
       and (payment.id = rail_shortfalls.operation_id or payment.parent_id = rail_shortfalls.operation_id)
       and payment.type in ('PAYMENT', 'CAPTURE')
     where missing > 0 and least(payment.came_back, payment.amount - payment.refunded) > 0`,
  ),
  // A returned debit is checked only if an amount is missing, because a refund may later count as a part of
  // it.
  auditCheck(
    'disputes_are_borne_or_lack_it',
    'rail_shortfalls',
    `select rail_shortfalls.operation_id::text as subject,
       'took ' || withdrawn || ' cents and gave ' || reinstated || ' again, ' || borne.total || ' are borne, '
         || missing || ' are missing' as detail
     from rail_shortfalls
     cross join lateral (
       select coalesce(-sum(withdrawal.amount + back.total), 0) as total
       from operations as payment
       join operations as withdrawal on withdrawal.wallet_id = payment.wallet_id and withdrawal.parent_id = payment.id
         and withdrawal.type = 'REFUND' and withdrawal.rail_payment_id = rail_shortfalls.report_id
       cross join lateral (
         select coalesce(sum(back.amount), 0) as total from operations as back
         where back.wallet_id = withdrawal.wallet_id and back.parent_id = withdrawal.id and back.type = 'REFUND'
       ) as back
       where payment.wallet_id = rail_shortfalls.wallet_id and payment.type in ('PAYMENT', 'CAPTURE')
         and (payment.id = rail_shortfalls.operation_id or payment.parent_id = rail_shortfalls.operation_id)
     ) as borne
     where rail_shortfalls.channel = 'RAIL'
       and (
         missing <> greatest(withdrawn - reinstated - borne.total, 0) or borne.total > withdrawn
         -- An interrupted notice is sent again.
         or (borne.total > withdrawn - reinstated and noted_at < now() - interval '1 hour')
       )`,
  ),
  auditCheck(
    'taken_of_authorizations',
    'operations',
    `select operations.id::text as subject,
       'counts ' || operations.captured || ' cents in ' || operations.captures || ' captures and '
         || operations.released || ' released of ' || operations.amount || ', its children '
         || taken.captured || ' in ' || taken.captures || ' and ' || taken.released as detail
     from operations
     cross join lateral (
       select
         coalesce(sum(child.amount) filter (where child.type = 'CAPTURE'), 0) as captured,
         count(*) filter (where child.type = 'CAPTURE') as captures,
         coalesce(sum(child.amount) filter (where child.type = 'RELEASE'), 0) as released
       from operations as child
       where child.wallet_id = operations.wallet_id and child.parent_id = operations.id
         and child.status in ('NEW', 'PENDING', 'COMPLETED')
     ) as taken
     where operations.type = 'AUTH' and (
       operations.captured + operations.released > operations.amount or operations.captures > 10
         or (operations.captured, operations.captures, operations.released)
           is distinct from (taken.captured, taken.captures, taken.released)
     )`,
  ),
  auditCheck(
    'children_have_their_parent',
    'operations',
    `select operations.id::text as subject, operations.type || ' of ' || coalesce(parent.type, 'nothing') as detail
     from operations
     left join operations as parent on parent.wallet_id = operations.wallet_id and parent.id = operations.parent_id
     where operations.type in ('CAPTURE', 'RELEASE', 'REFUND') and not coalesce(
       case
         -- A refund that a bank returned because the account does not exist.
         when operations.type = 'REFUND' and operations.amount > 0 then parent.type = 'REFUND'
         when operations.type = 'REFUND' then parent.type in ('PAYMENT', 'CAPTURE')
         else parent.type = 'AUTH'
       end
         and parent.status = 'COMPLETED',
       false
     )`,
  ),
  // The other kinds (card attempts, mandates, references and charges) have their own timers.
  auditCheck(
    'undecided_movements_are_looked_after',
    'operations',
    `with opened as (
       select movement.wallet_id, movement.id
       from opened_movements
       cross join lateral unnest(wallet_ids, operation_ids) as movement (wallet_id, id)
     )
     select operations.id::text as subject, operations.type || ' under approval, and nothing will ask its rail' as detail
     from operations
     left join attempts on attempts.wallet_id = operations.wallet_id and attempts.id = operations.id
     left join opened on opened.wallet_id = operations.wallet_id and opened.id = operations.id
     where operations.status = 'PENDING' and operations.under_approval and operations.attempt_id = operations.id
       and (operations.type in ('CAPTURE', 'RELEASE', 'REFUND', 'WALLETFUNDS')
         or (operations.method in ('CC', 'BANK') and operations.subscription_id is null))
       and (attempts.id is null or attempts.due_at is null) and opened.id is null`,
  ),
  auditCheck(
    'operations_are_counted',
    'wallets',
    `select coalesce(found.wallet_id, counted.wallet_id)::text as subject,
       'has ' || coalesce(found.operations, 0) || ' ' || coalesce(found.type, counted.type) || ', lists say '
         || coalesce(counted.operations, 0) as detail
     from (select wallet_id, type, count(*) as operations from operations group by wallet_id, type) as found
     full join (
       select wallet_id, type, sum(operations) as operations from operation_counts group by wallet_id, type
     ) as counted using (wallet_id, type)
     where found.operations is distinct from counted.operations`,
  ),
  auditCheck(
    'methods_are_known',
    'operations',
    `select subject, 'has the method ' || method || ', which this gateway does not know' as detail
     from (
       select 'operation ' || id as subject, method from operations
       union all select 'attempt ' || id, method from attempts
       union all select 'subscription ' || id, method from subscriptions
       union all select 'entry in suspense ' || id, method from suspense_entries
       union all select 'wallet ' || id, unnest(methods || methods_off || subscription_methods) from wallets
     ) as named
     where method <> all (${codesSql(methods)})`,
  ),
]

export const attemptChecks: readonly AuditCheck[] = [
  auditCheck(
    'late_approvals_are_reversed',
    'attempts',
    `select id::text as subject,
       method || ' approved it for operation ' || operation_id || ', which ended otherwise, and has not reversed it yet'
         as detail
     from attempts where state = 'TO_REVERSE'`,
  ),
]

export const limitChecks: readonly AuditCheck[] = [
  auditCheck(
    'days_of_limits_count_their_payments',
    'limit_days',
    `select uses.wallet_id || '/' || uses.day as subject,
       'counts ' || coalesce(limit_days.taken, 0) || ' cents, its payments are ' || uses.total as detail
     from (
       select wallet_id, day, sum(amount) as total from limit_uses group by wallet_id, day
     ) as uses
     left join limit_days on limit_days.wallet_id = uses.wallet_id and limit_days.day = uses.day
     where coalesce(limit_days.taken, 0) < uses.total`,
  ),
]
