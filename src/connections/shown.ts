// Provider answers and reports of a payment, for people to read: without card and body.
import { findAll } from '../storage/index.ts'
import { column } from '../storage/tables/column.ts'
import { railRequests, railWebhooks } from './model.ts'

const shownRequests = railRequests
  .pick('key', 'rail', 'steps', 'providerId', 'status', 'createdAt', 'changedAt')
  .with({
    driver: column.text().optional(),
    reason: column.text().optional(),
  })

export type ProviderAnswer = ReturnType<typeof shownRequests.read>

export const providerAnswers = findAll(shownRequests, (walletId: bigint, keys: readonly string[]) => [
  walletId,
  keys,
])`
  select rail_requests.key, rail_requests.rail, steps, provider_id, status, rail_requests.created_at,
    rail_requests.changed_at, rail_connections.driver,
    case when jsonb_typeof(answer) = 'object' and jsonb_typeof(answer -> 'decline') = 'string'
      then left(answer ->> 'decline', 100) end as reason
  from rail_requests
  left join rail_connections on rail_connections.id = rail_requests.connection_id
  where rail_requests.key = any($2::uuid[]) and (rail_requests.wallet_id = $1 or rail_requests.wallet_id is null)
  order by rail_requests.created_at, rail_requests.key`

const shownWebhooks = railWebhooks
  .pick('receivedAt', 'tries', 'handledAt', 'lastError')
  .with({ key: column.uuid(), driver: column.text() })

export type ProviderReport = ReturnType<typeof shownWebhooks.read>

const reportsMax = 100

/** The oldest 100 reports about requests with one of `keys`, of the wallet's own payments. */
export const providerReports = findAll(shownWebhooks, (walletId: bigint, keys: readonly string[]) => [
  walletId,
  keys,
])`
  select received_at, tries, handled_at, last_error, rail_requests.key, rail_connections.driver
  from rail_requests
  join rail_webhooks
    on rail_webhooks.about = rail_requests.key and rail_webhooks.connection_id = rail_requests.connection_id
  join rail_connections on rail_connections.id = rail_requests.connection_id
  where rail_requests.key = any($2::uuid[]) and (rail_requests.wallet_id = $1 or rail_requests.wallet_id is null)
  order by received_at limit ${reportsMax}`
