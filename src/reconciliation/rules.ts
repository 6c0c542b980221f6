// Times at which the statement of a day is read, and read again.
import { addDays, type Day, startOfLisbonDay } from '../kernel/lisbon.ts'
import { after, backoffMs, hour, type Instant, minute } from '../kernel/time.ts'

/** Providers close a day a little after midnight. */
const closedAfterMs = 2 * hour
/** A day is read again after each of these delays. After the last one the provider has booked everything. */
const readAgainAfterDays = [1, 2, 3, 5, 7] as const
const pauseMs = 5 * minute
const pauseMsMax = hour

/** Days until the last read. The audit reports a difference that remains then, because a person must decide. */
export const settledAfterDays = 7

/** When to read the day next. Undefined after the last read. */
export function nextRead(day: Day, reads: number): Instant | undefined {
  const days = reads === 0 ? 0 : readAgainAfterDays[reads - 1]
  return days === undefined ? undefined : after(startOfLisbonDay(addDays(day, 1 + days)), closedAfterMs)
}

/** When to try again. The pause grows with each failure, up to an hour. */
export function nextTry(now: Instant, failures: number): Instant {
  return after(now, backoffMs(pauseMs, failures - 1, pauseMsMax))
}
