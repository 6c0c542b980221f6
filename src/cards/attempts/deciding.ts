// Attempts that this process is having decided: pages wait for them a moment, a stop waits to the end.
import { setTimeout as pause } from 'node:timers/promises'

/** A customer looks at a blank page no longer than this; then the waiting page takes over. */
const patienceMs = 2500

export interface Deciding {
  /** Goes on with an attempt; nobody has to wait for it. */
  begin(attemptId: string, work: Promise<void>): void
  /** Comes back when the attempt is decided, or when a customer's patience is over. */
  moment(attemptId: string): Promise<void>
  /** Comes back when nothing is being decided. */
  all(): Promise<void>
}

export function createDeciding(onError: (error: unknown) => void): Deciding {
  const works = new Map<string, Promise<void>>()
  return {
    begin(attemptId, work) {
      const tracked = work.catch(onError).finally(() => {
        if (works.get(attemptId) === tracked) works.delete(attemptId)
      })
      works.set(attemptId, tracked)
    },
    async moment(attemptId) {
      const work = works.get(attemptId)
      if (work === undefined) return
      const patience = new AbortController()
      await Promise.race([
        work,
        pause(patienceMs, undefined, { signal: patience.signal }).catch(() => undefined),
      ])
      patience.abort()
    },
    async all() {
      await Promise.all(works.values())
    },
  }
}
