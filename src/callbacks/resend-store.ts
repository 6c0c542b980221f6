// SQL that lists and resends failed deliveries.
import { type Instant, toTimestamp } from '../kernel/time.ts'
import { type Database, type RowOf, type StoredRowOf, statement } from '../storage/index.ts'
import { type DeliveryState, deliveries, events } from './model.ts'

const deliveryPart = deliveries.pick(
  'eventId',
  'walletId',
  'state',
  'attempts',
  'dueAt',
  'lastStatus',
  'lastError',
)
const eventPart = events.pick('kind', 'event', 'subject', 'createdAt')
const listed = deliveryPart.with(eventPart.fields)

export type ListedDelivery = RowOf<typeof listed>

const selectDeliveries = statement<StoredRowOf<typeof listed>>(`
  select ${deliveryPart.list('deliveries')}, ${eventPart.list('events')}
  from deliveries
  join events on events.wallet_id = deliveries.wallet_id and events.id = deliveries.event_id
  where ($1::bigint is null or deliveries.wallet_id = $1)
    and deliveries.state = any($2::text[])
    and (deliveries.state <> 'DUE' or deliveries.attempts >= $3)
  order by deliveries.event_id desc
  limit $4`)

/** Newest first. Of the due deliveries, only those with at least `attemptsMin` attempts. */
export async function listDeliveries(
  database: Database,
  asked: {
    readonly walletId?: bigint | undefined
    readonly states: readonly DeliveryState[]
    readonly attemptsMin: number
    readonly limit: number
  },
): Promise<ListedDelivery[]> {
  const { walletId = null, states, attemptsMin, limit } = asked
  return (await database.run(selectDeliveries, [walletId, states, attemptsMin, limit])).map(listed.read)
}

/** Rows per statement. Few are locked at a time, so that no callback waits long. */
const batchMax = 1000
const resentMax = 100_000
/** Resent deliveries become due at this rate, so that new ones are sent in between. */
const duePerSecond = 100
const beforeAllIds = '00000000-0000-0000-0000-000000000000'

const sendBatchAgain = statement<{ sent: bigint; last: string | null }>(`
  with chosen as (
    select event_id, row_number() over (order by event_id) - 1 as place
    from (
      select event_id from deliveries
      where wallet_id = $1 and state in ('GIVEN_UP', 'NO_ENDPOINT') and event_id > $2
      order by event_id
      limit ${batchMax} for update skip locked
    ) as next
  ),
  sent as (
    update deliveries set state = 'DUE', finished_at = null, attempts = 0,
      due_at = $3::timestamptz + ($4::integer + chosen.place) * interval '1 second' / ${duePerSecond}
    from chosen
    where deliveries.wallet_id = $1 and deliveries.event_id = chosen.event_id
    returning deliveries.event_id
  )
  select count(*) as sent, (select event_id from chosen order by event_id desc limit 1) as last from sent`)

export interface Resent {
  readonly resent: number
  readonly more: boolean
}

/** Makes failed deliveries due, oldest first, 100 per second from `now` on. */
export async function makeFailedDue(database: Database, walletId: bigint, now: Instant): Promise<Resent> {
  let resent = 0
  for (let last = beforeAllIds; resent < resentMax; ) {
    const [batch] = await database.run(sendBatchAgain, [walletId, last, toTimestamp(now), resent])
    if (batch === undefined || batch.last === null) return { resent, more: false }
    resent += Number(batch.sent)
    last = batch.last
  }
  return { resent, more: true }
}
