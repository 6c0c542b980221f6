// Audit: allowances, charges and payments of subscriptions agree.
import { storedCardMethods } from '../methods/list.ts'
import { type AuditCheck, auditCheck } from '../storage/index.ts'

const byStoredCard = storedCardMethods.map((method) => `'${method}'`).join(', ')

export const subscriptionChecks: readonly AuditCheck[] = [
  auditCheck(
    'charges_within_allowance',
    'charges',
    `select subscriptions.id::text as subject,
       'cycle ' || charged.cycle || ' is charged ' || charged.total || ' cents of ' || subscriptions.amount as detail
     from subscriptions
     join (
       select wallet_id, subscription_id, cycle, sum(amount) as total
       from charges where status <> 'FAIL'
       group by wallet_id, subscription_id, cycle
     ) as charged on charged.wallet_id = subscriptions.wallet_id and charged.subscription_id = subscriptions.id
     where charged.total > subscriptions.amount and subscriptions.checkout_id is not null`,
  ),
  auditCheck(
    'allowances_count_their_charges',
    'subscriptions',
    `select subscriptions.id::text as subject,
       'counts ' || subscriptions.cycle_charged || ' cents in cycle ' || subscriptions.cycle || ', its charges '
         || charged.total as detail
     from subscriptions
     cross join lateral (
       select coalesce(sum(amount) filter (where cycle = subscriptions.cycle and status <> 'FAIL'), 0) as total,
         coalesce(max(cycle), 0) as latest
       from charges
       where charges.wallet_id = subscriptions.wallet_id and charges.subscription_id = subscriptions.id
     ) as charged
     where charged.total <> subscriptions.cycle_charged or charged.latest > subscriptions.cycle`,
  ),
  auditCheck(
    'charges_ended_with_their_payments',
    'charges',
    `select charges.id::text as subject,
       charges.status || ', but its payment is ' || coalesce(operations.status, 'missing') as detail
     from charges
     left join operations on operations.wallet_id = charges.wallet_id and operations.id = charges.operation_id
     where charges.opened and (charges.status, coalesce(operations.status, '')) not in (
       ('PROCESSING', 'PENDING'), ('SUCCESS', 'COMPLETED'), ('FAIL', 'FAIL')
     ) or (not charges.opened and operations.id is not null)
     or operations.amount <> charges.amount`,
  ),
  auditCheck(
    'payments_of_subscriptions_belong',
    'operations',
    `select operations.id::text as subject, 'names subscription ' || operations.subscription_id || ', which knows it not' as detail
     from operations
     where operations.subscription_id is not null
       and not exists (
         select 1 from charges
         where charges.wallet_id = operations.wallet_id and charges.operation_id = operations.id
           and charges.subscription_id = operations.subscription_id
       )
       and not exists (
         select 1 from subscriptions
         where subscriptions.wallet_id = operations.wallet_id and subscriptions.id = operations.subscription_id
           and subscriptions.operation_id = operations.id
       )`,
  ),
  auditCheck(
    'subscriptions_accepted_with_their_payment',
    'subscriptions',
    `select subscriptions.id::text as subject,
       subscriptions.status || ', but its payment is ' || coalesce(operations.status, 'missing') as detail
     from subscriptions
     left join operations
       on operations.wallet_id = subscriptions.wallet_id and operations.id = subscriptions.operation_id
     where subscriptions.operation_id is not null and not coalesce(
       case
         when subscriptions.status = 'NEW' then operations.status in ('NEW', 'PENDING')
         when subscriptions.status = 'FAILED' then operations.status = 'FAIL'
         when subscriptions.status = 'VOIDED' then operations.status in ('VOIDED', 'COMPLETED')
         else operations.status = 'COMPLETED'
       end,
       false
     )`,
  ),
  auditCheck(
    'acceptances_agree_with_their_attempt',
    'subscriptions',
    `select attempts.id::text as subject,
       'approved, but its subscription is ' || coalesce(subscriptions.status, 'missing') as detail
     from attempts
     left join subscriptions
       on subscriptions.wallet_id = attempts.wallet_id and subscriptions.id = attempts.operation_id
     where attempts.owner = 'subscription' and attempts.state = 'APPROVED'
       and (
         coalesce(subscriptions.status, 'NEW') in ('NEW', 'FAILED')
         or subscriptions.attempt_id is distinct from attempts.id
       )`,
  ),
  auditCheck(
    'ended_charges_have_one_event',
    'charges',
    `select charges.id::text as subject, charges.status || ', with ' || count(events.id) || ' events of it' as detail
     from charges
     left join events on events.wallet_id = charges.wallet_id and events.subject = charges.id
       and events.event = charges.status
     where charges.status in ('SUCCESS', 'FAIL')
     group by charges.wallet_id, charges.id, charges.status
     having count(events.id) <> 1`,
  ),
  auditCheck(
    'subscription_events_tell_what_happened',
    'subscriptions',
    `select subscriptions.id::text as subject, subscriptions.status || ', without an event' as detail
     from subscriptions
     where status in ('APPROVED', 'FAILED', 'EXPIRED', 'CANCELED')
       and not exists (
         select 1 from events
         where events.wallet_id = subscriptions.wallet_id and events.subject = subscriptions.id
           and events.event = case subscriptions.status when 'EXPIRED' then 'APPROVED' else subscriptions.status end
       )`,
  ),
  auditCheck(
    'subscriptions_end_with_their_last_day',
    'subscriptions',
    `select id::text as subject, 'ends at ' || ends_at || ', its last day is ' || end_date as detail
     from subscriptions
     where ends_at <> (end_date::date + 1)::timestamp at time zone 'Europe/Lisbon'`,
  ),
  auditCheck(
    'subscriptions_have_their_card',
    'subscriptions',
    `select subscriptions.id::text as subject, 'is charged on a card that the vault never had' as detail
     from subscriptions
     left join stored_cards on stored_cards.wallet_id = subscriptions.wallet_id
       and stored_cards.token = subscriptions.card_token
     where subscriptions.status = 'APPROVED' and subscriptions.method in (${byStoredCard}) and stored_cards.token is null`,
  ),
  auditCheck(
    'cycles_are_charged_once',
    'charges',
    `select charges.subscription_id::text as subject,
       'cycle ' || charges.cycle || ' has ' || count(*) || ' automatic charges, ' || count(charged_cycles.charge_id)
         || ' with a key, ' || count(*) filter (where charges.status <> 'FAIL') || ' not failed' as detail
     from charges
     left join charged_cycles on charged_cycles.wallet_id = charges.wallet_id
       and charged_cycles.subscription_id = charges.subscription_id and charged_cycles.cycle = charges.cycle
       and charged_cycles.attempt = charges.attempt and charged_cycles.charge_id = charges.id
     where charges.attempt is not null
     group by charges.wallet_id, charges.subscription_id, charges.cycle
     having count(*) filter (where charges.status <> 'FAIL') > 1 or count(charged_cycles.charge_id) <> count(*)
       or count(distinct charges.number) > 1`,
  ),
  auditCheck(
    'automatic_charges_go_on',
    'auto_charges',
    `select auto_charges.subscription_id::text as subject,
       auto_charges.status || ', ' || coalesce(auto_charges.outcome, 'no charge') || ', but its subscription is '
         || coalesce(subscriptions.status, 'missing') || ' and its charge ' || coalesce(charges.status, 'missing')
         as detail
     from auto_charges
     left join subscriptions
       on subscriptions.wallet_id = auto_charges.wallet_id and subscriptions.id = auto_charges.subscription_id
     left join charges on charges.wallet_id = auto_charges.wallet_id and charges.id = auto_charges.charge_id
     where not coalesce(
       case auto_charges.status
         when 'NEW' then subscriptions.status = 'NEW'
         when 'ACTIVE' then subscriptions.status = 'APPROVED'
           and (auto_charges.due_at is not null or auto_charges.outcome = 'CHARGING')
         when 'PAUSED' then subscriptions.status = 'APPROVED'
         else true
       end and subscriptions.auto_charged and case auto_charges.outcome
         when 'CHARGING' then charges.status in ('NEW', 'PROCESSING')
         when 'PAID' then charges.status = 'SUCCESS'
         else auto_charges.outcome is null or charges.status = 'FAIL'
       end,
       false
     )`,
  ),
]
