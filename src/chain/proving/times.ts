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
    differencesOf({ number, upto, through }, rows) {
      if (upto <= 0n) return []
      waiting.push({ batch: number, rows })
      // A wrong clock may have been put back: then both times are right.
      if (through === undefined || through === before) return []
      const from = before === undefined ? -Infinity : Math.min(before, through) - tolerance
      const to = Math.max(before ?? through, through) + tolerance
      const found = waiting.flatMap(({ batch, rows }) =>
        rows.flatMap(({ walletId, earliest, latest }) => {
          const odd = [earliest, latest].find((at) => at !== undefined && (at < from || at > to))
          if (odd === undefined) return []
          const wasWritten = before === undefined ? '' : `after ${toTimestamp(before)} and `
          const detail = `what was written ${wasWritten}before ${toTimestamp(through)} is dated ${toTimestamp(odd)}`
          return [{ walletId, batch, detail }]
        }),
      )
      waiting = []
      before = through
      return found
    },
  }
}
