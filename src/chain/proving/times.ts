// The times that stand in rows, compared with those that were signed: nobody dates a payment back before it is chained.
import { type Instant, toTimestamp } from '../../kernel/time.ts'
import type { ChainBatch, Difference, WrittenRows } from '../model.ts'

/** Of one batch, until it is known when its round was signed. */
interface Waiting {
  readonly batch: bigint
  readonly rows: readonly WrittenRows[]
}

/** Compares batches in their order. What was there before the chain has no time to be compared with. */
export interface Times {
  /**
   * Where rows were dated before the round of batches before theirs, or after their own: `batch` is the next one. Of a
   * round that was chained in several batches, it is answered with its last.
   */
  differencesOf(batch: ChainBatch, rows: readonly WrittenRows[]): Difference[]
}

/** @param tolerance by how many milliseconds a row may lie outside: transactions last, and clocks differ */
export function createTimes(tolerance: number): Times {
  let before: Instant | undefined
  let waiting: Waiting[] = []
  return {
    differencesOf({ number, upto, through }, rows) {
      if (upto <= 0n) return []
      waiting.push({ batch: number, rows })
      // A clock that was wrong may have been put back: then the times of both are right.
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
