// Merchants' servers in trouble, as the gateway sees them: what it sends is lost on the way, or answered late.
import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { second } from '../../src/kernel/time.ts'
import type { Chaos } from './chaos.ts'

type Answer =
  | { readonly kind: 'answered'; readonly status: number; readonly durationMs: number }
  | { readonly kind: 'unanswered'; readonly error: string; readonly durationMs: number }

/** What lies between the gateway and a merchant's server, for one attempt to deliver. */
export type Interfere = (
  walletId: bigint,
  send: () => Promise<Answer>,
  timeoutMs: number,
  cancelled: AbortSignal,
) => Promise<Answer>

/** Only a slow server gets the callback. */
export function callbackTrouble(chaos: Chaos): Interfere {
  return async (walletId, send, timeoutMs, cancelled) => {
    if (!chaos.isPossible('callbacks')) return send()
    const trouble = await chaos.meet('callbacks', (other) => other === walletId)
    const started = performance.now()
    const elapsed = () => Math.round(performance.now() - started)
    const unanswered = (error: string): Answer => ({ kind: 'unanswered', error, durationMs: elapsed() })
    const wait = (ms: number) =>
      pause(ms, undefined, { ref: false, signal: cancelled }).catch(() => undefined)
    switch (trouble?.kind) {
      case undefined:
        return send()
      case 'down':
        return unanswered('ECONNREFUSED: chaos of the sandbox')
      case 'error':
        return { kind: 'answered', status: trouble.status, durationMs: elapsed() }
      case 'silent':
        await wait(timeoutMs)
        return unanswered('no answer in time')
      case 'slow': {
        const answer = await send()
        const leftMs = timeoutMs - elapsed()
        await wait(Math.min(trouble.seconds * second, Math.max(0, leftMs)))
        return trouble.seconds * second > leftMs
          ? unanswered('no answer in time')
          : { ...answer, durationMs: elapsed() }
      }
    }
  }
}
