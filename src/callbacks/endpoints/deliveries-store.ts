// SQL of an endpoint's deliveries: list, send again, test, delete old ones.
import { type Instant, toTimestamp } from '../../kernel/time.ts'
import {
  type Database,
  findAll,
  findFirst,
  hasRows,
  type PageOfList,
  type RowOf,
  statement,
  storeFunction,
} from '../../storage/index.ts'
import { events } from '../model.ts'
import { attemptDelaysMs } from '../sending/schedule.ts'
import { type EndpointDeliveryState, endpointAttempts, endpointDeliveries } from './model.ts'

const deliveryPart = endpointDeliveries.pick(
  'eventId',
  'state',
  'attempts',
  'dueAt',
  'lastStatus',
  'lastError',
  'finishedAt',
)
const eventPart = events.pick('kind', 'event', 'subject', 'createdAt')
const listed = deliveryPart.with(eventPart.fields)
const tried = endpointAttempts.pick('attemptedAt', 'httpStatus', 'error', 'durationMs')

export type ListedEndpointDelivery = RowOf<typeof listed>
export type EndpointAttempt = RowOf<typeof tried>

interface EndpointKey {
  readonly walletId: bigint
  readonly id: string
}

const attemptsShownMax = 100

const ofEndpoint = 'endpoint_deliveries.wallet_id = $1 and endpoint_deliveries.endpoint_id = $2'
const selectListed = `
  select ${deliveryPart.list('endpoint_deliveries')}, ${eventPart.list('events')}
  from endpoint_deliveries
  join events on events.wallet_id = endpoint_deliveries.wallet_id and events.id = endpoint_deliveries.event_id
  where ${ofEndpoint}`

const countDeliveries = storeFunction(
  ({ walletId, id }: EndpointKey, states: readonly EndpointDeliveryState[]) => [walletId, id, states],
  ([row]: { total: number }[]) => row?.total ?? 0,
)`
  select count(*)::integer as total from endpoint_deliveries
  where ${ofEndpoint} and state = any($3::text[])`

const selectPageOfDeliveries = findAll(
  listed,
  (
    { walletId, id }: EndpointKey,
    states: readonly EndpointDeliveryState[],
    { offset, limit }: PageOfList,
  ) => [walletId, id, states, limit, offset * limit],
)`
  ${selectListed} and state = any($3::text[])
  order by endpoint_deliveries.event_id desc limit $4 offset $5`

/** Newest event first. */
export async function listEndpointDeliveries(
  database: Database,
  endpoint: EndpointKey,
  states: readonly EndpointDeliveryState[],
  page: PageOfList,
): Promise<{ readonly total: number; readonly deliveries: readonly ListedEndpointDelivery[] }> {
  const total = await countDeliveries(database, endpoint, states)
  return { total, deliveries: await selectPageOfDeliveries(database, endpoint, states, page) }
}

export const findEndpointDelivery = findFirst(listed, ({ walletId, id }: EndpointKey, eventId: string) => [
  walletId,
  id,
  eventId,
])`${selectListed} and endpoint_deliveries.event_id = $3`

/** Newest first. */
export const findEndpointAttempts = findAll(tried, ({ walletId, id }: EndpointKey, eventId: string) => [
  walletId,
  id,
  eventId,
])`
  select ${tried.list()} from endpoint_attempts
  where wallet_id = $1 and endpoint_id = $2 and event_id = $3
  order by attempted_at desc, id desc limit ${attemptsShownMax}`

/** A test is tried once, also if it is sent again. Its row counts from here. */
export const attemptsBeforePing = attemptDelaysMs.length - 1
const attemptsBefore = `case events.kind when 'ping' then ${attemptsBeforePing} else 0 end`

/**
 * Makes a delivery of any event of the wallet due, also of one that the filter left out. False if there is no such
 * event; a `ping` belongs to the endpoint that it tested.
 */
export const makeEndpointDeliveryDue = hasRows(
  ({ walletId, id }: EndpointKey, eventId: string, now: Instant) => [walletId, id, eventId, toTimestamp(now)],
)`
  insert into endpoint_deliveries (wallet_id, endpoint_id, event_id, state, attempts, due_at)
  select callback_endpoints.wallet_id, callback_endpoints.id, events.id, 'DUE', ${attemptsBefore}, $4
  from callback_endpoints join events on events.wallet_id = callback_endpoints.wallet_id and events.id = $3
  where callback_endpoints.wallet_id = $1 and callback_endpoints.id = $2 and (events.kind <> 'ping' or exists (
    select from endpoint_deliveries where ${ofEndpoint} and endpoint_deliveries.event_id = $3
  ))
  on conflict (wallet_id, endpoint_id, event_id) do update set
    state = 'DUE', due_at = excluded.due_at, finished_at = null,
    attempts = case endpoint_deliveries.state when 'DUE' then endpoint_deliveries.attempts else excluded.attempts end
  returning event_id`

const resentMax = 10_000
/** The rate of resent deliveries, so that new ones are sent in between. */
const duePerSecond = 100

/** Makes abandoned deliveries due, oldest event first, 100 a second from `now` on. */
export const makeGivenUpDue = storeFunction(
  ({ walletId, id }: EndpointKey, now: Instant) => [walletId, id, toTimestamp(now)],
  ([row]: { resent: number }[]) => ({ resent: row?.resent ?? 0, more: row?.resent === resentMax }),
)`
  with chosen as (
    select event_id, row_number() over (order by event_id) - 1 as place
    from (
      select event_id from endpoint_deliveries
      where ${ofEndpoint} and state = 'GIVEN_UP'
      order by event_id limit ${resentMax} for update skip locked
    ) as next
  ),
  sent as (
    update endpoint_deliveries set state = 'DUE', finished_at = null, attempts = ${attemptsBefore},
      due_at = $3::timestamptz + chosen.place * interval '1 second' / ${duePerSecond}
    from chosen join events on events.wallet_id = $1 and events.id = chosen.event_id
    where ${ofEndpoint} and endpoint_deliveries.event_id = chosen.event_id
    returning endpoint_deliveries.event_id
  )
  select count(*)::integer as resent from sent`

/** False if the endpoint is gone. */
export const insertEndpointPing = hasRows(
  (
    { walletId, id }: EndpointKey,
    ping: {
      readonly id: string
      readonly payload: string
      readonly digest: Uint8Array
      readonly at: Instant
    },
  ) => [walletId, id, ping.id, ping.payload, ping.digest, toTimestamp(ping.at)],
)`
  with tested as (
    select wallet_id, id from callback_endpoints
    where wallet_id = $1 and id = $2 and state <> 'DELETED' for key share
  ),
  recorded as (
    insert into events (wallet_id, id, kind, subject, event, payload, digest, created_at)
    select wallet_id, $3, 'ping', $3, 'ping', $4, $5, $6 from tested
  )
  insert into endpoint_deliveries (wallet_id, endpoint_id, event_id, state, attempts, due_at)
  select wallet_id, id, $3, 'DUE', ${attemptsBeforePing}, $6 from tested
  returning event_id`

const deletedAtOnce = 1000

const deleteFinished = statement<{ count: number }>(`
  with old as (
    select wallet_id, endpoint_id, event_id from endpoint_deliveries
    where finished_at < $1 order by finished_at limit ${deletedAtOnce} for update skip locked
  ),
  gone as (
    delete from endpoint_deliveries using old
    where endpoint_deliveries.wallet_id = old.wallet_id and endpoint_deliveries.endpoint_id = old.endpoint_id
      and endpoint_deliveries.event_id = old.event_id
    returning endpoint_deliveries.wallet_id, endpoint_deliveries.endpoint_id, endpoint_deliveries.event_id
  ),
  moved as (
    update callback_endpoints set since_written_in = last.written_in, since_event = last.event_id
    from (
      select distinct on (gone.wallet_id, gone.endpoint_id)
        gone.wallet_id, gone.endpoint_id, events.written_in, gone.event_id
      from gone join events on events.wallet_id = gone.wallet_id and events.id = gone.event_id
      order by gone.wallet_id, gone.endpoint_id, events.written_in desc, gone.event_id desc
    ) as last
    where callback_endpoints.wallet_id = last.wallet_id and callback_endpoints.id = last.endpoint_id
      and (since_written_in, since_event) < (last.written_in, last.event_id)
  )
  select count(*)::integer as count from gone`)

const deleteOfDeleted = statement<{ count: number }>(`
  with gone as (
    delete from endpoint_deliveries where (wallet_id, endpoint_id, event_id) in (
      select wallet_id, endpoint_id, event_id from endpoint_deliveries
      where (wallet_id, endpoint_id) in (select wallet_id, id from callback_endpoints where state = 'DELETED')
      limit ${deletedAtOnce} for update skip locked
    )
    returning event_id
  )
  select count(*)::integer as count from gone`)

const deleteEmpty = statement(`
  delete from callback_endpoints
  where state = 'DELETED' and not exists (
    select from endpoint_deliveries
    where wallet_id = callback_endpoints.wallet_id and endpoint_id = callback_endpoints.id
  )`)

/** Removes deleted endpoints with their deliveries. */
export async function dropDeleted(database: Database): Promise<void> {
  let count = deletedAtOnce
  while (count === deletedAtOnce) {
    const [row] = await database.run(deleteOfDeleted, [])
    count = row?.count ?? 0
  }
  await database.run(deleteEmpty, [])
}

/** Deletes deliveries that ended before `before`. The audit then expects only later ones. */
export async function deleteOldDeliveries(database: Database, before: Instant): Promise<void> {
  let count = deletedAtOnce
  while (count === deletedAtOnce) {
    const [row] = await database.run(deleteFinished, [toTimestamp(before)])
    count = row?.count ?? 0
  }
}
