// One event as people examine it: its body and headers as they are sent, and every attempt to deliver it.
import type { Clock } from '../../kernel/time.ts'
import { type Database, type RowOf, type StoredRowOf, statement } from '../../storage/index.ts'
import { deliveries, deliveryAttempts, events } from '../model.ts'

const eventPart = events.pick('id', 'kind', 'subject', 'event', 'createdAt', 'payload')
const deliveryPart = deliveries.pick(
  'endpoint',
  'url',
  'state',
  'attempts',
  'dueAt',
  'lastStatus',
  'lastError',
  'finishedAt',
)
const whole = eventPart.with(deliveryPart.fields)
const attemptPart = deliveryAttempts.pick('attemptedAt', 'httpStatus', 'error', 'durationMs')

/** An event was sent again and again: the newest attempts of it. */
const attemptsShownMax = 100
const hidden = '[hidden]'

export interface ExaminedEvent extends RowOf<typeof whole> {
  /** Headers of an attempt made now, without secrets. */
  readonly headers: Readonly<Record<string, string>>
  /** The newest first, those before it was sent again included. */
  readonly tries: readonly RowOf<typeof attemptPart>[]
}

export interface ExamineDeps {
  readonly database: Database
  /** The machine's clock, of which callbacks carry the time. */
  readonly machineClock: Clock
  readonly version: string
}

const selectEvent = statement<StoredRowOf<typeof whole>>(`
  select ${eventPart.list('events')}, ${deliveryPart.list('deliveries')}
  from events
  join deliveries on deliveries.wallet_id = events.wallet_id and deliveries.event_id = events.id
  where events.wallet_id = $1 and events.id = $2`)

const selectAttempts = statement<StoredRowOf<typeof attemptPart>>(`
  select ${attemptPart.list()} from delivery_attempts
  where wallet_id = $1 and event_id = $2
  order by id desc
  limit $3`)

/** The wallet's event of that id, a UUID; undefined when it has none. */
export async function examineEvent(
  { database, machineClock, version }: ExamineDeps,
  walletId: bigint,
  id: string,
): Promise<ExaminedEvent | undefined> {
  // Before the event: its state is never older than the attempts that are shown with it.
  const tries = await database.run(selectAttempts, [walletId, id, attemptsShownMax])
  const event = whole.first(await database.run(selectEvent, [walletId, id]))
  if (event === undefined) return undefined
  const headers = {
    authorization: `Basic ${hidden}`,
    'content-type': 'application/json',
    'user-agent': `Comporta/${version}`,
    'webhook-id': event.id,
    'webhook-timestamp': String(Math.floor(machineClock.now() / 1000)),
    'webhook-signature': `v1,${hidden}`,
  }
  return { ...event, headers, tries: tries.map(attemptPart.read) }
}
