// Times in rows, compared with the signed times, against backdating.
import { type Instant, toTimestamp } from '../../kernel/time.ts'
import type { ChainBatch, Difference, WrittenRows } from '../model.ts'

interface Waiting {
  readonly batch: bigint
  readonly rows: readonly WrittenRows[]
}

export interface Times {
  /** Rows dated before the previous round or after their own. A round is answered at its last batch. */
  differencesOf(batch: ChainBatch, rows: readonly WrittenRows[]): Difference[]
}

/** `tolerance` in milliseconds: transactions last, and clocks differ. */
export function createTimes(tolerance: number): Times {
  let before: Instant | undefined
  let waiting: Waiting[] = []
  return {
    differencesOf({ number, endPosition, committedUntil }, rows) {
      if (endPosition <= 0n) return []
      waiting.push({ batch: number, rows })
      // A wrong clock may have been put back: then both times are right.
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
