// The SQL of provider webhooks: each notification is stored once.
import { type Instant, toTimestamp } from '../../kernel/time.ts'
import { type Executor, type StoredRowOf, statement } from '../../storage/index.ts'
import { railWebhooks, type WebhookRow } from '../model.ts'

export const webhooksChannel = 'rail_webhooks'

type Row = StoredRowOf<typeof railWebhooks>

const insert = statement<{ id: bigint }>(`
  insert into rail_webhooks (connection_id, notification_id, payload, received_at, tries, due_at)
  values ($1, $2, $3, $4, 0, $4)
  on conflict (connection_id, notification_id) do nothing
  returning id`)

export async function insertWebhook(
  db: Executor,
  sent: { readonly connectionId: bigint; readonly notificationId: string; readonly payload: string },
  now: Instant,
): Promise<boolean> {
  const { connectionId, notificationId, payload } = sent
  return (await db.run(insert, [connectionId, notificationId, payload, toTimestamp(now)])).length > 0
}

const claim = statement<Row>(`
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
  returning ${railWebhooks.list()}`)

/** Due webhooks, round-robin over the connections, under a lease. */
export async function claimWebhooks(
  db: Executor,
  now: Instant,
  leaseEnds: Instant,
  limit: number,
): Promise<WebhookRow[]> {
  return (await db.run(claim, [toTimestamp(now), toTimestamp(leaseEnds), limit])).map(railWebhooks.read)
}

const finish = statement(`
  update rail_webhooks
  set handled_at = $2, about = coalesce($3, about), due_at = null, payload = null, last_error = null
  where id = $1`)

export async function finishWebhook(
  db: Executor,
  id: bigint,
  about: string | undefined,
  now: Instant,
): Promise<void> {
  await db.run(finish, [id, toTimestamp(now), about ?? null])
}

const postpone = statement(`
  update rail_webhooks set due_at = $2, last_error = $3, about = coalesce($4, about)
  where id = $1 and handled_at is null`)

export async function postponeWebhook(
  db: Executor,
  id: bigint,
  failed: {
    readonly about: string | undefined
    readonly dueAt: Instant | undefined
    readonly lastError: string
  },
): Promise<void> {
  const { about, dueAt, lastError } = failed
  await db.run(postpone, [id, dueAt === undefined ? null : toTimestamp(dueAt), lastError, about ?? null])
}

const selectFailed = statement<Row>(`
  select ${railWebhooks.list()} from rail_webhooks
  where handled_at is null and last_error is not null
  order by received_at desc limit $1`)

export async function listFailedWebhooks(db: Executor, limit: number): Promise<WebhookRow[]> {
  return (await db.run(selectFailed, [limit])).map(railWebhooks.read)
}

const makeDue = statement<{ id: bigint }>(`
  update rail_webhooks set due_at = $1 where handled_at is null and last_error is not null returning id`)

export async function retryWebhooks(db: Executor, now: Instant): Promise<number> {
  return (await db.run(makeDue, [toTimestamp(now)])).length
}

const deleteHandled = statement('delete from rail_webhooks where handled_at < $1')

/** Deletes handled ones only: the operator may need the others. */
export async function deleteHandledBefore(db: Executor, time: Instant): Promise<void> {
  await db.run(deleteHandled, [toTimestamp(time)])
}
