// Audit checks of callbacks: events and deliveries correspond.
import { type AuditCheck, auditCheck } from '../storage/index.ts'

export const callbackChecks: readonly AuditCheck[] = [
  auditCheck(
    'events_have_deliveries',
    'events',
    `select events.id::text as subject, 'event without a delivery' as detail
     from events
     where not exists (
       select 1 from deliveries
       where deliveries.wallet_id = events.wallet_id and deliveries.event_id = events.id
     )
       -- A test of a further endpoint has no delivery to the wallet's own address.
       and events.kind <> 'ping'`,
  ),
  auditCheck(
    'deliveries_have_events',
    'deliveries',
    `select deliveries.event_id::text as subject, 'delivery without an event' as detail
     from deliveries
     where not exists (
       select 1 from events where events.wallet_id = deliveries.wallet_id and events.id = deliveries.event_id
     )`,
  ),
  auditCheck(
    'endpoints_have_their_deliveries',
    'endpoint_deliveries',
    `select events.id::text as subject, 'event without a delivery to the endpoint ' || callback_endpoints.id as detail
     from callback_endpoints
     join events on events.wallet_id = callback_endpoints.wallet_id
       and (events.written_in, events.id) > (callback_endpoints.since_written_in, callback_endpoints.since_event)
       and (events.written_in, events.id) <= (callback_endpoints.upto_written_in, callback_endpoints.upto_event)
     where events.kind <> 'ping' and callback_endpoints.state <> 'DELETED'
       and (cardinality(callback_endpoints.kinds) = 0 or events.kind = any(callback_endpoints.kinds))
       and not exists (
         select 1 from endpoint_deliveries
         where endpoint_deliveries.wallet_id = events.wallet_id
           and endpoint_deliveries.endpoint_id = callback_endpoints.id and endpoint_deliveries.event_id = events.id
       )`,
  ),
  auditCheck(
    'endpoint_deliveries_have_events',
    'endpoint_deliveries',
    `select endpoint_deliveries.event_id::text as subject, 'delivery to an endpoint without an event' as detail
     from endpoint_deliveries
     where not exists (
       select 1 from events
       where events.wallet_id = endpoint_deliveries.wallet_id and events.id = endpoint_deliveries.event_id
     )`,
  ),
  auditCheck(
    'delivered_callbacks_were_accepted',
    'deliveries',
    `select event_id::text as subject, 'delivered, with the answer ' || coalesce(last_status::text, 'none') as detail
     from deliveries
     where state = 'DELIVERED' and coalesce(last_status, 0) not between 200 and 299`,
  ),
]
