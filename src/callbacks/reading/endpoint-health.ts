// Health of a wallet's addresses: last success, failures since, backlog.
import { column, type Database, type RowOf, type StoredRowOf, statement } from '../../storage/index.ts'
import { deliveries } from '../model.ts'

const examinedMax = 1000
const backlogMax = 10_000

const health = deliveries.pick('lane').with({
  lastReceivedAt: column.instant().optional(),
  failingSince: column.instant().optional(),
  lastStatus: column.integer().optional(),
  lastError: column.text().optional(),
  backlog: column.bigint(),
  oldestDueAt: column.instant().optional(),
  givenUp: column.bigint(),
})

/** The health of a server, or of an address of the wallet, from its newest thousand deliveries. */
export interface EndpointHealth extends Omit<RowOf<typeof health>, 'backlog' | 'givenUp'> {
  readonly backlog: number
  readonly givenUp: number
}

const selectHealth = statement<StoredRowOf<typeof health>>(`
  with newest as (
    select event_id, lane, state from deliveries
    where wallet_id = $1
    order by event_id desc limit ${examinedMax}
  ),
  waiting as (
    select event_id, lane, due_at from deliveries
    where wallet_id = $1 and state = 'DUE' and claim_id is null
    order by lane, due_at limit ${backlogMax}
  ),
  examined as (
    select event_id, lane from newest
    union
    (select event_id, lane from waiting order by due_at limit ${examinedMax})
  ),
  tried as (
    select examined.lane, made.id, made.attempted_at, made.http_status, made.error,
      coalesce(made.http_status, 0) between 200 and 299 as received
    from examined
    join delivery_tries as made on made.wallet_id = $1 and made.event_id = examined.event_id
  ),
  received as (
    select lane, max(attempted_at) as last_received_at from tried where received group by lane
  ),
  latest as (
    select distinct on (lane) lane, received, http_status, error from tried order by lane, attempted_at desc, id desc
  ),
  backlogs as (
    select lane, count(*) as backlog, min(due_at) as oldest_due_at from waiting group by lane
  ),
  ends as (
    select lane, count(*) filter (where state = 'GIVEN_UP') as given_up from newest group by lane
  )
  select lane, received.last_received_at,
    case when not latest.received then (
      select min(tried.attempted_at) from tried
      where tried.lane = lanes.lane and not tried.received
        and (received.last_received_at is null or tried.attempted_at > received.last_received_at)
    ) end as failing_since,
    latest.http_status as last_status, latest.error as last_error,
    coalesce(backlogs.backlog, 0) as backlog, backlogs.oldest_due_at, coalesce(ends.given_up, 0) as given_up
  from (select distinct lane from examined) as lanes
  left join received using (lane)
  left join latest using (lane)
  left join backlogs using (lane)
  left join ends using (lane)
  order by backlog desc, lane`)

/** `lane` is `wallet` or `card` for the wallet's own addresses, else a server such as `https://shop.example`. */
export async function endpointHealth(database: Database, walletId: bigint): Promise<EndpointHealth[]> {
  const rows = await database.run(selectHealth, [walletId])
  return rows.map(health.read).map((row) => ({
    ...row,
    backlog: Number(row.backlog),
    givenUp: Number(row.givenUp),
  }))
}
