// The SQL that idempotency puts into the statements of others: claiming a key where something is made, and keeping its answer where that settles.
import type { ColumnType } from '../storage/index.ts'
import type { Claim, FirstAnswer } from './claim.ts'

/** What a statement that makes something needs to claim the keys of its rows. */
export const claimParts = {
  /** For its row set, beside `wallet_id` and `created_at`. */
  columns: {
    request_id: 'uuid',
    request_fingerprint: 'bytea',
    request_resource_id: 'uuid',
    request_href: 'text',
    request_status: 'integer',
    request_answer: 'text',
  },

  /** The values of these columns for a row, with or without a claim. */
  row: (claim: Claim | undefined) => ({
    request_id: claim?.requestId ?? null,
    request_fingerprint: claim?.fingerprint ?? null,
    request_resource_id: claim?.resourceId ?? null,
    request_href: claim?.href ?? null,
    request_status: claim?.answer?.status ?? null,
    request_answer: claim?.answer?.body ?? null,
  }),

  /**
   * Common table expressions that claim the keys of `source` and keep, as `admitted`, the rows that may go on:
   * those without a key and those whose claim was the first. Whoever comes with a key that another transaction
   * is claiming waits for that one to end.
   */
  sql: (source: string) => `
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
    )`,
} as const satisfies StatementParts<Claim>

/** An answer that is right if the statement that keeps it does what the answer tells. */
export interface AnswerToKeep {
  readonly requestId: string
  readonly answer: FirstAnswer
}

/** What a statement that settles something needs to keep the answer of the request which asked for it. */
export const answerParts = {
  /** For its row set, beside `wallet_id` and `id`. */
  columns: {
    answer_request_id: 'uuid',
    answer_status: 'integer',
    answer_body: 'text',
  },

  /** The values of these columns for a row, with or without an answer. */
  row: (kept: AnswerToKeep | undefined) => ({
    answer_request_id: kept?.requestId ?? null,
    answer_status: kept?.answer.status ?? null,
    answer_body: kept?.answer.body ?? null,
  }),

  /**
   * A common table expression that keeps the answers which rows of `source` bring, and is called `answered`: it has
   * the `resource_id` of each. Kept are answers of requests that made the row's `id` and are not answered yet, for
   * whoever takes a process for dead answers in its place.
   */
  sql: (source: string) => `
    answered as (
      update requests set http_status = ${source}.answer_status, answer = ${source}.answer_body
      from ${source}
      where requests.wallet_id = ${source}.wallet_id and requests.request_id = ${source}.answer_request_id
        and requests.resource_id = ${source}.id and requests.http_status is null
      returning requests.resource_id
    )`,
} as const satisfies StatementParts<AnswerToKeep>

interface StatementParts<Part> {
  readonly columns: Readonly<Record<string, ColumnType>>
  row(part: Part | undefined): Readonly<Record<string, unknown>>
  sql(source: string): string
}
