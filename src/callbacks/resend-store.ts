// The SQL of an operator who looks at what was not received, and has it sent again.
import { type Instant, toTimestamp } from '../kernel/time.ts'
import { type Database, statement } from '../storage/index.ts'
import type { DeliveryState, EventKind } from './model.ts'

/** An event and how far its delivery got. */
export interface ListedDelivery {
  readonly eventId: string
  readonly walletId: bigint
  readonly kind: EventKind
  readonly event: string
  /** UUID of what it tells of. */
  readonly subject: string
  readonly state: DeliveryState
  readonly attempts: number
  /** When the next attempt is due; null when none is. */
  readonly dueAt: Instant | null
  readonly lastStatus: number | null
  readonly lastError: string | null
  readonly createdAt: Instant
}

const selectDeliveries = statement<{
  event_id: string
  wallet_id: bigint
  kind: EventKind
  event: string
  subject: string
  state: DeliveryState
  attempts: number
  due_at: Instant | null
  last_status: number | null
  last_error: string | null
  created_at: Instant
}>(`
  select deliveries.event_id, deliveries.wallet_id, events.kind, events.event, events.subject, deliveries.state,
    deliveries.attempts, deliveries.due_at, deliveries.last_status, deliveries.last_error, events.created_at
  from deliveries
  join events on events.wallet_id = deliveries.wallet_id and events.id = deliveries.event_id
  where ($1::bigint is null or deliveries.wallet_id = $1)
    and deliveries.state = any($2::text[])
    and (deliveries.state <> 'DUE' or deliveries.attempts >= $3)
  order by deliveries.event_id desc
  limit $4`)

/** The newest deliveries of one wallet, or of all, in `states`; those that are due after so many attempts. */
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
  const rows = await database.run(selectDeliveries, [walletId, states, attemptsMin, limit])
  return rows.map((row) => ({
    eventId: row.event_id,
    walletId: row.wallet_id,
    kind: row.kind,
    event: row.event,
    subject: row.subject,
    state: row.state,
    attempts: row.attempts,
    dueAt: row.due_at,
    lastStatus: row.last_status,
    lastError: row.last_error,
    createdAt: row.created_at,
  }))
}

const sendFailedAgain = statement<{ event_id: string }>(`
  update deliveries set state = 'DUE', due_at = $2, finished_at = null, attempts = 0
  where wallet_id = $1 and state in ('GIVEN_UP', 'NO_ENDPOINT')
  returning event_id`)

/** Makes everything due now that was given up or had no address; answers how many that were. */
export async function makeFailedDue(database: Database, walletId: bigint, now: Instant): Promise<number> {
  return (await database.run(sendFailedAgain, [walletId, toTimestamp(now)])).length
}
