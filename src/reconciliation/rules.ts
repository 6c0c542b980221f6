// When days are read, again and again until nothing more is to be expected of them.
import { addDays, type Day, startOfLisbonDay } from '../kernel/lisbon.ts'
import { after, backoffMs, hour, type Instant, minute } from '../kernel/time.ts'

/** Providers close their books a little after midnight. */
const closedAfterMs = 2 * hour
/** In days after the first time: what a provider books late, across a week-end and a holiday, is in by then. */
const readAgainAfterDays = [1, 2, 3, 5, 7] as const
const pauseMs = 5 * minute
const pauseMsMax = hour

/**
 * After so many days no further reading changes a difference: it needs a person, and is a finding of the audit. It is
 * the last of the days after which a day is read again.
 */
export const settledAfterDays = 7

/** When a day is read that was read `reads` times; undefined when that was the last time. */
export function nextRead(day: Day, reads: number): Instant | undefined {
  const days = reads === 0 ? 0 : readAgainAfterDays[reads - 1]
  return days === undefined ? undefined : after(startOfLisbonDay(addDays(day, 1 + days)), closedAfterMs)
}

/** When a day is tried again that could not be read `failures` times in a row: later each time, up to an hour. */
export function nextTry(now: Instant, failures: number): Instant {
  return after(now, backoffMs(pauseMs, failures - 1, pauseMsMax))
}
