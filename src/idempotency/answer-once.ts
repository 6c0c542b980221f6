// Answers a POST that makes something: once, or as it was answered before.
import {
  type AppReply,
  type AppRequest,
  callerOf,
  refusalAnswer,
  sendRefusal,
  sendText,
} from '../http/index.ts'
import { RefusalError, type Result, refuse, unwrap } from '../kernel/result.ts'
import { type FirstAnswer, type KeyedRequest, type Made, okWith } from './claim.ts'

import { readKey } from './key.ts'
import type { KeyMemory } from './memory.ts'

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
  work(key: KeyedRequest | undefined): Promise<Made | undefined>
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
export async function answerOnce(request: AppRequest, reply: AppReply, verb: OnceVerb): Promise<AppReply> {
  const { walletId } = callerOf(request)
  const { idempotency } = request.server
  const key = unwrap(readKey(request, idempotency.fingerprint))
  if (key === undefined) {
    const made = await verb.work(undefined)
    return send(reply, made?.answer ?? unwrap(refuse('internal_error', 'nothing was made')))
  }
  const { requestId, fingerprint } = key
  try {
    const made = await verb.work({ ...key, firstAnswer })
    if (made === undefined) return await repeat()
    return made.isKept ? send(reply, made.answer) : await keep(made.answer, send)
  } catch (error) {
    if (!(error instanceof RefusalError)) throw error
    const { refusal } = error
    if (refusal.operationId === undefined) return (await repeatIfKnown()) ?? sendRefusal(reply, refusal)
    return await keep(firstAnswer({ ok: false, refusal }), send)
  }

  function firstAnswer(made: Result<string>): FirstAnswer {
    return made.ok ? okWith(made.value) : refusalAnswer(request, made.refusal)
  }

  /** Sends what was decided, unless somebody took this request for abandoned and was answered before. */
  async function keep(answer: FirstAnswer, sendKept: typeof send): Promise<AppReply> {
    return (await idempotency.keep(walletId, requestId, answer)) ? sendKept(reply, answer) : repeat()
  }

  async function repeat(): Promise<AppReply> {
    return (await repeatIfKnown()) ?? unwrap(refuse('request_in_flight', 'the request is being processed'))
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
        return unwrap(
          refuse('request_id_reused', `request_id ${requestId} was used with another body before`),
        )
      case 'in_flight':
        return inFlight()
      case 'unknown':
        return undefined
    }
  }

  function inFlight(): never {
    return unwrap(refuse('request_in_flight', `request_id ${requestId} is being processed`))
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
