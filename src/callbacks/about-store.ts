// SQL of the events about operations or subscriptions.
import { type Executor, type RowOf, type StoredRowOf, statement } from '../storage/index.ts'
import { deliveries, deliveryAttempts, events } from './model.ts'

const eventsShownMax = 20

export interface EventAbout extends Omit<RowOf<typeof about>, 'lastStatus' | 'lastError'> {
  readonly lastAnswer: string | undefined
}

const eventPart = events.pick('kind', 'event', 'payload')
const deliveryPart = deliveries.pick('state', 'attempts', 'lastStatus', 'lastError')
const about = eventPart.with(deliveryPart.fields)

const selectAbout = statement<StoredRowOf<typeof about>>(`
  select ${eventPart.list('events')}, ${deliveryPart.list('deliveries')}
  from events
  join deliveries on deliveries.wallet_id = events.wallet_id and deliveries.event_id = events.id
  where events.wallet_id = $1 and events.subject = any($2::uuid[])
  order by events.id desc
  limit $3`)

export async function eventsAbout(
  db: Executor,
  walletId: bigint,
  subjects: readonly string[],
): Promise<EventAbout[]> {
  const rows = await db.run(selectAbout, [walletId, subjects, eventsShownMax])
  return rows.map(about.read).map(({ lastStatus: status, lastError: error, ...row }) => ({
    ...row,
    lastAnswer: error ?? (status === null ? undefined : String(status)),
  }))
}

const describedEvents = events
  .pick('id', 'kind', 'event', 'subject', 'createdAt')
  .with(deliveries.pick('state', 'attempts', 'url', 'dueAt', 'finishedAt').fields)
const tried = deliveryAttempts.pick('eventId', 'attemptedAt', 'httpStatus', 'error', 'durationMs')

export interface EventWithAttempts extends RowOf<typeof describedEvents> {
  readonly tried: readonly RowOf<typeof tried>[]
}

const selectDescribed = statement<StoredRowOf<typeof describedEvents>>(`
  select events.id, events.kind, events.event, events.subject, events.created_at,
    deliveries.state, deliveries.attempts, deliveries.url, deliveries.due_at, deliveries.finished_at
  from events
  join deliveries on deliveries.wallet_id = events.wallet_id and deliveries.event_id = events.id
  where events.wallet_id = $1 and events.subject = any($2::uuid[])
  order by events.id
  limit $3`)

const selectTried = statement<StoredRowOf<typeof tried>>(`
  select ${tried.list()} from delivery_tries
  where wallet_id = $1 and event_id = any($2::uuid[])
  order by event_id, attempted_at, id
  limit $3`)

const eventsTraced = 200
const attemptsTraced = 500

export async function eventsWithAttempts(
  db: Executor,
  walletId: bigint,
  subjects: readonly string[],
): Promise<EventWithAttempts[]> {
  const found = (await db.run(selectDescribed, [walletId, subjects, eventsTraced])).map(describedEvents.read)
  const ids = found.map(({ id }) => id)
  const attempts = (await db.run(selectTried, [walletId, ids, attemptsTraced])).map(tried.read)
  return found.map((event) => ({ ...event, tried: attempts.filter(({ eventId }) => eventId === event.id) }))
}

const countFailing = statement<{ given_up: bigint; retried: bigint }>(`
  select
    (select count(*) from deliveries
      where wallet_id = $1 and state in ('GIVEN_UP', 'NO_ENDPOINT') and state = 'GIVEN_UP' and event_id >= $2) as given_up,
    (select count(*) from deliveries
      where wallet_id = $1 and state = 'DUE' and claim_id is null and attempts > 0) as retried`)

export async function countFailingDeliveries(
  db: Executor,
  walletId: bigint,
  firstId: string,
): Promise<{ readonly givenUp: number; readonly retried: number }> {
  const [row] = await db.run(countFailing, [walletId, firstId])
  return { givenUp: Number(row?.given_up ?? 0n), retried: Number(row?.retried ?? 0n) }
}
