// Recording events: fragments for the statement that makes the change, so that neither is without the other.
import { hash } from 'node:crypto'
import { canonicalJson } from '../kernel/canonical-json.ts'
import { toTimestamp } from '../kernel/time.ts'
import { type ColumnType, type Executor, rowSet, statement } from '../storage/index.ts'
import type { NewEvent } from './model.ts'

/** Columns that {@link recordEventsSql} reads beside `wallet_id`. */
export const eventColumns = {
  event_id: 'uuid',
  event_kind: 'text',
  event_subject: 'uuid',
  event_word: 'text',
  event_payload: 'text',
  event_digest: 'bytea',
  event_lane: 'text',
  event_endpoint: 'text',
  event_url: 'text',
  event_state: 'text',
  event_created_at: 'timestamptz',
  event_lease_ms: 'integer',
} as const satisfies Record<string, ColumnType>

/** The values of {@link eventColumns}. */
export type EventRow = Record<keyof typeof eventColumns, unknown>

const noEvent = Object.fromEntries(Object.keys(eventColumns).map((column) => [column, null])) as EventRow

/** The values of {@link eventColumns}, frozen as they will be sent; a row without an event records nothing. */
export function eventRow(event: NewEvent | undefined): EventRow {
  if (event === undefined) return noEvent
  assertVerifiable(event)
  return {
    event_id: event.id,
    event_kind: event.kind,
    event_subject: event.subject,
    event_word: event.event,
    event_payload: JSON.stringify(event.payload),
    event_digest: digestOf(event.payload),
    event_lane: laneOf(event),
    event_endpoint: event.endpoint,
    event_url: event.url ?? null,
    event_state: event.hasEndpoint ? 'DUE' : 'NO_ENDPOINT',
    event_created_at: toTimestamp(event.createdAt),
    event_lease_ms: null,
  }
}

/**
 * Common table expressions that record the events of `source` (which has `wallet_id` and
 * {@link eventColumns}) with a delivery each. Call {@link Callbacks.wake} once they are committed, or
 * {@link OfferedEvent.committed} of those that {@link Callbacks.offer} made: with `event_lease_ms` their deliveries are
 * written as claimed by this process, under the event's id.
 */
export function recordEventsSql(source: string): string {
  return `
    recorded_events as (
      insert into events (wallet_id, id, kind, subject, event, payload, digest, created_at)
      select wallet_id, event_id, event_kind, event_subject, event_word, event_payload, event_digest, event_created_at
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

/** Records events whose change is written by another statement of the same transaction, or by none. */
export async function recordEvents(db: Executor, events: readonly NewEvent[]): Promise<void> {
  const rows = events.map((event) => ({ wallet_id: event.walletId, ...eventRow(event) }))
  await db.run(insertEvents, eventSet.parameters(rows))
}

/** What tells payloads apart: SHA-256 over the one text that all ways of writing the same JSON share. */
export function digestOf(payload: unknown): Buffer {
  return hash('sha256', canonicalJson(payload), 'buffer')
}

/** An event is found by its subject when a merchant has it verified, so the payload has to carry it. */
function assertVerifiable({ id, subject, payload }: NewEvent): void {
  const carried = Object.values(payload).some(
    (value) => typeof value === 'string' && value.toLowerCase() === subject.toLowerCase(),
  )
  if (!carried) throw new Error(`event ${id}: no field of the payload is its subject ${subject}`)
}

/** Addresses on one server are one lane, however many paths and queries they have. */
export function laneOf({ endpoint, url }: NewEvent): string {
  return url === undefined ? endpoint : (URL.parse(url)?.origin ?? url)
}
