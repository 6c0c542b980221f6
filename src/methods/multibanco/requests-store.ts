// The SQL of requests to providers of references.
import type { IdempotencyKey } from '../../idempotency/index.ts'
import { type Instant, toTimestamp } from '../../kernel/time.ts'
import type { ReferenceName } from '../../rails/index.ts'
import {
  claimDueSql,
  type Executor,
  execute,
  hasRows,
  type StoredRowOf,
  statement,
  storeFunction,
} from '../../storage/index.ts'
import { referenceRequests } from './model.ts'

export interface NewReferenceRequest {
  readonly id: string
  readonly walletId: bigint
  readonly once: IdempotencyKey | undefined
  readonly expires: Instant | undefined
  readonly createdAt: Instant
  readonly dueAt: Instant
}

const noted = referenceRequests.pick('id', 'expires')

const noteRequest = statement<StoredRowOf<typeof noted>>(`
  insert into bank_reference_requests (id, wallet_id, request_id, fingerprint, expires, created_at, due_at)
  select $1, $2, $3::uuid, $4, $5, $6, $7
  where not exists (select from requests where requests.wallet_id = $2 and requests.request_id = $3::uuid)
  on conflict (wallet_id, request_id, fingerprint) where withdrawn_at is null
    do update set due_at = excluded.due_at
  returning ${noted.list()}`)

export async function noteReferenceRequest(
  db: Executor,
  { id, walletId, once, expires, createdAt, dueAt }: NewReferenceRequest,
): Promise<{ readonly id: string; readonly expires?: Instant | undefined } | undefined> {
  return noted.first(
    await db.run(noteRequest, [
      ...[id, walletId, once?.requestId ?? null, once?.fingerprint ?? null],
      ...[expires === undefined ? null : toTimestamp(expires), toTimestamp(createdAt), toTimestamp(dueAt)],
    ]),
  )
}

export const forgetReferenceRequest = execute((walletId: bigint, id: string) => [walletId, id])`
  delete from bank_reference_requests where wallet_id = $1 and id = $2`

export const abandonReferenceRequest = execute((walletId: bigint, id: string, now: Instant) => [
  walletId,
  id,
  toTimestamp(now),
])`
  update bank_reference_requests set withdrawn_at = $3, due_at = $3
  where wallet_id = $1 and id = $2 and withdrawn_at is null`

const isOver = `(deleted_at is not null or due_at is null or expires < $3::timestamptz - interval '1 second')`

/** Takes a reused name from its earlier reference. Returns false if that one is still open. */
export const releaseReferenceName = storeFunction(
  ({ entity, ref }: ReferenceName, now: Instant) => [entity, ref, toTimestamp(now)],
  ([row]: { open: bigint }[]) => row?.open === 0n,
)`
  with released as (
    update bank_references set number_held = false
    where entity = $1 and ref = $2 and number is null and number_held and ${isOver}
    returning id
  )
  select count(*) as open from bank_references
  where entity = $1 and ref = $2 and number is null and number_held and not ${isOver}`

/** Claims abandoned requests, which then can no longer become references. */
export const claimAbandonedRequests = storeFunction(
  (now: Instant, leasedUntil: Instant, limit: number) => [toTimestamp(now), toTimestamp(leasedUntil), limit],
  (rows: { id: string }[]) => rows.map(({ id }) => id),
)`
  ${claimDueSql('bank_reference_requests', 'withdrawn_at = coalesce(withdrawn_at, $1)')}
  returning id`

/** The rows are kept, so that a late payment finds its wallet. */
export const markRequestsWithdrawn = execute((ids: readonly string[]) => [ids])`
  update bank_reference_requests set due_at = null where id = any($1::uuid[])`

export const isBeingMade = hasRows((key: string) => [key])`
  select id from bank_reference_requests where id = $1 and withdrawn_at is null`

export const findWalletOfRequest = storeFunction(
  (key: string) => [key],
  ([row]: { wallet_id: bigint }[]) => row?.wallet_id,
)`
  select wallet_id from bank_reference_requests where id = $1`
