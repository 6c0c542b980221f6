// Attempts that this process is deciding: pages wait briefly, a stop waits to the end.
import { setTimeout as pause } from 'node:timers/promises'
import { after, type Clock, type Instant, minute, second } from '../../../kernel/time.ts'

const pageWaitMsMax = 2500

export interface AttemptsInFlight {
  begin(attemptKey: string, work: Promise<void>): void
  waitBriefly(attemptKey: string): Promise<void>
  all(): Promise<void>
}

export function createAttemptsInFlight(onError: (error: unknown) => void): AttemptsInFlight {
  const works = new Map<string, Promise<void>>()
  return {
    begin(attemptKey, work) {
      const tracked = work.catch(onError).finally(() => {
        if (works.get(attemptKey) === tracked) works.delete(attemptKey)
      })
      works.set(attemptKey, tracked)
    },
    async waitBriefly(attemptKey) {
      const work = works.get(attemptKey)
      if (work === undefined) return
      const pageWait = new AbortController()
      await Promise.race([
        work,
        pause(pageWaitMsMax, undefined, { signal: pageWait.signal }).catch(() => undefined),
      ])
      pageWait.abort()
    },
    async all() {
      await Promise.all(works.values())
    },
  }
}

/** The longest challenge; then the code is deleted (PCI DSS 3.3.1). */
const keptMinutes = 15
/** Real time, because it limits memory. */
const sweepMs = second

export interface SecurityCodes {
  keep(attemptKey: string, vcode: string): void
  has(attemptKey: string): boolean
  take(attemptKey: string): string | undefined
}

export function createSecurityCodes(clock: Clock): SecurityCodes {
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
    keep(attemptKey, vcode) {
      forgetStale()
      kept.set(attemptKey, { vcode, until: after(clock.now(), keptMinutes * minute) })
      sweep ??= setInterval(forgetStale, sweepMs).unref()
    },
    has(attemptKey) {
      forgetStale()
      return kept.has(attemptKey)
    },
    take(attemptKey) {
      forgetStale()
      const entry = kept.get(attemptKey)
      kept.delete(attemptKey)
      return entry?.vcode
    },
  }
}
