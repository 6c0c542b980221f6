// Security codes between the form and the one authorization that needs them: in this process's memory only.
import { after, type Clock, type Instant, minute } from '../../kernel/time.ts'

/** As long as a challenge may take; then the code is forgotten (PCI DSS 3.3.1). */
const keptMinutes = 15

export interface SecurityCodes {
  keep(attemptId: string, vcode: string): void
  /** Whether this process has the code of that attempt. */
  has(attemptId: string): boolean
  /** Hands the code out once. */
  take(attemptId: string): string | undefined
  /** Drops the codes whose time is over. */
  forgetStale(): void
}

export function createSecurityCodes(clock: Clock): SecurityCodes {
  const kept = new Map<string, { readonly vcode: string; readonly until: Instant }>()

  /** Entries are in the order of their end, so the stale ones come first. */
  function forgetStale(): void {
    const now = clock.now()
    for (const [id, { until }] of kept) {
      if (until > now) return
      kept.delete(id)
    }
  }

  return {
    forgetStale,
    keep(attemptId, vcode) {
      forgetStale()
      kept.set(attemptId, { vcode, until: after(clock.now(), keptMinutes * minute) })
    },
    has(attemptId) {
      forgetStale()
      return kept.has(attemptId)
    },
    take(attemptId) {
      forgetStale()
      const entry = kept.get(attemptId)
      kept.delete(attemptId)
      return entry?.vcode
    },
  }
}
