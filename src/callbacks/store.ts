// SQL of deliveries: due lanes, claims, outcomes, resends.
import { type Instant, toTimestamp } from '../kernel/time.ts'
import { type Database, rowSet, type StoredRowOf, statement } from '../storage/index.ts'
import type { ClaimedDelivery, DeliveryOutcome, FinishedDelivery } from './model.ts'
import { claimedDeliveries, deliveries, deliveryAttempts } from './model.ts'
import type { DueLane, LaneQuota } from './sending/lanes.ts'
import type { DeliveryQueue } from './sending/queue.ts'

function claimable(parameter: string): string {
  return `deliveries.state = 'DUE' and deliveries.claim_id is null and deliveries.due_at <= ${parameter}`
}

const releaseExpiredClaims = statement(`
  update deliveries set claim_id = null, claimed_until = null
  where (wallet_id, event_id) in (
    select wallet_id, event_id from deliveries
    where claim_id is not null and claimed_until <= now()
    limit $1 for update skip locked
  )`)

const releasedMax = 5000

/** Releases expired claims. Leases use the database's time, which the sandbox's clock does not move. */
async function releaseExpired(database: Database): Promise<void> {
  await database.run(releaseExpiredClaims, [releasedMax])
}

interface LaneRow {
  wallet_id: bigint
  lane: string
  due: bigint
}

const selectHeadLanes = statement<LaneRow>(`
  select wallet_id, lane, count(*) as due
  from (
    select wallet_id, lane, due_at from deliveries where ${claimable('$1')} order by due_at limit $2
  ) as head
  group by wallet_id, lane
  order by min(due_at)`)

async function headLanes(database: Database, now: Instant, window: number): Promise<DueLane[]> {
  return (await database.run(selectHeadLanes, [toTimestamp(now), window])).map(dueLaneOf)
}

/** A loose index scan reads each lane once, so a long queue costs no more than a short one. */
const selectDueLanes = statement<LaneRow>(`
  with recursive lanes as (
    (select wallet_id, lane from deliveries where state = 'DUE' and claim_id is null order by wallet_id, lane limit 1)
    union all
    select next.wallet_id, next.lane
    from lanes cross join lateral (
      select wallet_id, lane from deliveries
      where state = 'DUE' and claim_id is null and (wallet_id, lane) > (lanes.wallet_id, lanes.lane)
      order by wallet_id, lane limit 1
    ) as next
  )
  select lanes.wallet_id, lanes.lane, queue.due
  from lanes cross join lateral (
    select count(*) as due, min(due_at) as oldest
    from (
      select due_at from deliveries
      where deliveries.wallet_id = lanes.wallet_id and deliveries.lane = lanes.lane and ${claimable('$1')}
      order by due_at limit $2
    ) as head
  ) as queue
  where queue.due > 0
  order by queue.oldest`)

/** The lane that has waited longest comes first. At most `duePerLaneMax` deliveries of a lane are counted. */
export async function dueLanes(database: Database, now: Instant, duePerLaneMax: number): Promise<DueLane[]> {
  return (await database.run(selectDueLanes, [toTimestamp(now), duePerLaneMax])).map(dueLaneOf)
}

function dueLaneOf(row: LaneRow): DueLane {
  return { walletId: row.wallet_id, lane: row.lane, due: Number(row.due) }
}

const quotaSet = rowSet({ wallet_id: 'bigint', lane: 'text', quota: 'integer' })

const claimDeliveries = statement<StoredRowOf<typeof claimedDeliveries>>(`
  with share as (${quotaSet.source}),
  chosen as (
    select due.wallet_id, due.event_id
    from share cross join lateral (
      select deliveries.wallet_id, deliveries.event_id from deliveries
      where deliveries.wallet_id = share.wallet_id and deliveries.lane = share.lane and ${claimable('$4')}
      order by deliveries.due_at limit share.quota
      for update skip locked
    ) as due
  ),
  claimed as (
    update deliveries set claim_id = $5, claimed_until = now() + $6 * interval '1 millisecond'
    from chosen
    where deliveries.wallet_id = chosen.wallet_id and deliveries.event_id = chosen.event_id
    returning deliveries.*
  )
  select claimed.wallet_id, claimed.event_id, claimed.lane, claimed.endpoint, claimed.url, claimed.attempts,
    claimed.due_at, events.payload, events.traceparent
  from claimed join events on events.wallet_id = claimed.wallet_id and events.id = claimed.event_id`)

export async function claim(
  database: Database,
  quotas: readonly LaneQuota[],
  now: Instant,
  claimId: string,
  leaseMs: number,
): Promise<ClaimedDelivery[]> {
  const shares = quotaSet.parameters(
    quotas.map(({ walletId, lane, quota }) => ({ wallet_id: walletId, lane, quota })),
  )
  const rows = await database.run(claimDeliveries, [...shares, toTimestamp(now), claimId, leaseMs])
  return rows.map((row) => ({ ...claimedDeliveries.read(row), claimId }))
}

const finishedSet = rowSet({
  ...deliveries.pick('walletId', 'eventId', 'claimId', 'state', 'dueAt', 'finishedAt').types,
  ...deliveryAttempts.pick('attemptedAt', 'httpStatus', 'error', 'durationMs').types,
})

const receivedAtFirst = `input.state = 'DELIVERED' and deliveries.attempts = 0 and deliveries.first_attempted_at is null`

/**
 * If a verification ended the delivery during the attempt, the attempt still counts. If the first attempt is
 * received, it is stored in the delivery's row.
 */
const finishDeliveries = statement<{ event_id: string }>(`
  with input as (${finishedSet.source}),
  ended as (
    update deliveries set
      state = case deliveries.state when 'DUE' then input.state else deliveries.state end,
      due_at = case deliveries.state when 'DUE' then input.due_at end,
      finished_at = case deliveries.state when 'DUE' then input.finished_at else deliveries.finished_at end,
      attempts = deliveries.attempts + case when input.attempted_at is null then 0 else 1 end,
      last_status = case when input.attempted_at is null then deliveries.last_status else input.http_status end,
      last_error = case when input.attempted_at is null then deliveries.last_error else input.error end,
      first_attempted_at = case when ${receivedAtFirst} then input.attempted_at else deliveries.first_attempted_at end,
      first_http_status = case when ${receivedAtFirst} then input.http_status else deliveries.first_http_status end,
      first_duration_ms = case when ${receivedAtFirst} then input.duration_ms else deliveries.first_duration_ms end,
      claim_id = null,
      claimed_until = null
    from input
    where deliveries.wallet_id = input.wallet_id and deliveries.event_id = input.event_id
      and deliveries.claim_id = input.claim_id
    returning deliveries.wallet_id, deliveries.event_id,
      deliveries.attempts = 1 and deliveries.first_attempted_at = input.attempted_at as is_kept
  ),
  recorded as (
    insert into delivery_attempts (wallet_id, event_id, attempted_at, http_status, error, duration_ms)
    select input.wallet_id, input.event_id, input.attempted_at, input.http_status, input.error, input.duration_ms
    from input left join ended using (wallet_id, event_id)
    where input.attempted_at is not null and ended.is_kept is not true
  )
  select event_id from ended`)

/** Writes outcomes and attempts. If the claim was lost, the delivery keeps its state. */
async function finish(database: Database, finished: readonly FinishedDelivery[]): Promise<boolean[]> {
  const rows = await database.run(finishDeliveries, finishedSet.parameters(finished.map(finishedRow)))
  const kept = new Set(rows.map(({ event_id }) => event_id))
  return finished.map(({ delivery }) => kept.has(delivery.eventId))
}

export function finishedRow({ delivery, outcome, attempt }: FinishedDelivery) {
  const answer = attempt?.answer
  return {
    wallet_id: delivery.walletId,
    event_id: delivery.eventId,
    claim_id: delivery.claimId,
    ...outcomeRow(outcome),
    attempted_at: attempt === undefined ? null : toTimestamp(attempt.at),
    http_status: answer?.kind === 'answered' ? answer.status : null,
    error: answer?.kind === 'unanswered' ? answer.error : null,
    duration_ms: answer?.durationMs ?? null,
  }
}

function outcomeRow(outcome: DeliveryOutcome) {
  return {
    state: outcome.state,
    due_at: outcome.state === 'DUE' ? toTimestamp(outcome.dueAt) : null,
    finished_at: 'finishedAt' in outcome ? toTimestamp(outcome.finishedAt) : null,
  }
}

const releaseEveryClaim = statement(`
  update deliveries set claim_id = null, claimed_until = null where claim_id is not null`)

async function releaseAllClaims(database: Database): Promise<void> {
  await database.run(releaseEveryClaim)
}

/** The deliveries that are written with their events. */
export function ownQueue(database: Database): DeliveryQueue {
  return {
    kind: database.kind,
    headLanes: (now, window) => headLanes(database, now, window),
    dueLanes: (now, duePerLaneMax) => dueLanes(database, now, duePerLaneMax),
    claim: (quotas, now, claimId, leaseMs) => claim(database, quotas, now, claimId, leaseMs),
    finish: (finished) => finish(database, finished),
    releaseExpired: () => releaseExpired(database),
    releaseAllClaims: () => releaseAllClaims(database),
  }
}

const sendAgain = statement<{ event_id: string }>(`
  update deliveries set
    state = 'DUE',
    due_at = $3,
    finished_at = null,
    attempts = case state when 'DUE' then attempts else 0 end,
    claim_id = case state when 'DUE' then claim_id end,
    claimed_until = case state when 'DUE' then claimed_until end
  where wallet_id = $1 and event_id = $2
  returning event_id`)

export async function makeDue(
  database: Database,
  walletId: bigint,
  eventId: string,
  now: Instant,
): Promise<boolean> {
  return (await database.run(sendAgain, [walletId, eventId, toTimestamp(now)])).length === 1
}

const verifyEvents = statement<{ genuine: boolean }>(`
  with genuine as (
    select id from events where wallet_id = $1 and subject = any($2::uuid[]) and digest = $3
  ),
  ended as (
    update deliveries set state = 'VERIFIED', due_at = null, finished_at = $4
    from genuine
    where deliveries.wallet_id = $1 and deliveries.event_id = genuine.id
      and deliveries.state <> 'VERIFIED'
  )
  select exists (select from genuine) as genuine`)

export async function verifyEvent(
  database: Database,
  walletId: bigint,
  subjects: readonly string[],
  digest: Buffer,
  now: Instant,
): Promise<boolean> {
  const [row] = await database.run(verifyEvents, [walletId, subjects, digest, toTimestamp(now)])
  return row?.genuine === true
}

const countDueDeliveries = statement<{ due: bigint }>(`
  select (select count(*) from deliveries where state = 'DUE' and claim_id is null and due_at <= $1)
    + (select count(*) from deliveries where claim_id is not null)
    + (select count(*) from endpoint_deliveries where state = 'DUE' and claim_id is null and due_at <= $1)
    + (select count(*) from endpoint_deliveries where claim_id is not null) as due`)

export async function countDue(database: Database, now: Instant): Promise<number> {
  return Number((await database.run(countDueDeliveries, [toTimestamp(now)]))[0]?.due ?? 0n)
}
