// The SQL of the events about some operations or subscriptions, for people who look at one.
import { type Executor, statement } from '../storage/index.ts'
import type { DeliveryState, EventKind } from './model.ts'

const eventsShownMax = 20

export interface EventAbout {
  readonly kind: EventKind
  readonly event: string
  /** The body as it is sent, JSON. */
  readonly payload: string
  readonly state: DeliveryState
  readonly attempts: number
  /** The status or the error of the last attempt. */
  readonly lastAnswer: string | undefined
}

const selectAbout = statement<{
  kind: EventKind
  event: string
  payload: string
  state: DeliveryState
  attempts: number
  last_status: number | null
  last_error: string | null
}>(`
  select events.kind, events.event, events.payload, deliveries.state, deliveries.attempts, deliveries.last_status,
    deliveries.last_error
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
  return rows.map(({ last_status: status, last_error: error, ...row }) => ({
    ...row,
    lastAnswer: error ?? (status === null ? undefined : String(status)),
  }))
}
