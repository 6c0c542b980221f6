// SQL of further endpoints, with their health.
import { type Instant, toTimestamp } from '../../kernel/time.ts'
import { column, execute, findAll, findFirst, hasRows, type RowOf } from '../../storage/index.ts'
import { finalBefore } from '../feed/order.ts'
import {
  type CallbackEndpoint,
  callbackEndpoints,
  type EndpointEventKind,
  type EndpointState,
  endpointsMax,
} from './model.ts'
import type { NewSecret, SecretKind } from './secrets.ts'

/** A longer queue is shown as this number. */
const backlogMax = 10_000

const shown = callbackEndpoints.with({
  backlog: column.integer(),
  givenUp: column.integer(),
  lastStatus: column.integer().optional(),
  lastError: column.text().optional(),
  lastReceivedAt: column.instant().optional(),
  failingSince: column.instant().optional(),
})

/** An endpoint with its health. */
export type ShownEndpoint = RowOf<typeof shown>

const ofThis = 'wallet_id = callback_endpoints.wallet_id and endpoint_id = callback_endpoints.id'

const selectShown = `
  select ${callbackEndpoints.list('callback_endpoints')}, queue.backlog, lost.given_up,
    latest.last_status, latest.last_error, received.last_received_at,
    case when latest.last_status is null or latest.last_status not between 200 and 299 then (
      select attempted_at from endpoint_attempts
      where ${ofThis} and (received.last_received_at is null or attempted_at > received.last_received_at)
      order by attempted_at limit 1
    ) end as failing_since
  from callback_endpoints
  cross join lateral (
    select count(*)::integer as backlog
    from (select from endpoint_deliveries where ${ofThis} and state = 'DUE' limit ${backlogMax}) as due
  ) as queue
  cross join lateral (
    select count(*)::integer as given_up
    from (select from endpoint_deliveries where ${ofThis} and state = 'GIVEN_UP' limit ${backlogMax}) as ended
  ) as lost
  left join lateral (
    select http_status as last_status, error as last_error from endpoint_attempts
    where ${ofThis} order by attempted_at desc, id desc limit 1
  ) as latest on true
  left join lateral (
    select attempted_at as last_received_at from endpoint_attempts
    where ${ofThis} and http_status between 200 and 299 order by attempted_at desc limit 1
  ) as received on true`

export const listEndpoints = findAll(shown, (walletId: bigint) => [walletId])`
  ${selectShown} where callback_endpoints.wallet_id = $1 and state <> 'DELETED' order by number desc`

export const findEndpoint = findFirst(shown, (walletId: bigint, id: string) => [walletId, id])`
  ${selectShown} where callback_endpoints.wallet_id = $1 and callback_endpoints.id = $2 and state <> 'DELETED'`

export interface NewEndpoint
  extends Pick<CallbackEndpoint, 'walletId' | 'id' | 'url' | 'description' | 'kinds'> {
  readonly password: NewSecret
  readonly signing: NewSecret
  readonly at: Instant
}

/** Every event that commits from now on has a later position. */
const now = [finalBefore, `'00000000-0000-0000-0000-000000000000'::uuid`].join(', ')

const urlIsFree = (url: string, id: string) => `not exists (
    select from callback_endpoints as other
    where other.wallet_id = $1 and other.url = ${url} and other.id <> ${id} and other.state <> 'DELETED'
  )`

/** Takes the lowest free number. False if none is free, another request took it, or the address is in use. */
export const insertEndpoint = hasRows(
  ({ walletId, id, url, description, kinds, password, signing, at }: NewEndpoint) => [
    walletId,
    id,
    url,
    description ?? null,
    kinds,
    password.sealed,
    signing.sealed,
    toTimestamp(at),
  ],
)`
  insert into callback_endpoints (
    wallet_id, id, number, url, description, kinds, state, password_sealed, signing_sealed,
    since_written_in, since_event, upto_written_in, upto_event, created_at, modified_at
  )
  select $1, $2, free.number, $3, $4, $5::text[], 'ACTIVE', $6, $7, ${now}, ${now}, $8, $8
  from generate_series(2, ${endpointsMax}) as free(number)
  where not exists (
    select from callback_endpoints as taken
    where taken.wallet_id = $1 and taken.number = free.number and taken.state <> 'DELETED'
  ) and ${urlIsFree('$3', '$2')}
  order by free.number limit 1
  on conflict do nothing
  returning id`

export interface EndpointChanges {
  readonly url: string
  readonly description: string | undefined
  readonly kinds: readonly EndpointEventKind[]
  readonly state: EndpointState
}

/**
 * A new filter applies from the last position on. False if the endpoint is gone or was changed since `modifiedAt`, or
 * if the address is in use.
 */
export const updateEndpoint = hasRows(
  (
    { walletId, id, modifiedAt }: Pick<CallbackEndpoint, 'walletId' | 'id' | 'modifiedAt'>,
    { url, description, kinds, state }: EndpointChanges,
    at: Instant,
  ) => [walletId, id, url, description ?? null, kinds, state, toTimestamp(at), toTimestamp(modifiedAt)],
)`
  update callback_endpoints set url = $3, description = $4, kinds = $5::text[], state = $6, modified_at = $7,
    since_written_in = case when kinds = $5::text[] then since_written_in else upto_written_in end,
    since_event = case when kinds = $5::text[] then since_event else upto_event end
  where wallet_id = $1 and id = $2 and state <> 'DELETED' and ${urlIsFree('$3', '$2')}
    and date_trunc('milliseconds', modified_at) = $8
  returning id`

/** Nothing more is sent to it. {@link dropDeleted} removes its deliveries later: they may be millions. */
export const deleteEndpoint = execute((walletId: bigint, id: string) => [walletId, id])`
  update callback_endpoints set state = 'DELETED' where wallet_id = $1 and id = $2`

const rotationOf = (name: 'password' | 'signing') => hasRows(
  (walletId: bigint, id: string, { sealed }: NewSecret, at: Instant, until: Instant) => [
    walletId,
    id,
    sealed,
    toTimestamp(at),
    toTimestamp(until),
  ],
)`
  update callback_endpoints set ${name}_previous_sealed = ${name}_sealed, ${name}_previous_until = $5,
    ${name}_sealed = $3, modified_at = $4
  where wallet_id = $1 and id = $2 and state <> 'DELETED'
  returning id`

/** The old secret works until `until`. False if the endpoint is gone. */
export const rotateSecret = {
  callback_secret: rotationOf('password'),
  callback_signing_secret: rotationOf('signing'),
} as const satisfies Readonly<Record<SecretKind, unknown>>
