// SQL of the feed of events with delivery states.
import { type Executor, type RowOf, type StoredRowOf, statement } from '../../storage/index.ts'
import { deliveries, events } from '../model.ts'
import { finalBefore } from './order.ts'

const eventPart = events.pick('id', 'kind', 'event', 'payload', 'createdAt')
const deliveryPart = deliveries.pick('state', 'attempts', 'dueAt', 'lastStatus', 'lastError', 'url')
const feed = eventPart.with(deliveryPart.fields)

export type EventInFeed = RowOf<typeof feed>

export const beforeAllEvents = '00000000-0000-0000-0000-000000000000'

const selectPosition = statement<{ written_in: bigint }>(
  'select written_in from events where wallet_id = $1 and id = $2',
)

const selectFeed = statement<StoredRowOf<typeof feed>>(`
  select ${eventPart.list('events')}, ${deliveryPart.list('deliveries')}
  from events
  join deliveries on deliveries.wallet_id = events.wallet_id and deliveries.event_id = events.id
  where events.wallet_id = $1
    and (events.written_in, events.id) > ($2, $3)
    and events.written_in < ${finalBefore}
  order by events.written_in, events.id
  limit $4`)

/** Undefined if `after` is no event of the wallet. Omits events to which a running transaction could still add an earlier one. */
export async function eventsAfter(
  db: Executor,
  walletId: bigint,
  after: string,
  limit: number,
): Promise<EventInFeed[] | undefined> {
  const [position] =
    after === beforeAllEvents ? [{ written_in: -1n }] : await db.run(selectPosition, [walletId, after])
  if (position === undefined) return undefined
  return (await db.run(selectFeed, [walletId, position.written_in, after, limit])).map(feed.read)
}

const selectLast = statement<{ id: string }>(`
  select id from events
  where wallet_id = $1 and written_in < ${finalBefore}
  order by written_in desc, id desc
  limit 1`)

export async function lastEvent(db: Executor, walletId: bigint): Promise<string> {
  const [last] = await db.run(selectLast, [walletId])
  return last?.id ?? beforeAllEvents
}
