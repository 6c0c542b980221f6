// SQL of the deliveries to further endpoints: following the events, claims, outcomes.
import type { Keyring } from '../../kernel/sealing.ts'
import { type Instant, toTimestamp } from '../../kernel/time.ts'
import {
  column,
  type Database,
  rowSet,
  type StoredRowOf,
  statement,
  storeFunction,
} from '../../storage/index.ts'
import { finalBefore } from '../feed/order.ts'
import type { ClaimedDelivery } from '../model.ts'
import type { DueLane } from '../sending/lanes.ts'
import type { DeliveryQueue } from '../sending/queue.ts'
import { finishedRow } from '../store.ts'
import { endpointAttempts, endpointDeliveries, endpointSecrets } from './model.ts'
import { credentialsOfEndpoint } from './secrets.ts'

/** Events per endpoint and statement. */
const followedMax = 500

/** The wallets with an endpoint that is not paused. */
export const walletsWithEndpoints = storeFunction(
  () => [],
  (rows: { wallet_id: bigint }[]) => rows.map(({ wallet_id }) => wallet_id),
)`
  select distinct wallet_id from callback_endpoints where state = 'ACTIVE'`

export interface Followed {
  readonly count: number
  readonly more: boolean
}

/**
 * Writes a delivery for each new event that an endpoint wants, and moves its position in the same statement.
 * Another process that follows the same endpoint is left alone.
 */
export const followEvents = storeFunction(
  (walletIds: readonly bigint[], now: Instant) => [walletIds, toTimestamp(now)],
  ([row]: { written: number; most: number }[]): Followed => ({
    count: row?.written ?? 0,
    more: (row?.most ?? 0) === followedMax,
  }),
)`
  with followed as (
    select wallet_id, id, kinds, upto_written_in, upto_event from callback_endpoints
    where state = 'ACTIVE' and wallet_id = any($1::bigint[]) and exists (
      select from events
      where events.wallet_id = callback_endpoints.wallet_id and events.written_in < ${finalBefore}
        and (events.written_in, events.id) > (callback_endpoints.upto_written_in, callback_endpoints.upto_event)
    )
    order by wallet_id, id for no key update skip locked
  ),
  fresh as (
    select followed.wallet_id, followed.id as endpoint_id, followed.kinds, found.*
    from followed cross join lateral (
      select events.id as event_id, events.kind, events.written_in from events
      where events.wallet_id = followed.wallet_id
        and (events.written_in, events.id) > (followed.upto_written_in, followed.upto_event)
        and events.written_in < ${finalBefore}
      order by events.written_in, events.id limit ${followedMax}
    ) as found
  ),
  written as (
    insert into endpoint_deliveries (wallet_id, endpoint_id, event_id, state, due_at)
    select wallet_id, endpoint_id, event_id, 'DUE', $2 from fresh
    where kind <> 'ping' and (cardinality(kinds) = 0 or kind = any(kinds))
    on conflict do nothing
    returning event_id
  ),
  moved as (
    update callback_endpoints set upto_written_in = last.written_in, upto_event = last.event_id
    from (
      select distinct on (wallet_id, endpoint_id) wallet_id, endpoint_id, written_in, event_id from fresh
      order by wallet_id, endpoint_id, written_in desc, event_id desc
    ) as last
    where callback_endpoints.wallet_id = last.wallet_id and callback_endpoints.id = last.endpoint_id
  )
  select (select count(*) from written)::integer as written,
    coalesce((select max(counted.count) from (
      select count(*) from fresh group by wallet_id, endpoint_id
    ) as counted), 0)::integer as most`

const claimable = (parameter: string) =>
  `endpoint_deliveries.state = 'DUE' and endpoint_deliveries.claim_id is null and endpoint_deliveries.due_at <= ${parameter}`

const releaseExpired = statement(`
  update endpoint_deliveries set claim_id = null, claimed_until = null
  where (wallet_id, endpoint_id, event_id) in (
    select wallet_id, endpoint_id, event_id from endpoint_deliveries
    where claim_id is not null and claimed_until <= now()
    limit 5000 for update skip locked
  )`)

const releaseAll = statement(`
  update endpoint_deliveries set claim_id = null, claimed_until = null where claim_id is not null`)

interface LaneRow {
  wallet_id: bigint
  lane: string
  due: number
}

/** Counts deliveries of paused endpoints too: if they fill the window, all endpoints are read one by one. */
const selectHead = statement<LaneRow>(`
  select wallet_id, endpoint_id::text as lane, count(*)::integer as due
  from (
    select wallet_id, endpoint_id, due_at from endpoint_deliveries where ${claimable('$1')} order by due_at limit $2
  ) as head
  group by wallet_id, endpoint_id
  order by min(due_at)`)

const selectDue = statement<LaneRow>(`
  select callback_endpoints.wallet_id, callback_endpoints.id::text as lane, queue.due
  from callback_endpoints cross join lateral (
    select count(*)::integer as due, min(due_at) as oldest
    from (
      select due_at from endpoint_deliveries
      where wallet_id = callback_endpoints.wallet_id and endpoint_id = callback_endpoints.id and ${claimable('$1')}
      order by due_at limit $2
    ) as head
  ) as queue
  where callback_endpoints.state = 'ACTIVE' and queue.due > 0
  order by queue.oldest`)

const quotaSet = rowSet({ wallet_id: 'bigint', lane: 'uuid', quota: 'integer' })

const claimed = endpointDeliveries
  .pick('walletId', 'endpointId', 'eventId', 'attempts')
  .with({ dueAt: column.instant(), url: column.text() })
  .with({ payload: column.text(), traceparent: column.text().nullable() })
  .with(endpointSecrets.fields)

const claimDeliveries = statement<StoredRowOf<typeof claimed>>(`
  with share as (${quotaSet.source}),
  chosen as (
    select due.wallet_id, due.endpoint_id, due.event_id
    from share
    join callback_endpoints on callback_endpoints.wallet_id = share.wallet_id and callback_endpoints.id = share.lane
      and callback_endpoints.state = 'ACTIVE'
    cross join lateral (
      select endpoint_deliveries.wallet_id, endpoint_deliveries.endpoint_id, endpoint_deliveries.event_id
      from endpoint_deliveries
      where endpoint_deliveries.wallet_id = share.wallet_id and endpoint_deliveries.endpoint_id = share.lane
        and ${claimable('$4')}
      order by endpoint_deliveries.due_at, endpoint_deliveries.event_id limit share.quota
      for update skip locked
    ) as due
  ),
  claimed as (
    update endpoint_deliveries set claim_id = $5, claimed_until = now() + $6 * interval '1 millisecond'
    from chosen
    where endpoint_deliveries.wallet_id = chosen.wallet_id and endpoint_deliveries.endpoint_id = chosen.endpoint_id
      and endpoint_deliveries.event_id = chosen.event_id
    returning endpoint_deliveries.*
  )
  select claimed.wallet_id, claimed.endpoint_id, claimed.event_id, claimed.attempts, claimed.due_at,
    callback_endpoints.url, events.payload, events.traceparent, ${endpointSecrets.list('callback_endpoints')}
  from claimed
  join callback_endpoints on callback_endpoints.wallet_id = claimed.wallet_id
    and callback_endpoints.id = claimed.endpoint_id
  join events on events.wallet_id = claimed.wallet_id and events.id = claimed.event_id`)

const finishedSet = rowSet({
  ...endpointDeliveries.pick('walletId', 'eventId', 'claimId', 'state', 'dueAt', 'finishedAt').types,
  endpoint_id: 'uuid',
  ...endpointAttempts.pick('attemptedAt', 'httpStatus', 'error', 'durationMs').types,
})

/** A deleted endpoint, or a lost claim, keeps nothing. */
const finishDeliveries = statement<{ event_id: string; endpoint_id: string }>(`
  with input as (${finishedSet.source}),
  ended as (
    update endpoint_deliveries set
      state = input.state, due_at = input.due_at, finished_at = input.finished_at,
      attempts = endpoint_deliveries.attempts + case when input.attempted_at is null then 0 else 1 end,
      last_status = case when input.attempted_at is null then endpoint_deliveries.last_status else input.http_status end,
      last_error = case when input.attempted_at is null then endpoint_deliveries.last_error else input.error end,
      claim_id = null, claimed_until = null
    from input
    where endpoint_deliveries.wallet_id = input.wallet_id and endpoint_deliveries.endpoint_id = input.endpoint_id
      and endpoint_deliveries.event_id = input.event_id and endpoint_deliveries.claim_id = input.claim_id
    returning endpoint_deliveries.wallet_id, endpoint_deliveries.endpoint_id, endpoint_deliveries.event_id
  ),
  recorded as (
    insert into endpoint_attempts (wallet_id, endpoint_id, event_id, attempted_at, http_status, error, duration_ms)
    select input.wallet_id, input.endpoint_id, input.event_id, input.attempted_at, input.http_status, input.error,
      input.duration_ms
    from input join ended using (wallet_id, endpoint_id, event_id)
    where input.attempted_at is not null
  )
  select endpoint_id, event_id from ended`)

const dueLaneOf = ({ wallet_id, lane, due }: LaneRow): DueLane => ({ walletId: wallet_id, lane, due })

export interface EndpointQueueDeps {
  readonly database: Database
  readonly keyring: Keyring
  /** Without endpoints the queue runs no statement. */
  isUsed(): boolean
}

/** A lane is an endpoint, by its id. */
export function createEndpointQueue({ database, keyring, isUsed }: EndpointQueueDeps): DeliveryQueue {
  return {
    kind: database.kind,
    async headLanes(now, window) {
      return isUsed() ? (await database.run(selectHead, [toTimestamp(now), window])).map(dueLaneOf) : []
    },
    async dueLanes(now, duePerLaneMax) {
      return (await database.run(selectDue, [toTimestamp(now), duePerLaneMax])).map(dueLaneOf)
    },
    async claim(quotas, now, claimId, leaseMs) {
      const shares = quotaSet.parameters(
        quotas.map(({ walletId, lane, quota }) => ({ wallet_id: walletId, lane, quota })),
      )
      const rows = await database.run(claimDeliveries, [...shares, toTimestamp(now), claimId, leaseMs])
      return rows.map(claimed.read).map(
        ({ endpointId, url, payload, traceparent, ...row }): ClaimedDelivery => ({
          ...{ walletId: row.walletId, eventId: row.eventId, attempts: row.attempts, dueAt: row.dueAt },
          ...{ lane: endpointId, endpoint: 'operation', url, payload, traceparent, claimId },
          credentials: () => credentialsOfEndpoint(keyring, endpointId, row, now),
        }),
      )
    },
    async finish(finished) {
      const input = finished.map((one) => ({ ...finishedRow(one), endpoint_id: one.delivery.lane }))
      const rows = await database.run(finishDeliveries, finishedSet.parameters(input))
      const kept = new Set(rows.map(({ endpoint_id, event_id }) => `${endpoint_id} ${event_id}`))
      return finished.map(({ delivery }) => kept.has(`${delivery.lane} ${delivery.eventId}`))
    },
    async releaseExpired() {
      if (isUsed()) await database.run(releaseExpired, [])
    },
    async releaseAllClaims() {
      await database.run(releaseAll)
    },
  }
}
