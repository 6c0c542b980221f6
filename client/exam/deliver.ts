// Delivers the callbacks of an examination by its plan.
import { setTimeout as pause } from 'node:timers/promises'
import { CliError } from '../../src/cli/session.ts'
import { systemClock } from '../../src/kernel/time.ts'
import { forward, type LocalAnswer } from '../forward.ts'
import type { Gateway, Json } from '../gateway.ts'
import { isReceived } from '../listen.ts'
import type { ExamEvent } from './events.ts'
import type { Forgery, SentCallback } from './forgeries.ts'
import type { Answered } from './judge.ts'
import type { Step, Treatment } from './plan.ts'

export interface Sent {
  readonly name: string
  readonly id: string
  readonly how: Treatment | 'forged'
  readonly answer: LocalAnswer
}

export interface Delivered {
  readonly sent: readonly Sent[]
  readonly refused: readonly Answered[]
}

/** The gateway makes 13 attempts in two days. */
const retriesMax = 5
const retryPauseMs = 1000

interface Target {
  readonly gateway: Gateway
  readonly address: URL
  readonly stopped: AbortSignal
  /** Sends a forgery and notes whether the program believed it. */
  around(forgery: Forgery, send: () => Promise<LocalAnswer>): Promise<void>
}

export async function deliver(
  target: Target,
  steps: readonly Step<ExamEvent, Forgery>[],
): Promise<Delivered> {
  const sent: Sent[] = []
  const open = new Map<ExamEvent, LocalAnswer>()

  async function post(event: ExamEvent, how: Treatment, cut = false): Promise<void> {
    const { headers, body } = await signedNow(target.gateway, event)
    const answer = await forward(target.address, headers, body, target.stopped, cut)
    requireGoing(target.stopped)
    sent.push({ name: event.name, id: event.id, how, answer })
    if (isReceived(answer)) open.delete(event)
    else if (!cut) open.set(event, answer)
  }

  for (const step of steps) {
    requireGoing(target.stopped)
    if ('forged' in step) {
      const { forged } = step
      await target.around(forged, async () => {
        const genuine = await signedNow(target.gateway, forged.original as ExamEvent)
        const { headers, body } = forged.make(genuine, systemClock.now())
        const answer = await forward(target.address, headers, body, target.stopped)
        sent.push({ name: forged.key, id: headers['webhook-id'] ?? '', how: 'forged', answer })
        return answer
      })
      continue
    }
    const { event, how, isAgain } = step
    if (how === 'at_once') await Promise.all([post(event, how), post(event, how)])
    else await post(event, how, how === 'cut' && isAgain !== true)
  }
  for (let retry = 0; retry < retriesMax && open.size > 0; retry++) {
    await pause(retryPauseMs, undefined, { signal: target.stopped }).catch(() => undefined)
    for (const event of [...open.keys()]) await post(event, 'twice')
  }
  const refused = [...open].map(([{ id, name }, answer]) => ({
    id,
    name,
    answer: 'status' in answer ? answer.status : answer.error,
  }))
  return { sent, refused }
}

/** The callback with the headers that the gateway would send at this moment. */
async function signedNow(gateway: Gateway, { id, after }: ExamEvent): Promise<SentCallback> {
  const { callbacks } = await gateway.ask(`/api/v2/callback/listen?after=${after}`)
  const found = callbacks.find((callback: Json) => callback.id === id)
  if (found === undefined) throw new CliError('failed', `the gateway no longer has the event ${id}`)
  return found
}

function requireGoing(stopped: AbortSignal): void {
  if (stopped.aborted) throw new CliError('stopped', 'stopped before the examination was complete')
}
