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
     )`,
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
    'delivered_callbacks_were_accepted',
    'deliveries',
    `select event_id::text as subject, 'delivered, with the answer ' || coalesce(last_status::text, 'none') as detail
     from deliveries
     where state = 'DELIVERED' and coalesce(last_status, 0) not between 200 and 299`,
  ),
]
