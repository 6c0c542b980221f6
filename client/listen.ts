// The command listen: forwards callbacks of a wallet to a local program, each once and in order.
import { setTimeout as pause } from 'node:timers/promises'
import { type CommandInput, UsageError } from '../src/cli/commands/command.ts'
import { CliError, printEach, type Session } from '../src/cli/session.ts'
import { systemClock } from '../src/kernel/time.ts'
import { eventsAsked, isAskedFor, nameOf } from './event-names.ts'
import { forward, type LocalAnswer } from './forward.ts'
import { type Gateway, gatewayAt, isFinalRefusal, type Json, refusalOf } from './gateway.ts'
import { findPlace } from './place.ts'

const path = '/api/v2/callback/listen'
/** The gateway answers within 25 seconds, so a longer silence means that the connection is broken. */
const answerMsMax = 40_000
const pauseMsFirst = 500
const pauseMsMax = 10_000
/** The longest wait that the command accepts from Retry-After, because a developer is waiting. */
const retryMsMax = 60_000
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Runs until Ctrl-C. After an interruption it continues after the last callback. Throws {@link CliError} without access. */
export async function listen(session: Session, input: CommandInput): Promise<undefined> {
  const target = targetOf(input.value('forward-to'))
  const asked = eventsAsked(input.value('events'))
  const after = input.value('after')
  if (after !== undefined && !uuid.test(after))
    throw new UsageError(`--after takes the id of an event, a UUID; not ${JSON.stringify(after)}`)
  const place = await findPlace(session, input)
  const { merchant } = place
  const follow = followCallbacks(session, gatewayAt(place, session.stopped), after)
  const print = printEach(session, input)
  let hasFailed = false

  for await (const callback of follow) {
    if (callback === 'listening') {
      const owner = merchant === undefined ? '' : ` of ${merchant.name} (wallet ${merchant.wallet_id})`
      session.err(`Callbacks${owner} at ${place.url} go to ${target.href}. Ctrl-C ends.`)
      session.err("They are signed with the wallet's own secrets, like every delivery.")
      continue
    }
    const name = nameOf(callback)
    if (!isAskedFor(name, asked)) continue
    const answer = await forward(target, callback.headers, callback.body, session.stopped)
    if (session.stopped.aborted) break
    const { json, text } = shown(name, callback, answer)
    print(json, text)
    if (!isReceived(answer) && !hasFailed) {
      hasFailed = true
      session.err(
        'It is not sent again here. To repeat it and later callbacks, run comporta listen with the --after of its line.',
      )
    }
  }
  return undefined
}

interface SignedCallback {
  readonly id: string
  readonly kind: string
  readonly event: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly after: string
}

/**
 * Yields `listening` after the first answer, then every callback after `from`. Without `from` it begins with the next
 * callback.
 */
async function* followCallbacks(
  session: Session,
  gateway: Gateway,
  from: string | undefined,
): AsyncGenerator<'listening' | SignedCallback> {
  let after = from
  let isFirst = true
  for (;;) {
    const page = await nextPage(session, gateway, after)
    if (page === undefined) return
    if (isFirst) yield 'listening'
    isFirst = false
    // While the local program works, further callbacks wait at the gateway.
    for (const callback of page.callbacks) {
      yield { ...callback, after: after ?? '' }
      after = callback.id
    }
    after = page.next
  }
}

/** Asks until it gets an answer. Undefined after Ctrl-C. */
async function nextPage(session: Session, gateway: Gateway, after: string | undefined): Promise<Json> {
  const { stopped } = session
  for (let pauseMs = pauseMsFirst, said = ''; ; pauseMs = Math.min(2 * pauseMs, pauseMsMax)) {
    const answer = await askOnce(gateway, after)
    if (stopped.aborted) return undefined
    if (answer.problem === undefined) {
      if (said !== '') session.err('Connected again.')
      return answer.page
    }
    if (answer.problem !== said) session.err(`Waiting for the gateway: ${answer.problem}`)
    said = answer.problem
    await pause(Math.max(pauseMs, answer.retryMs), undefined, { signal: stopped }).catch(() => undefined)
    if (stopped.aborted) return undefined
  }
}

type Asked =
  | { readonly page: Json; readonly problem?: undefined }
  | { readonly problem: string; readonly retryMs: number }

/** Asks once. Returns an answer or a temporary problem. Throws {@link CliError} if a retry cannot help. */
async function askOnce(gateway: Gateway, after: string | undefined): Promise<Asked> {
  const query = after === undefined ? '' : `?after=${after}`
  try {
    const answer = await gateway.send(path + query, { timeoutMs: answerMsMax })
    const { status, headers, body } = answer
    if (status === 200 && Array.isArray(body?.callbacks) && typeof body.next === 'string')
      return { page: body }
    const refusal = refusalOf(answer, gateway.place)
    if (isFinalRefusal(refusal)) throw refusal
    return { problem: String(refusal.facts.detail ?? refusal.message), retryMs: retryMsOf(headers) }
  } catch (error) {
    if (!(error instanceof CliError) || isFinalRefusal(error)) throw error
    return { problem: error.message, retryMs: 0 }
  }
}

function retryMsOf(headers: Headers): number {
  const value = headers.get('retry-after') ?? ''
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - systemClock.now()
  return Number.isNaN(ms) ? 0 : Math.min(Math.max(ms, 0), retryMsMax)
}

/** Throws {@link UsageError}. */
export function targetOf(text: string | undefined): URL {
  // If the user gives only a port, the program is on this machine.
  const url = URL.parse(/^\d{1,5}(\/|$)/.test(text ?? '') ? `http://127.0.0.1:${text}` : (text ?? ''))
  if (url !== null && ['http:', 'https:'].includes(url.protocol)) return url
  throw new UsageError(
    `--forward-to takes the address of your program, such as http://127.0.0.1:3000/callbacks${text === undefined ? '' : `; not ${JSON.stringify(text)}`}`,
  )
}

export function isReceived(answer: LocalAnswer): boolean {
  return 'status' in answer && answer.status >= 200 && answer.status < 300
}

function shown(
  event: string,
  { id, after }: SignedCallback,
  answer: LocalAnswer,
): { json: object; text: string } {
  const now = new Date(systemClock.now())
  const time = now.toLocaleTimeString('sv-SE')
  const { durationMs } = answer
  const outcome = 'status' in answer ? { status: answer.status } : { error: answer.error }
  const said = 'status' in answer ? String(answer.status) : answer.error
  const again = isReceived(answer) ? '' : `  --after ${after}`
  return {
    json: {
      time: now.toISOString(),
      event,
      id,
      ...outcome,
      duration_ms: durationMs,
      ...(again !== '' && { after }),
    },
    text: `${time}  ${event.padEnd(30)}  ${id}  ${said}  ${durationMs} ms${again}`,
  }
}
