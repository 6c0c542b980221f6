// One event in full: body, headers and attempts.
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

const attemptsShownMax = 100
const hidden = '[hidden]'

export interface ExaminedEvent extends RowOf<typeof whole> {
  readonly headers: Readonly<Record<string, string>>
  readonly tries: readonly RowOf<typeof attemptPart>[]
}

export interface ExamineDeps {
  readonly database: Database
  readonly machineClock: Clock
  readonly version: string
}

const selectEvent = statement<StoredRowOf<typeof whole>>(`
  select ${eventPart.list('events')}, ${deliveryPart.list('deliveries')}
  from events
  join deliveries on deliveries.wallet_id = events.wallet_id and deliveries.event_id = events.id
  where events.wallet_id = $1 and events.id = $2`)

const selectAttempts = statement<StoredRowOf<typeof attemptPart>>(`
  select ${attemptPart.list()} from delivery_tries
  where wallet_id = $1 and event_id = $2
  order by attempted_at desc, id desc
  limit $3`)

export async function examineEvent(
  { database, machineClock, version }: ExamineDeps,
  walletId: bigint,
  id: string,
): Promise<ExaminedEvent | undefined> {
  // Attempts are read before the event, so that the event is never older than they are.
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
