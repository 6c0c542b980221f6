// A request id makes a POST happen once: its first answer is kept and repeated byte for byte (CONTRACT section 5).
import { type Refusal, RefusalError, type Result, refuse, unwrap } from '../kernel/result.ts'
import { sendFirst, sendRefusal, sendRepeated, sendText } from './answers.ts'
import { callerOf } from './caller.ts'
import { errorBody, errorTable } from './errors.ts'
import { type RequestKey, readRequestKey } from './request-key.ts'
import type { AppReply, AppRequest } from './types.ts'

export interface FirstAnswer {
  readonly status: number
  readonly body: string
}

/** What is known of a request id that was used before. */
export type RecalledRequest =
  | { readonly kind: 'answered'; readonly answer: FirstAnswer }
  | { readonly kind: 'in_flight' }
  | { readonly kind: 'other_meaning' }
  | { readonly kind: 'abandoned'; readonly resourceId: string }
  | { readonly kind: 'unknown' }

/** The memory of request ids; given by the module that stores them. */
export interface RequestMemory {
  /** What a request means, as it may be kept: useless to whoever lacks the gateway's keys. */
  digest(meaning: string): Uint8Array
  recall(walletId: bigint, key: RequestKey): Promise<RecalledRequest>
  /** Keeps the first answer; false when there was one before. */
  remember(walletId: bigint, requestId: string, answer: FirstAnswer): Promise<boolean>
}

/** A request with an id, for who makes what it asks for. */
export interface KeyedRequest extends RequestKey {
  /** The first answer, as it is to be kept and sent: a body, or a refusal that names the operation. */
  firstAnswer(made: Result<string>): FirstAnswer
}

export type Done =
  /** `kept` says that the answer was stored with the claim. */
  | { readonly body: string; readonly kept?: boolean }
  /** Stored by the statement that made it true. */
  | { readonly answer: FirstAnswer }

export interface OnceVerb {
  /**
   * Does what is asked, claiming `key` in the statement that makes it. Undefined when the claim found the
   * id used before.
   */
  work(key: KeyedRequest | undefined): Promise<Done | undefined>
  /** The answer about what was made, when the process that made it died before it could answer. */
  reread(resourceId: string): Promise<string>
}

/**
 * Answers a POST that makes something. A refusal that made a record (it names the operation) is a first
 * answer too; any other refusal is forgotten, unless its request id had been answered before.
 *
 * Refusals: request_in_flight, request_id_reused, and those of the verb.
 */
export async function answerOnce(request: AppRequest, reply: AppReply, verb: OnceVerb): Promise<AppReply> {
  const { walletId } = callerOf(request)
  const requests = memoryOf(request)
  const key = unwrap(readRequestKey(request, requests.digest))
  try {
    const done = await verb.work(key && { ...key, firstAnswer })
    if (done === undefined) return await repeat()
    if ('answer' in done) return sendFirst(reply, done.answer)
    const { body, kept } = done
    if (key === undefined || kept === true) return sendText(reply, body)
    return await keepFirst(key, { status: 200, body }, () => sendText(reply, body))
  } catch (error) {
    if (!(error instanceof RefusalError) || key === undefined) throw error
    if (error.refusal.operationId === undefined)
      return (await repeatIfKnown()) ?? sendRefusal(reply, error.refusal)
    return await rememberRefusal(error.refusal, key)
  }

  async function repeat(): Promise<AppReply> {
    return (await repeatIfKnown()) ?? unwrap(refuse('request_in_flight', 'the request is being processed'))
  }

  async function repeatIfKnown(): Promise<AppReply | undefined> {
    if (key === undefined) return undefined
    const recalled = await requests.recall(walletId, key)
    switch (recalled.kind) {
      case 'answered':
        return sendRepeated(reply, recalled.answer)
      case 'abandoned': {
        const answer = await answerAbout(recalled.resourceId)
        return keepFirst(key, answer, () => sendRepeated(reply, answer))
      }
      case 'other_meaning':
        return unwrap(
          refuse('request_id_reused', `request_id ${key.requestId} was used with another body before`),
        )
      case 'in_flight':
        return unwrap(refuse('request_in_flight', `request_id ${key.requestId} is being processed`))
      case 'unknown':
        return undefined
    }
  }

  async function rememberRefusal(refusal: Refusal, key: RequestKey): Promise<AppReply> {
    const answer = firstAnswer({ ok: false, refusal })
    return keepFirst(key, answer, () => sendFirst(reply, answer))
  }

  /** The answer about what was made, which may itself be a refusal: an operation that failed. */
  async function answerAbout(resourceId: string): Promise<FirstAnswer> {
    try {
      return { status: 200, body: await verb.reread(resourceId) }
    } catch (error) {
      if (!(error instanceof RefusalError) || error.refusal.operationId === undefined) throw error
      return firstAnswer({ ok: false, refusal: error.refusal })
    }
  }

  function firstAnswer(made: Result<string>): FirstAnswer {
    if (made.ok) return { status: 200, body: made.value }
    const body = JSON.stringify(errorBody(made.refusal, request.server.http.baseUrl, request.id))
    return { status: errorTable[made.refusal.kind].status, body }
  }

  /** Sends what was decided, unless somebody took this request for abandoned and was answered before. */
  async function keepFirst(
    { requestId }: RequestKey,
    answer: FirstAnswer,
    send: () => AppReply,
  ): Promise<AppReply> {
    return (await requests.remember(walletId, requestId, answer)) ? send() : repeat()
  }
}

function memoryOf(request: AppRequest): RequestMemory {
  const { requests } = request.server.http.deps
  if (requests === undefined) throw new Error('the app was made without a memory of request ids')
  return requests
}
