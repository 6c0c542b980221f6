// Audit checks of checkouts and payment links.
import { type AuditCheck, auditCheck, codesSql } from '../storage/index.ts'
import { checkoutMethodCodes } from './model.ts'

export const checkoutChecks: readonly AuditCheck[] = [
  auditCheck(
    'checkouts_have_operations',
    'checkouts',
    `select checkouts.id::text as subject, 'checkout without its operation' as detail
     from checkouts
     where operation_id is not null and not exists (
       select 1 from operations
       where operations.wallet_id = checkouts.wallet_id and operations.id = checkouts.operation_id
         and operations.checkout_id = checkouts.id
     )`,
  ),
  auditCheck(
    'checkouts_have_subscriptions',
    'checkouts',
    `select checkouts.id::text as subject, 'checkout without its subscription' as detail
     from checkouts
     where subscription_id is not null and not exists (
       select 1 from subscriptions
       where subscriptions.wallet_id = checkouts.wallet_id and subscriptions.id = checkouts.subscription_id
         and subscriptions.checkout_id = checkouts.id
         and subscriptions.operation_id is not distinct from checkouts.operation_id
     )`,
  ),
  auditCheck(
    'open_checkouts_end',
    'checkouts',
    `select checkouts.id::text as subject, coalesce(operations.status, subscriptions.status) || ' and nothing will end it' as detail
     from checkouts
     left join operations on operations.wallet_id = checkouts.wallet_id and operations.id = checkouts.operation_id
     left join subscriptions
       on subscriptions.wallet_id = checkouts.wallet_id and subscriptions.id = checkouts.subscription_id
     where coalesce(operations.status, subscriptions.status) in ('NEW', 'PENDING') and checkouts.due_at is null`,
  ),
  auditCheck(
    'checkouts_name_known_methods',
    'checkouts',
    `select id::text as subject, 'names the method ' || method || ', which this gateway does not know' as detail
     from (
       select id, default_method as method from checkouts
       union all select id, jsonb_array_elements_text(exclude) from checkouts
     ) as named
     where method <> all (${codesSql(checkoutMethodCodes)})`,
  ),
  auditCheck(
    'payment_links_are_paid_within_their_limit',
    'payment_links',
    `select payment_links.id::text as subject, counted.uses || ' uses open or paid, of ' || uses_max as detail
     from payment_links
     cross join lateral (
       select count(*) as uses from operations
       where operations.wallet_id = payment_links.wallet_id and payment_link_id = payment_links.id
         and status in ('NEW', 'PENDING', 'COMPLETED')
     ) as counted
     where counted.uses > uses_max`,
  ),
]
