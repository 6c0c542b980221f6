// Idempotent POST routes, and the SQL that claims a key.
import { type AppReply, type AppRequest, callerOf, refusalAnswer, sendText } from '../http/index.ts'
import { crashPoint } from '../kernel/crash-points.ts'
import { deny, RefusalError, type Result, unwrap } from '../kernel/result.ts'
import type { ColumnType } from '../storage/index.ts'
import { type IdempotencyKey, readKey } from './key.ts'
import type { FirstAnswer } from './model.ts'
import type { KeyMemory } from './recall.ts'

declare module 'fastify' {
  interface FastifyInstance {
    readonly idempotency: KeyMemory
  }
}

export interface OnceVerb {
  /** Creates the object and claims `key` in the same statement. Undefined if the key was used before. */
  work(key: KeyedRequest | undefined): Promise<Created | undefined>
  /**
   * Reads the answer of an object, because its process may have died before it answered. Absent if the claim
   * stores the answer.
   * @param mayMove false while that process may still live: the function then returns undefined if the answer
   * can still change
   */
  reread?(resourceId: string, mayMove: boolean): Promise<string | undefined>
  /** For answers with a secret, which is not stored. Absent: the answer is stored as it is. */
  readonly secret?: {
    /** The secret in an answer; undefined without one. */
    in(body: string): string | undefined
    /** The same secret, for a repeated answer about the object. */
    of(resourceId: string): Promise<string>
  }
}

/** Stands for a secret in a stored answer. JSON escapes this character, so no other text of an answer has it. */
const secretMark = '\u0001'

/**
 * Stores the first answer. A refusal is stored only if it names an operation. Refusals: invalid_parameter,
 * request_in_flight, request_id_reused.
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
    return send(reply, made?.answer ?? deny('internal_error', 'nothing was created'))
  }
  const { requestId, fingerprint } = key
  let made: Created | undefined
  try {
    made = await verb.work({ ...key, firstAnswer })
  } catch (error) {
    if (!(error instanceof RefusalError)) throw error
    const { refusal } = error
    if (refusal.operationId === undefined) return (await repeatIfKnown()) ?? deny(refusal)
    return keep(firstAnswer({ ok: false, refusal }), send)
  }
  if (made === undefined) return repeat()
  return made.isKept ? send(reply, made.answer) : keep(made.answer, send)

  function firstAnswer(made: Result<string>): FirstAnswer {
    return made.ok ? okWith(made.value) : refusalAnswer(request, made.refusal)
  }

  /** Another process may have continued this request and answered first. */
  async function keep(answer: FirstAnswer, sendKept: typeof send): Promise<AppReply> {
    crashPoint('made, answer not kept')
    const secret = verb.secret?.in(answer.body)
    const stored =
      secret === undefined ? answer : { ...answer, body: answer.body.replaceAll(secret, secretMark) }
    return (await idempotency.keep(walletId, requestId, stored)) ? sendKept(reply, answer) : repeat()
  }

  async function repeat(): Promise<AppReply> {
    return (await repeatIfKnown()) ?? deny('request_in_flight', 'the request is being processed')
  }

  async function repeatIfKnown(): Promise<AppReply | undefined> {
    const recalled = await idempotency.recall(walletId, { requestId, fingerprint })
    switch (recalled.kind) {
      case 'answered':
        return sendAgain(reply, await withSecret(recalled.answer, recalled.resourceId))
      case 'abandoned':
      case 'in_flight': {
        const answer = await answerAbout(verb.reread?.(recalled.resourceId, recalled.kind === 'abandoned'))
        return answer === undefined ? inFlight() : keep(answer, sendAgain)
      }
      case 'other_meaning':
        return deny('request_id_reused', `request_id ${requestId} was already used with another body`)
      case 'unknown':
        return undefined
    }
  }

  async function withSecret(stored: FirstAnswer, resourceId: string): Promise<FirstAnswer> {
    if (verb.secret === undefined || !stored.body.includes(secretMark)) return stored
    const secret = await verb.secret.of(resourceId)
    return { ...stored, body: stored.body.replaceAll(secretMark, secret) }
  }

  function inFlight(): never {
    return deny('request_in_flight', `request_id ${requestId} is being processed`)
  }

  async function answerAbout(reading: Promise<string | undefined> | undefined) {
    try {
      const body = await reading
      return body === undefined ? undefined : okWith(body)
    } catch (error) {
      if (!(error instanceof RefusalError) || error.refusal.operationId === undefined) throw error
      return firstAnswer({ ok: false, refusal: error.refusal })
    }
  }
}

function send(reply: AppReply, answer: FirstAnswer): AppReply {
  return sendText(reply.code(answer.status), answer.body)
}

/** Sends the stored answer byte for byte (CONTRACT section 5). */
function sendAgain(reply: AppReply, answer: FirstAnswer): AppReply {
  return send(reply.header('idempotent-replayed', 'true'), answer)
}

export interface AboutToMake {
  readonly resourceId: string
  readonly href: string
  readonly body?: string
}

export interface Claim extends IdempotencyKey {
  readonly resourceId: string
  readonly href: string
  readonly answer?: FirstAnswer | undefined
}

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

/** A request with a key. Its answer is stored together with the settlement. */
export interface KeyedRequest extends IdempotencyKey {
  /** The first answer: a body, or a refusal that names the operation. */
  firstAnswer(made: Result<string>): FirstAnswer
}

export interface Created {
  readonly answer: FirstAnswer
  readonly isKept: boolean
}

export function createdWithClaim(isNew: boolean, body: string): Created | undefined {
  return isNew ? { answer: okWith(body), isKept: true } : undefined
}

export function created(body: string): Created {
  return { answer: okWith(body), isKept: false }
}

function okWith(body: string): FirstAnswer {
  return { status: 200, body }
}

export const idempotencyClaimCte = {
  columns: {
    request_id: 'uuid',
    request_fingerprint: 'bytea',
    request_resource_id: 'uuid',
    request_href: 'text',
    request_status: 'integer',
    request_answer: 'text',
  },

  row: (claim: Claim | undefined) => ({
    request_id: claim?.requestId ?? null,
    request_fingerprint: claim?.fingerprint ?? null,
    request_resource_id: claim?.resourceId ?? null,
    request_href: claim?.href ?? null,
    request_status: claim?.answer?.status ?? null,
    request_answer: claim?.answer?.body ?? null,
  }),

  /** `admitted` has the rows of `source` without a key or with a new one. Parallel claims of a key wait. */
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

export interface AnswerToKeep {
  readonly requestId: string
  readonly answer: FirstAnswer
}

export const storeAnswerCte = {
  columns: {
    answer_request_id: 'uuid',
    answer_status: 'integer',
    answer_body: 'text',
  },

  row: (kept: AnswerToKeep | undefined) => ({
    answer_request_id: kept?.requestId ?? null,
    answer_status: kept?.answer.status ?? null,
    answer_body: kept?.answer.body ?? null,
  }),

  /** `answered` answers the requests that created `id`, unless another process has answered them. */
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
