// SQL that records an event in the same statement as its change.
import { hash } from 'node:crypto'
import { canonicalJson } from '../http/index.ts'
import { tracing } from '../kernel/tracing.ts'
import { column, type Executor, rowSet, statement } from '../storage/index.ts'
import { deliveries, events, type NewEvent } from './model.ts'

/** Columns have a prefix, because the event shares a row with the change. */
const recorded = events
  .omit('walletId')
  .with(deliveries.pick('lane', 'endpoint', 'url', 'state').fields)
  .with({ leaseMs: column.integer().optional() })
  .prefixed('event_')

export const eventColumns = recorded.types

export type EventRow = Record<keyof typeof eventColumns, unknown>

const noEvent = Object.fromEntries(recorded.names.map((column) => [column, null])) as EventRow

/** Fixes the payload, which is never changed later. Without an event the row records nothing. */
export function eventRow(event: NewEvent | undefined): EventRow {
  if (event === undefined) return noEvent
  assertVerifiable(event)
  return recorded.write({
    id: event.id,
    kind: event.kind,
    subject: event.subject,
    event: event.event,
    payload: JSON.stringify(event.payload),
    digest: digestOf(event.payload),
    createdAt: event.createdAt,
    traceparent: event.traceparent ?? tracing?.traceparent() ?? null,
    lane: laneOf(event),
    endpoint: event.endpoint,
    url: event.url ?? null,
    state: event.hasEndpoint ? 'DUE' : 'NO_ENDPOINT',
  })
}

export function inThisTrace(event: NewEvent): NewEvent {
  return tracing === undefined ? event : { ...event, traceparent: tracing.traceparent() }
}

/**
 * Afterwards call {@link Callbacks.wake}, or {@link OfferedEvent.committed}. With `event_lease_ms` this
 * process has already claimed the delivery.
 */
export function recordEventsSql(source: string): string {
  return `
    recorded_events as (
      insert into events (wallet_id, id, kind, subject, event, payload, digest, created_at, traceparent)
      select wallet_id, event_id, event_kind, event_subject, event_event, event_payload, event_digest, event_created_at,
        event_traceparent
      from ${source}
      where event_id is not null
    ),
    recorded_deliveries as (
      insert into deliveries (wallet_id, event_id, lane, endpoint, url, state, due_at, claim_id, claimed_until)
      select wallet_id, event_id, event_lane, event_endpoint, event_url, event_state,
        case event_state when 'DUE' then event_created_at end,
        case when event_lease_ms is not null then event_id end,
        now() + event_lease_ms * interval '1 millisecond'
      from ${source}
      where event_id is not null
    )`
}

const eventSet = rowSet({ wallet_id: 'bigint', ...eventColumns })

const insertEvents = statement(`
  with input as (${eventSet.source}),
  ${recordEventsSql('input')}
  select`)

export async function recordEvents(db: Executor, fresh: readonly NewEvent[]): Promise<void> {
  const rows = fresh.map((event) => ({ wallet_id: event.walletId, ...eventRow(event) }))
  await db.run(insertEvents, eventSet.parameters(rows))
}

export function digestOf(payload: unknown): Buffer {
  return hash('sha256', canonicalJson(payload), 'buffer')
}

/** Verification finds the event by its subject, so the payload must contain it. */
function assertVerifiable({ id, subject, payload }: NewEvent): void {
  const carried = Object.values(payload).some(
    (value) => typeof value === 'string' && value.toLowerCase() === subject.toLowerCase(),
  )
  if (!carried) throw new Error(`event ${id}: the payload does not contain its subject ${subject}`)
}

export function laneOf({ endpoint, url }: NewEvent): string {
  return url === undefined ? endpoint : (URL.parse(url)?.origin ?? url)
}
