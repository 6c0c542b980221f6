// Compares the times in rows with the signed times, to find backdated rows.
import { type Instant, toTimestamp } from '../../kernel/time.ts'
import type { ChainBatch, Difference, WrittenRows } from '../model.ts'

interface Waiting {
  readonly batch: bigint
  readonly rows: readonly WrittenRows[]
}

export interface Times {
  /** Rows dated before the previous round or after their own. A round's results come with its last batch. */
  differencesOf(batch: ChainBatch, rows: readonly WrittenRows[]): Difference[]
}

/** `tolerance`: milliseconds. It allows for the length of transactions and for clocks that differ. */
export function createTimes(tolerance: number): Times {
  let before: Instant | undefined
  let waiting: Waiting[] = []
  return {
    differencesOf({ number, endPosition, committedUntil }, rows) {
      if (endPosition <= 0n) return []
      waiting.push({ batch: number, rows })
      // If a wrong clock was corrected, the older and the newer time are both right.
      if (committedUntil === undefined || committedUntil === before) return []
      const from = before === undefined ? -Infinity : Math.min(before, committedUntil) - tolerance
      const to = Math.max(before ?? committedUntil, committedUntil) + tolerance
      const found = waiting.flatMap(({ batch, rows }) =>
        rows.flatMap(({ walletId, earliest, latest }) => {
          const odd = [earliest, latest].find((at) => at !== undefined && (at < from || at > to))
          if (odd === undefined) return []
          const wasWritten = before === undefined ? '' : `after ${toTimestamp(before)} and `
          const detail = `records written ${wasWritten}before ${toTimestamp(committedUntil)} are dated ${toTimestamp(odd)}`
          return [{ walletId, batch, detail }]
        }),
      )
      waiting = []
      before = committedUntil
      return found
    },
  }
}
