// Attempts that this process is deciding: pages wait briefly, a stop waits to the end.
import { setTimeout as pause } from 'node:timers/promises'

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
