// Security codes between the form and the one authorization that needs them: in this process's memory only.
import { after, type Clock, type Instant, minute, second } from '../../../kernel/time.ts'

/** As long as a challenge may take; then the code is forgotten (PCI DSS 3.3.1). */
const keptMinutes = 15
/** How often codes whose time is over are looked for, while there are any. Real time: it bounds what memory holds. */
const sweepMs = second

export interface SecurityCodes {
  keep(attemptKey: string, vcode: string): void
  /** Whether this process has the code of that attempt. */
  has(attemptKey: string): boolean
  /** Hands the code out once. */
  take(attemptKey: string): string | undefined
}

export function createSecurityCodes(clock: Clock): SecurityCodes {
  const kept = new Map<string, { readonly vcode: string; readonly until: Instant }>()

  /** Nobody may come for a code any more. */
  let sweep: NodeJS.Timeout | undefined

  /** Entries are in the order of their end, so the stale ones come first. */
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
