// The SQL of requests to providers.
import { isUuid } from '../kernel/random.ts'
import { type Clock, type Instant, toTimestamp } from '../kernel/time.ts'
import type { RailName } from '../rails/rail-name.ts'
import {
  type Database,
  type Executor,
  execute,
  hasRows,
  type StoredRowOf,
  statement,
  storeFunction,
  writtenRow,
} from '../storage/index.ts'
import type { RailRequest, RailRequests, RecordedAnswer } from './driver.ts'
import { type RequestRow, railRequests } from './model.ts'

type Row = StoredRowOf<typeof railRequests>

export interface NewRequest {
  readonly key: string
  readonly connectionId: bigint | undefined
  readonly walletId: bigint | undefined
  readonly rail: RailName
}

/** Assigns a key to a connection. Returns the first assignment, undefined if the key was cancelled. */
export const routeRequest = writtenRow(railRequests, (request: NewRequest, now: Instant) => [
  ...[request.key, request.connectionId ?? null, request.walletId ?? null, request.rail, toTimestamp(now)],
])`
  insert into rail_requests (key, connection_id, wallet_id, rail, created_at, changed_at)
  values ($1, $2, $3, $4, $5, $5)
  on conflict (key) do update set key = excluded.key
  returning ${railRequests.list()}`

const selectRequest = statement<Row>(`select ${railRequests.list()} from rail_requests where key = $1`)

/** Looks up only UUIDs, because a provider can report any text as a key. */
export async function findRequest(db: Executor, key: string): Promise<RequestRow | undefined> {
  if (!isUuid(key)) return undefined
  return railRequests.first(await db.run(selectRequest, [key]))
}

const selectByProviderId = statement<Row>(`
  select ${railRequests.list()} from rail_requests where connection_id = $1 and provider_id = $2`)

async function findRequestByProviderId(
  db: Executor,
  connectionId: bigint,
  providerId: string,
): Promise<RequestRow | undefined> {
  if (providerId.includes('\0')) return undefined
  return railRequests.first(await db.run(selectByProviderId, [connectionId, providerId]))
}

const beginStep = storeFunction(
  (connectionId: bigint, request: { readonly key: string; readonly step: string }, now: Instant) => [
    request.key,
    connectionId,
    request.step,
    toTimestamp(now),
  ],
  ([row]: (Row & { readonly before: 'begun' | 'recorded' | null })[]) =>
    row && { row: railRequests.read(row), before: row.before },
)`
  with known as (
    select steps ->> $3 as before from rail_requests where key = $1 and connection_id = $2 for update
  )
  update rail_requests
  set steps = jsonb_build_object($3::text, 'begun') || steps, changed_at = $4
  from known
  where key = $1
  returning ${railRequests.list('rail_requests')}, known.before`

const recordStep = hasRows(
  (
    connectionId: bigint,
    { key, step }: { readonly key: string; readonly step: string },
    { providerId = null, ids = {}, signature = null, status = null, answer }: Nullable<RecordedAnswer>,
    now: Instant,
  ) => [
    ...[key, connectionId, step, providerId, JSON.stringify(ids), signature, status],
    ...[answer === undefined ? null : JSON.stringify(answer), toTimestamp(now)],
  ],
)`
  update rail_requests
  set steps = steps || jsonb_build_object($3::text, 'recorded'),
    provider_id = coalesce($4, provider_id),
    ids = ids || $5::jsonb,
    signature = coalesce($6, signature),
    status = coalesce($7, status),
    answer = coalesce($8::jsonb, answer),
    changed_at = $9
  where key = $1 and connection_id = $2
  returning key`

export const dropSignaturesBefore = execute((time: Instant) => [toTimestamp(time)])`
  update rail_requests set signature = null where signature is not null and changed_at < $1`

type Nullable<T> = { readonly [Name in keyof T]: T[Name] | null }

export function requestsOf(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  connectionId: bigint,
): RailRequests {
  const unknown = (key: string) => new Error(`no request ${key} goes over connection ${connectionId}`)
  return {
    async begin(key, step) {
      const begun = await beginStep(database, connectionId, { key, step }, clock.now())
      if (begun === undefined) throw unknown(key)
      const before = begun.before === null ? 'new' : begun.before === 'begun' ? 'unknown' : 'recorded'
      return { before, request: requestOf(begun.row) }
    },
    async record(key, step, answer) {
      const isKnown = await recordStep(database, connectionId, { key, step }, answer, clock.now())
      if (!isKnown) throw unknown(key)
    },
    async find(key) {
      const row = await findRequest(database, key)
      return row?.connectionId === connectionId ? requestOf(row) : undefined
    },
    async findByProviderId(providerId) {
      const row = await findRequestByProviderId(database, connectionId, providerId)
      return row && requestOf(row)
    },
  }
}

function requestOf({
  key,
  walletId,
  rail,
  steps,
  providerId,
  ids,
  signature,
  status,
  answer,
}: RequestRow): RailRequest {
  return { key, walletId, rail, steps, providerId, ids, signature, status, answer }
}
