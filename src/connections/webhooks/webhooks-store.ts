// The SQL of provider webhooks: each notification is stored once.
import { type Instant, toTimestamp } from '../../kernel/time.ts'
import { execute, findAll, hasRows, storeFunction } from '../../storage/index.ts'
import { railWebhooks } from '../model.ts'

export const webhooksChannel = 'rail_webhooks'

export interface NewWebhook {
  readonly connectionId: bigint
  readonly notificationId: string
  readonly payload: string
}

export const insertWebhook = hasRows((sent: NewWebhook, now: Instant) => [
  ...[sent.connectionId, sent.notificationId, sent.payload, toTimestamp(now)],
])`
  insert into rail_webhooks (connection_id, notification_id, payload, received_at, tries, due_at)
  values ($1, $2, $3, $4, 0, $4)
  on conflict (connection_id, notification_id) do nothing
  returning id`

/** Claims due webhooks under a lease, taking turns among the connections. */
export const claimWebhooks = findAll(railWebhooks, (now: Instant, leaseEnds: Instant, limit: number) => [
  toTimestamp(now),
  toTimestamp(leaseEnds),
  limit,
])`
  with due as (
    select oldest.id, oldest.due_at, row_number() over (partition by connection_id order by oldest.due_at) as turn
    from rail_connections
    cross join lateral (
      select id, connection_id, due_at from rail_webhooks
      where rail_webhooks.connection_id = rail_connections.id and due_at <= $1
      order by due_at limit $3 for update skip locked
    ) as oldest
  )
  update rail_webhooks set due_at = $2, tries = tries + 1
  where id in (select id from due order by turn, due_at limit $3)
  returning ${railWebhooks.list()}`

export const finishWebhook = execute((id: bigint, about: string | undefined, now: Instant) => [
  id,
  toTimestamp(now),
  about ?? null,
])`
  update rail_webhooks
  set handled_at = $2, about = coalesce($3, about), due_at = null, payload = null, last_error = null
  where id = $1`

export interface FailedWebhook {
  readonly about: string | undefined
  readonly dueAt: Instant | undefined
  readonly lastError: string
}

export const postponeWebhook = execute((id: bigint, { about, dueAt, lastError }: FailedWebhook) => [
  ...[id, dueAt === undefined ? null : toTimestamp(dueAt), lastError, about ?? null],
])`
  update rail_webhooks set due_at = $2, last_error = $3, about = coalesce($4, about)
  where id = $1 and handled_at is null`

export const listFailedWebhooks = findAll(railWebhooks, (limit: number) => [limit])`
  select ${railWebhooks.list()} from rail_webhooks
  where handled_at is null and last_error is not null
  order by received_at desc limit $1`

export const retryWebhooks = storeFunction(
  (now: Instant) => [toTimestamp(now)],
  (rows: { id: bigint }[]) => rows.length,
)`
  update rail_webhooks set due_at = $1 where handled_at is null and last_error is not null returning id`

/** Deletes only handled webhooks, because the operator may need the others. */
export const deleteHandledBefore = execute((time: Instant) => [toTimestamp(time)])`
  delete from rail_webhooks where handled_at < $1`
