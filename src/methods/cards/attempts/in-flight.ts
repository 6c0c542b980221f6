// Attempts that this process is deciding. Pages wait for them briefly, a stop until they end.
import { setTimeout as pause } from 'node:timers/promises'
import { after, type Clock, type Instant, minute, second } from '../../../kernel/time.ts'

const pageWaitMsMax = 2500

export type AttemptsInFlight = ReturnType<typeof createAttemptsInFlight>

export function createAttemptsInFlight(onError: (error: unknown) => void) {
  const works = new Map<string, Promise<void>>()
  return {
    begin(attemptKey: string, work: Promise<void>): void {
      const tracked = work.catch(onError).finally(() => {
        if (works.get(attemptKey) === tracked) works.delete(attemptKey)
      })
      works.set(attemptKey, tracked)
    },
    async waitBriefly(attemptKey: string): Promise<void> {
      const work = works.get(attemptKey)
      if (work === undefined) return
      const pageWait = new AbortController()
      await Promise.race([
        work,
        pause(pageWaitMsMax, undefined, { signal: pageWait.signal }).catch(() => undefined),
      ])
      pageWait.abort()
    },
    async all(): Promise<void> {
      await Promise.all(works.values())
    },
  }
}

/** Longer than any challenge takes. Then the security code is deleted (PCI DSS 3.3.1). */
const keptMinutes = 15
/** Uses real time, because it limits memory, and the sandbox can move the clock. */
const sweepMs = second

export type SecurityCodes = ReturnType<typeof createSecurityCodes>

export function createSecurityCodes(clock: Clock) {
  const kept = new Map<string, { readonly vcode: string; readonly until: Instant }>()

  let sweep: NodeJS.Timeout | undefined

  function forgetStale(): void {
    const now = clock.now()
    for (const [key, { until }] of kept) {
      if (until > now) return
      kept.delete(key)
    }
    clearInterval(sweep)
    sweep = undefined
  }

  return {
    keep(attemptKey: string, vcode: string): void {
      forgetStale()
      kept.set(attemptKey, { vcode, until: after(clock.now(), keptMinutes * minute) })
      sweep ??= setInterval(forgetStale, sweepMs).unref()
    },
    has(attemptKey: string): boolean {
      forgetStale()
      return kept.has(attemptKey)
    },
    take(attemptKey: string): string | undefined {
      forgetStale()
      const entry = kept.get(attemptKey)
      kept.delete(attemptKey)
      return entry?.vcode
    },
  }
}
