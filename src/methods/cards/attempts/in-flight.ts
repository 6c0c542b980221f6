// Attempts that this process is having decided: pages wait for them a moment, a stop waits to the end.
import { setTimeout as pause } from 'node:timers/promises'

/** A customer looks at a blank page no longer than this; then the waiting page takes over. */
const pageWaitMsMax = 2500

export interface AttemptsInFlight {
  /** Goes on with an attempt; nobody has to wait for it. */
  begin(attemptKey: string, work: Promise<void>): void
  /** Comes back when the attempt is decided, or after {@link pageWaitMsMax}. */
  waitBriefly(attemptKey: string): Promise<void>
  /** Comes back when nothing is being decided. */
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
