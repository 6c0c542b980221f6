// The SQL of the events about some operations or subscriptions, for people who examine one.
import { type Executor, type RowOf, type StoredRowOf, statement } from '../storage/index.ts'
import { deliveries, events } from './model.ts'

const eventsShownMax = 20

export interface EventAbout extends Omit<RowOf<typeof about>, 'lastStatus' | 'lastError'> {
  /** The status or the error of the last attempt. */
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

/** The newest events of the wallet about any of `subjects` (UUIDs), and how far their delivery got. */
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
