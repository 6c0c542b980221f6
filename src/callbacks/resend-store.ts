// The SQL of an operator who lists what was not received, and resends it.
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

/** An event and how far its delivery got. */
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
  return (await database.run(selectDeliveries, [walletId, states, attemptsMin, limit])).map(listed.read)
}

const sendFailedAgain = statement<{ event_id: string }>(`
  update deliveries set state = 'DUE', due_at = $2, finished_at = null, attempts = 0
  where wallet_id = $1 and state in ('GIVEN_UP', 'NO_ENDPOINT')
  returning event_id`)

/** Makes all due now that were given up or had no address; answers how many. */
export async function makeFailedDue(database: Database, walletId: bigint, now: Instant): Promise<number> {
  return (await database.run(sendFailedAgain, [walletId, toTimestamp(now)])).length
}
