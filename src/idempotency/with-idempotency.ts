// Answers a POST that makes something: once, or as it was answered before; and the claim of its key, which the statement that makes the thing writes.

import { type AppReply, type AppRequest, callerOf, refusalAnswer, sendText } from '../http/index.ts'
import { crashPoint } from '../kernel/crash-points.ts'
import { deny, RefusalError, type Result, unwrap } from '../kernel/result.ts'
import type { ColumnType } from '../storage/index.ts'
import { type IdempotencyKey, readKey } from './key.ts'
import type { FirstAnswer } from './model.ts'
import type { KeyMemory } from './recall.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** For the idempotency module alone. */
    readonly idempotency: KeyMemory
  }
}

export interface OnceVerb {
  /**
   * Does what is asked, claiming `key` in the statement that makes it. Undefined when the claim found the key used
   * before. Refusals are thrown; one that names an operation made a record.
   */
  work(key: KeyedRequest | undefined): Promise<Created | undefined>
  /**
   * The answer about what was made, when the process that made it died before it could answer. Absent where the claim
   * brings the answer with it.
   */
  reread?(resourceId: string): Promise<string>
}

/**
 * Answers a POST that makes something. A refusal that made a record (it names the operation) is a first
 * answer too; any other refusal is forgotten, unless its key had been answered before.
 *
 * Refusals: invalid_parameter for a key that is no UUID; request_in_flight, request_id_reused; those of the verb.
 */
export async function withIdempotency(
  request: AppRequest,
  reply: AppReply,
  verb: OnceVerb,
): Promise<AppReply> {
  const { walletId } = callerOf(request)
  const { idempotency } = request.server
  const key = unwrap(readKey(request, idempotency.fingerprint))
  if (key === undefined) {
    const made = await verb.work(undefined)
    return send(reply, made?.answer ?? deny('internal_error', 'nothing was made'))
  }
  const { requestId, fingerprint } = key
  try {
    const made = await verb.work({ ...key, firstAnswer })
    if (made === undefined) return await repeat()
    return made.isKept ? send(reply, made.answer) : await keep(made.answer, send)
  } catch (error) {
    if (!(error instanceof RefusalError)) throw error
    const { refusal } = error
    if (refusal.operationId === undefined) return (await repeatIfKnown()) ?? deny(refusal)
    return await keep(firstAnswer({ ok: false, refusal }), send)
  }

  function firstAnswer(made: Result<string>): FirstAnswer {
    return made.ok ? okWith(made.value) : refusalAnswer(request, made.refusal)
  }

  /** Sends what was decided, unless somebody took this request for abandoned and was answered before. */
  async function keep(answer: FirstAnswer, sendKept: typeof send): Promise<AppReply> {
    crashPoint('made, answer not kept')
    return (await idempotency.keep(walletId, requestId, answer)) ? sendKept(reply, answer) : repeat()
  }

  async function repeat(): Promise<AppReply> {
    return (await repeatIfKnown()) ?? deny('request_in_flight', 'the request is being processed')
  }

  async function repeatIfKnown(): Promise<AppReply | undefined> {
    const recalled = await idempotency.recall(walletId, { requestId, fingerprint })
    switch (recalled.kind) {
      case 'answered':
        return sendAgain(reply, recalled.answer)
      case 'abandoned':
        return verb.reread === undefined
          ? inFlight()
          : keep(await answerAbout(verb.reread(recalled.resourceId)), sendAgain)
      case 'other_meaning':
        return deny('request_id_reused', `request_id ${requestId} was used with another body before`)
      case 'in_flight':
        return inFlight()
      case 'unknown':
        return undefined
    }
  }

  function inFlight(): never {
    return deny('request_in_flight', `request_id ${requestId} is being processed`)
  }

  /** The answer about what was made, which may itself be a refusal: an operation that failed. */
  async function answerAbout(body: Promise<string>): Promise<FirstAnswer> {
    try {
      return okWith(await body)
    } catch (error) {
      if (!(error instanceof RefusalError) || error.refusal.operationId === undefined) throw error
      return firstAnswer({ ok: false, refusal: error.refusal })
    }
  }
}

function send(reply: AppReply, answer: FirstAnswer): AppReply {
  return sendText(reply.code(answer.status), answer.body)
}

/** As it was answered the first time, byte for byte (CONTRACT section 5). */
function sendAgain(reply: AppReply, answer: FirstAnswer): AppReply {
  return send(reply.header('idempotent-replayed', 'true'), answer)
}

/** What a request with a key is about to make. */
export interface AboutToMake {
  /** Tells repeated claims of one key apart. */
  readonly resourceId: string
  /** Path under which what was made can be read. */
  readonly href: string
  /** The body of the answer, status 200, where it is known before the statement runs: then it is kept by the claim. */
  readonly body?: string
}

/** A claim of an idempotency key, written by the statement that makes what was asked for ({@link idempotencyClaimCte}). */
export interface Claim extends IdempotencyKey {
  readonly resourceId: string
  readonly href: string
  /** Where it is known before the statement runs. */
  readonly answer?: FirstAnswer | undefined
}

/** The claim of who makes what `key` asks for; undefined where no key was given. */
export function claimOf(key: IdempotencyKey, made: AboutToMake): Claim
export function claimOf(key: IdempotencyKey | undefined, made: AboutToMake): Claim | undefined
export function claimOf(
  key: IdempotencyKey | undefined,
  { resourceId, href, body }: AboutToMake,
): Claim | undefined {
  if (key === undefined) return undefined
  const { requestId, fingerprint } = key
  return { requestId, fingerprint, resourceId, href, answer: body === undefined ? undefined : okWith(body) }
}

/** A request with a key, for who makes what it asks for and has its answer kept when that is settled. */
export interface KeyedRequest extends IdempotencyKey {
  /** The first answer, as it is to be kept and sent: a body, or a refusal that names the operation. */
  firstAnswer(made: Result<string>): FirstAnswer
}

/** What was made: its answer, and whether that was kept by a statement which made it true. */
export interface Created {
  readonly answer: FirstAnswer
  readonly isKept: boolean
}

/**
 * What became of a request whose claim brought its answer with it; undefined where the key was used before, and
 * nothing was made.
 */
export function createdWithClaim(isNew: boolean, body: string): Created | undefined {
  return isNew ? { answer: okWith(body), isKept: true } : undefined
}

/** What was made, of which the answer is still to be kept. */
export function created(body: string): Created {
  return { answer: okWith(body), isKept: false }
}

function okWith(body: string): FirstAnswer {
  return { status: 200, body }
}

/** What a statement that makes something needs to claim the keys of its rows. */
export const idempotencyClaimCte = {
  /** For its row set, in addition to `wallet_id` and `created_at`. */
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

/** An answer that is right if the statement that stores it does what the answer says. */
export interface AnswerToKeep {
  readonly requestId: string
  readonly answer: FirstAnswer
}

/** What a statement that settles something needs to keep the answer of the request which asked for it. */
export const storeAnswerCte = {
  /** For its row set, in addition to `wallet_id` and `id`. */
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
   * a process that takes over from a stalled one answers in its place.
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
