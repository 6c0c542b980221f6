// Faults of callback deliveries.
import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { second } from '../../src/kernel/time.ts'
import type { Chaos } from './chaos.ts'
import type { Fault } from './model.ts'

type Answer =
  | { readonly kind: 'answered'; readonly status: number; readonly durationMs: number }
  | { readonly kind: 'unanswered'; readonly error: string; readonly durationMs: number }

/** Makes deliveries of callbacks fail. */
export interface Interference {
  made(eventId: string): void
  send(
    delivery: { readonly walletId: bigint; readonly eventId: string },
    send: () => Promise<Answer>,
    timeoutMs: number,
    cancelled: AbortSignal,
  ): Promise<Answer>
}

/** Limit of events whose fault is remembered until their delivery starts. The oldest are dropped. */
const rememberedMax = 1000

/**
 * With a fault, only `slow` delivers the callback. A fault from a header affects the first attempt of the request's
 * events.
 */
export function callbackFaults(chaos: Chaos): Interference {
  const ofEvents = new Map<string, Fault>()

  function made(eventId: string): void {
    const fault = chaos.ownFault('callbacks')
    if (fault === undefined) return
    ofEvents.set(eventId, fault)
    const [oldest] = ofEvents.keys()
    if (ofEvents.size > rememberedMax && oldest !== undefined) ofEvents.delete(oldest)
  }

  async function faultFor(walletId: bigint, eventId: string): Promise<Fault | undefined> {
    const own = ofEvents.get(eventId)
    ofEvents.delete(eventId)
    if (own !== undefined || !chaos.isPossible('callbacks')) return own
    return chaos.meet('callbacks', (other) => other === walletId)
  }

  const send: Interference['send'] = async ({ walletId, eventId }, send, timeoutMs, cancelled) => {
    const fault = await faultFor(walletId, eventId)
    const started = performance.now()
    const elapsed = () => Math.round(performance.now() - started)
    const unanswered = (error: string): Answer => ({ kind: 'unanswered', error, durationMs: elapsed() })
    const wait = (ms: number) =>
      pause(ms, undefined, { ref: false, signal: cancelled }).catch(() => undefined)
    switch (fault?.kind) {
      case undefined:
        return send()
      case 'down':
        return unanswered('ECONNREFUSED: chaos of the sandbox')
      case 'error':
        return { kind: 'answered', status: fault.status, durationMs: elapsed() }
      case 'silent':
        await wait(timeoutMs)
        return unanswered('no answer in time')
      case 'slow': {
        const answer = await send()
        const leftMs = timeoutMs - elapsed()
        await wait(Math.min(fault.seconds * second, Math.max(0, leftMs)))
        return fault.seconds * second > leftMs
          ? unanswered('no answer in time')
          : { ...answer, durationMs: elapsed() }
      }
    }
  }

  return { made, send }
}
