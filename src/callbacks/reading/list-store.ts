// SQL of the list of a wallet's events.
import { type Instant, toTimestamp } from '../../kernel/time.ts'
import { type Database, type RowOf, type StoredRowOf, statement } from '../../storage/index.ts'
import { type DeliveryState, deliveries, type EventKind, events } from '../model.ts'

const eventPart = events.pick('id', 'kind', 'subject', 'event', 'createdAt')
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
const listed = eventPart.with(deliveryPart.fields)

export type ListedEvent = RowOf<typeof listed>

export interface EventFilter {
  readonly kinds?: readonly EventKind[] | undefined
  readonly event?: string | undefined
  readonly subject?: string | undefined
  readonly states?: readonly DeliveryState[] | undefined
  readonly unverifiedSince?: Instant | undefined
  readonly from?: Instant | undefined
  readonly until?: Instant | undefined
}

/** The most deliveries that a page scans. With it, a filter with few matches costs no more than others. */
const scannedMax = 20_000
const endOfIds = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

const selectOf = (condition: string) => {
  const scan = (columns: string, rest: string) => `
    select ${columns}
    from deliveries
    where wallet_id = $1 and event_id < $2${condition}
    order by event_id desc
    ${rest}`
  return {
    page: statement<StoredRowOf<typeof listed>>(`
  select ${eventPart.list('events')}, ${deliveryPart.list('scanned')}
  from (${scan(`wallet_id, event_id, ${deliveryPart.list()}`, `limit ${scannedMax}`)}) as scanned
  join events on events.wallet_id = scanned.wallet_id and events.id = scanned.event_id
  where ($3::text[] is null or scanned.state = any($3))
    and ($4::timestamptz is null or scanned.state = 'DELIVERED' and scanned.finished_at < $4)
    and ($5::text[] is null or events.kind = any($5))
    and ($6::text is null or events.event = $6)
    and ($7::timestamptz is null or events.created_at >= $7)
    and ($8::timestamptz is null or events.created_at < $8)
  order by scanned.event_id desc
  limit $9`),
    end: statement<{ event_id: string }>(scan('event_id', `offset ${scannedMax - 1} limit 1`)),
  }
}

const selects = { all: selectOf(''), failed: selectOf(` and state in ('GIVEN_UP', 'NO_ENDPOINT')`) }
const failedStates: readonly DeliveryState[] = ['GIVEN_UP', 'NO_ENDPOINT']

const selectAbout = statement<StoredRowOf<typeof listed>>(`
  select ${eventPart.list('events')}, ${deliveryPart.list('deliveries')}
  from events
  join deliveries on deliveries.wallet_id = events.wallet_id and deliveries.event_id = events.id
  where events.wallet_id = $1 and events.id < $2
    and ($3::text[] is null or deliveries.state = any($3))
    and ($4::timestamptz is null or deliveries.state = 'DELIVERED' and deliveries.finished_at < $4)
    and ($5::text[] is null or events.kind = any($5))
    and ($6::text is null or events.event = $6)
    and ($7::timestamptz is null or events.created_at >= $7)
    and ($8::timestamptz is null or events.created_at < $8)
    and events.subject = $10
  order by events.id desc
  limit $9`)

export interface EventPage {
  readonly events: readonly ListedEvent[]
  readonly next: string | undefined
}

/** A page scans at most 20 000 events, so it may be short or empty and still have a `next`. */
export async function listEvents(
  database: Database,
  walletId: bigint,
  filter: EventFilter,
  { before = endOfIds, limit }: { readonly before?: string | undefined; readonly limit: number },
): Promise<EventPage> {
  const { kinds = null, event = null, subject, states = null, unverifiedSince, from, until } = filter
  const moment = (at: Instant | undefined) => (at === undefined ? null : toTimestamp(at))
  const parameters = [
    ...[walletId, before, states, moment(unverifiedSince), kinds, event],
    ...[moment(from), moment(until), limit + 1],
  ]
  const { page, end } = selects[states?.every((state) => failedStates.includes(state)) ? 'failed' : 'all']
  const rows =
    subject === undefined
      ? await database.run(page, parameters)
      : await database.run(selectAbout, [...parameters, subject])
  const found = rows.slice(0, limit).map(listed.read)
  if (rows.length > limit) return { events: found, next: found.at(-1)?.id }
  if (subject !== undefined) return { events: found, next: undefined }
  const [last] = await database.run(end, [walletId, before])
  return { events: found, next: last?.event_id }
}
