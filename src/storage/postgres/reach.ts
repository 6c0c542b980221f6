// Reachability of a database server, with one report per change.
import type { DatabaseUnavailable } from '../database.ts'
import { isOutOfResources, unavailable } from '../unavailable.ts'

/** A server without resources may answer reads: it counts as away this long. */
const exhaustedMs = 10_000

export type OnReach = (usable: boolean, reason: string) => void

export type Reach = ReturnType<typeof watchReach>

export function watchReach(onReach: OnReach | undefined) {
  /** Undefined before the first answer: the caller gets the first failure. */
  let usable: boolean | undefined
  /** Counts losses: an answer to a question before a loss proves nothing. */
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
    broken: (error: Error) => lost(error.message),
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
    refuseExhausted(): void {
      if (exhausted !== undefined) throw exhausted
    },
    /** Stops the reports before a planned close. */
    stop(): void {
      stopped = true
    },
  }
}
