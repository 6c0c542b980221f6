// Reachability of a database server. Each change is reported once.
import type { DatabaseUnavailable } from '../database.ts'
import { isOutOfResources, unavailable } from '../unavailable.ts'

/** A server without resources may still answer reads, so it counts as away for this time. */
const exhaustedMs = 10_000

export type OnReach = (usable: boolean, reason: string) => void

export type Reach = ReturnType<typeof watchReach>

export function watchReach(onReach: OnReach | undefined) {
  /** Undefined before the first answer. Until then failures are only thrown to the caller, not reported. */
  let usable: boolean | undefined
  /** The number of losses. An answer proves nothing if the connection was lost after its question. */
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
