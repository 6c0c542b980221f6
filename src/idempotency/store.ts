// Request ids (CONTRACT section 5): what a wallet asks for under an id of its own happens once and is answered alike.
import { createHmac, createSecretKey } from 'node:crypto'
import { deriveKey, type Keyring } from '../kernel/sealing.ts'
import { after, type Instant, minute, toTimestamp } from '../kernel/time.ts'
import { type Database, type Executor, statement } from './database.ts'
import { grouped } from './grouped.ts'
import { lookup } from './lookups.ts'
import { type ColumnType, rowSet } from './row-set.ts'

/** Digests what requests mean. A plain hash of a body with a card number would be undone by trying them all. */
export function requestDigest(keyring: Keyring): (meaning: string) => Uint8Array {
  const key = createSecretKey(deriveKey(keyring, 'request fingerprints'))
  return (meaning) => createHmac('sha256', key).update(meaning).digest()
}

/** Identifies one request of a wallet and what it meant. */
export interface RequestKey {
  readonly requestId: string
  /** {@link requestDigest} of the method, the path and the meaning of the body. */
  readonly fingerprint: Uint8Array
}

/** A claim of a request id, written by the statement that makes what was asked for. */
export interface RequestClaim extends RequestKey {
  /** What the request makes; repeated claims are told apart by it. */
  readonly resourceId: string
  /** Path under which what was made can be read. */
  readonly href: string
  /** The answer, when it is known before the statement runs. */
  readonly answer?: StoredAnswer
}

export interface StoredAnswer {
  readonly status: number
  readonly body: string
}

/** A request as remembered. Without an answer it is in flight, or its process died. */
export interface RememberedRequest {
  readonly requestId: string
  readonly fingerprint: Uint8Array
  readonly resourceId: string
  readonly href: string
  readonly answer: StoredAnswer | undefined
  readonly createdAt: Instant
}

/** A request is worked for half a minute at most; older than this without an answer, its process died. */
const abandonedAfterMinutes = 1

/** Columns that a claiming statement's row set needs beside `wallet_id` and `created_at`. */
export const requestColumns = {
  request_id: 'uuid',
  request_fingerprint: 'bytea',
  request_resource_id: 'uuid',
  request_href: 'text',
  request_status: 'integer',
  request_answer: 'text',
} as const satisfies Record<string, ColumnType>

/** The values of {@link requestColumns} for a row, with or without a request id. */
export function requestRow(claim: RequestClaim | undefined): Record<keyof typeof requestColumns, unknown> {
  return {
    request_id: claim?.requestId ?? null,
    request_fingerprint: claim?.fingerprint ?? null,
    request_resource_id: claim?.resourceId ?? null,
    request_href: claim?.href ?? null,
    request_status: claim?.answer?.status ?? null,
    request_answer: claim?.answer?.body ?? null,
  }
}

/**
 * Common table expressions that claim the request ids of `source` and keep, as `admitted`, the rows that
 * may go on: those without a request id and those whose claim was the first.
 */
export function claimRequestsSql(source: string): string {
  return `
    claimed as (
      insert into requests (wallet_id, request_id, fingerprint, resource_id, href, http_status, answer, created_at)
      select wallet_id, request_id, request_fingerprint, request_resource_id, request_href,
        request_status, request_answer, created_at
      from ${source}
      where request_id is not null
      on conflict (wallet_id, request_id) do nothing
      returning resource_id
    ),
    admitted as (
      select ${source}.*
      from ${source}
      where request_id is null or request_resource_id in (select resource_id from claimed)
    )`
}

/** An answer that is right if the statement that keeps it does what the answer tells. */
export interface AnswerToKeep {
  readonly requestId: string
  readonly answer: StoredAnswer
}

/** Columns that {@link keepAnswersSql} reads beside `wallet_id` and `id`. */
export const answerColumns = {
  answer_request_id: 'uuid',
  answer_status: 'integer',
  answer_body: 'text',
} as const satisfies Record<string, ColumnType>

/** The values of {@link answerColumns} for a row, with or without an answer. */
export function answerRow(kept: AnswerToKeep | undefined): Record<keyof typeof answerColumns, unknown> {
  return {
    answer_request_id: kept?.requestId ?? null,
    answer_status: kept?.answer.status ?? null,
    answer_body: kept?.answer.body ?? null,
  }
}

/**
 * A common table expression that keeps the answers which rows of `source` bring, and is called `answered`: it has
 * the `resource_id` of each. Kept are answers of requests that made the row's `id` and are not answered yet, for whoever
 * takes a process for dead answers in its place.
 */
export function keepAnswersSql(source: string): string {
  return `
    answered as (
      update requests set http_status = ${source}.answer_status, answer = ${source}.answer_body
      from ${source}
      where requests.wallet_id = ${source}.wallet_id and requests.request_id = ${source}.answer_request_id
        and requests.resource_id = ${source}.id and requests.http_status is null
      returning requests.resource_id
    )`
}

const requestByKey = lookup<{
  request_id: string
  fingerprint: Uint8Array
  resource_id: string
  href: string
  http_status: number | null
  answer: string | null
  created_at: Instant
}>({
  key: { wallet_id: 'bigint', request_id: 'uuid' },
  sql: `
    select request_id, fingerprint, resource_id, href, http_status, answer, created_at
    from requests
    where wallet_id = wanted.wallet_id and request_id = wanted.request_id`,
})

/** What the wallet asked for under `requestId`, if anything. */
export async function findRequest(
  db: Executor,
  walletId: bigint,
  requestId: string,
): Promise<RememberedRequest | undefined> {
  const row = await db.find(requestByKey, [walletId, requestId])
  if (row === undefined) return undefined
  const { http_status: status, answer: body } = row
  return {
    requestId: row.request_id,
    fingerprint: row.fingerprint,
    resourceId: row.resource_id,
    href: row.href,
    answer: status === null || body === null ? undefined : { status, body },
    createdAt: row.created_at,
  }
}

const answers = rowSet({ wallet_id: 'bigint', request_id: 'uuid', http_status: 'integer', answer: 'text' })

const storeAnswers = statement<{ wallet_id: bigint; request_id: string }>(`
  with input as (${answers.source})
  update requests set http_status = input.http_status, answer = input.answer
  from input
  where requests.wallet_id = input.wallet_id and requests.request_id = input.request_id
    and requests.http_status is null
  returning requests.wallet_id, requests.request_id`)

/** Keeps the first answer; false for a later one, which changes nothing. */
export type RememberAnswer = (walletId: bigint, requestId: string, answer: StoredAnswer) => Promise<boolean>

/** {@link RememberAnswer} in `database`: answers that are ready at the same time share a statement and its commit. */
export function rememberAnswers(database: Database): RememberAnswer {
  const nameOf = (row: { wallet_id: bigint; request_id: string }) => `${row.wallet_id} ${row.request_id}`
  const write = grouped<
    { wallet_id: bigint; request_id: string; http_status: number; answer: string },
    boolean
  >({
    database,
    aggregateOf: nameOf,
    async write(rows) {
      const written = new Set((await database.run(storeAnswers, answers.parameters(rows))).map(nameOf))
      return rows.map((row) => written.has(nameOf(row)))
    },
  })
  return (walletId, requestId, { status, body }) =>
    write({ wallet_id: walletId, request_id: requestId.toLowerCase(), http_status: status, answer: body })
}

/** What is known of a request id that was used before. */
export type Recalled =
  | { readonly kind: 'answered'; readonly answer: StoredAnswer }
  | { readonly kind: 'in_flight' }
  | { readonly kind: 'other_meaning' }
  /** Its process died before it could answer: what was made is to be read again, and that is the answer. */
  | { readonly kind: 'abandoned'; readonly resourceId: string }
  | { readonly kind: 'unknown' }

/** Recalls what the wallet asked for under this request id, compared by its meaning. */
export async function recallRequest(
  db: Executor,
  walletId: bigint,
  key: RequestKey,
  now: Instant,
): Promise<Recalled> {
  const request = await findRequest(db, walletId, key.requestId)
  if (request === undefined) return { kind: 'unknown' }
  if (!Buffer.from(key.fingerprint).equals(request.fingerprint)) return { kind: 'other_meaning' }
  if (request.answer !== undefined) return { kind: 'answered', answer: request.answer }
  const abandoned = now > after(request.createdAt, abandonedAfterMinutes * minute)
  return abandoned ? { kind: 'abandoned', resourceId: request.resourceId } : { kind: 'in_flight' }
}

const deleteOlderRequests = statement<{ request_id: string }>(`
  delete from requests where created_at < $1 returning request_id`)

/** Forgets requests made before `moment`; answers how many. */
export async function forgetRequestsBefore(db: Executor, moment: Instant): Promise<number> {
  return (await db.run(deleteOlderRequests, [toTimestamp(moment)])).length
}
