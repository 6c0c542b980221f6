// Security codes, in the memory of this process until the authorization.
import { after, type Clock, type Instant, minute, second } from '../../../kernel/time.ts'

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
