// When a delivery is attempted, and what an answer means for it (CONTRACT section 16).
import type { Randomness } from '../../kernel/random.ts'
import { after, hour, type Instant, minute, second } from '../../kernel/time.ts'
import type { Answer, DeliveryOutcome } from '../model.ts'

/** How long each attempt waits for the one before; together about 48 hours. */
export const attemptDelaysMs: readonly number[] = [
  0,
  5 * second,
  30 * second,
  2 * minute,
  10 * minute,
  30 * minute,
  1 * hour,
  2 * hour,
  4 * hour,
  8 * hour,
  8 * hour,
  12 * hour,
  12 * hour,
]

/** Jitter: added to each wait at most, so that attempts that failed together are not repeated together. */
const jitterPartMax = 0.1
const gone = 410

/**
 * The state of a delivery after an attempt: any 2xx ends it, 410 and the last failure give up, and
 * everything else waits for the next attempt.
 *
 * @param attemptsBefore attempts made before this one
 * @param now when the attempt ended: waits are counted from there
 */
export function outcomeAfter(
  answer: Answer,
  attemptsBefore: number,
  now: Instant,
  random: Randomness,
): DeliveryOutcome {
  if (answer.kind === 'answered') {
    if (answer.status >= 200 && answer.status <= 299) return { state: 'DELIVERED', finishedAt: now }
    if (answer.status === gone) return { state: 'GIVEN_UP', finishedAt: now }
  }
  const delayMs = attemptDelaysMs[attemptsBefore + 1]
  if (delayMs === undefined) return { state: 'GIVEN_UP', finishedAt: now }
  const jitterMs = Math.floor(delayMs * jitterPartMax * fraction(random))
  return { state: 'DUE', dueAt: after(now, delayMs + jitterMs) }
}

/** Evenly spread from 0 to below 1. */
function fraction(random: Randomness): number {
  const bytes = random.bytes(4)
  return new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0) / 2 ** 32
}
