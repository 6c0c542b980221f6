// Whether a call that moves money may still begin: the resolver relies on it that late ones do not.
import { type Clock, type Instant, minute, second, startWatch } from '../kernel/time.ts'

/**
 * A call that begins within this is over, or cancelled, before the resolver asks the rail for the first time:
 * calls last 8 s at most, and it first asks after 10.
 */
const startWithinMs = 2 * second
/** After a longer delay no call is made at all: the customer has gone, and the resolver has taken over. */
const startAtAllWithinMs = minute

/** Asked immediately before a call; false when it must not begin any more. */
export type MayStart = () => Promise<boolean>

/**
 * A call that begins at once costs nothing more. A delayed one asks the database first: `renew` postpones the
 * resolver's first inquiry, counted from `now`, and answers false where the resolver, or another process, took over.
 *
 * @param since from when the resolver's first inquiry is counted
 */
export function startInTime(
  clock: Clock,
  since: Instant,
  renew: (now: Instant) => Promise<boolean>,
): MayStart {
  const heldUp = startWatch(clock, since)
  return async () => {
    for (let elapsed = heldUp; elapsed() > startWithinMs; ) {
      if (heldUp() > startAtAllWithinMs) return false
      const now = clock.now()
      // Measured from before the statement: its answer may be what is held up.
      elapsed = startWatch(clock, now)
      if (!(await renew(now))) return false
    }
    return true
  }
}
