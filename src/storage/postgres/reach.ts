// Follows whether a database server can be used, and reports each change once rather than each failed statement.
import type { DatabaseUnavailable } from '../database.ts'
import { isOutOfResources, unavailable } from '../unavailable.ts'

/** A server that ran out of something may answer questions and take no writes: it counts as away this long. */
const exhaustedMs = 10_000

/** Called when a server that answered cannot be used, with the reason, and when it can be used again. */
export type OnReach = (usable: boolean, reason: string) => void

export type Reach = ReturnType<typeof watchReach>

export function watchReach(onReach: OnReach | undefined) {
  /** Undefined before the first answer: that a server was never reachable is reported to the caller. */
  let usable: boolean | undefined
  /** Counts losses: what was asked before one says nothing about the time after it. */
  let losses = 0
  let exhausted: DatabaseUnavailable | undefined
  let stopped = false

  function lost(reason: string): void {
    losses += 1
    if (usable !== true) return
    usable = false
    if (!stopped) onReach?.(false, reason)
  }

  function answered(): void {
    if (usable === false && !stopped) onReach?.(true, '')
    usable = true
  }

  function ranOut(error: DatabaseUnavailable): void {
    exhausted = error
    setTimeout(() => {
      if (exhausted === error) exhausted = undefined
    }, exhaustedMs).unref()
  }

  return {
    /** A connection broke while nobody waited for its answer. */
    broken: (error: Error) => lost(error.message),
    /** Waits for `work`; a failure that means so becomes {@link DatabaseUnavailable}. */
    async during<T>(work: Promise<T>): Promise<T> {
      const lossesBefore = losses
      try {
        const result = await work
        if (losses === lossesBefore && exhausted === undefined) answered()
        return result
      } catch (error) {
        const away = unavailable(error)
        if (away === undefined) throw error
        if (isOutOfResources(error)) ranOut(away)
        lost(`${away.reason}: ${(error as Error).message}`)
        throw away
      }
    },
    /** Throws while the server lacks something that it lately ran out of. */
    refuseExhausted(): void {
      if (exhausted !== undefined) throw exhausted
    },
    /** Reports no more: what ends from now on was ended by us. */
    stop(): void {
      stopped = true
    },
  }
}
