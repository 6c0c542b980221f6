// The retry schedule and the meaning of answers (CONTRACT section 16).
import type { Randomness } from '../../kernel/random.ts'
import { after, hour, type Instant, minute, second } from '../../kernel/time.ts'
import type { Answer, DeliveryOutcome } from '../model.ts'

/** The pause before each attempt. Together they are about 48 hours. */
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

/** A random part, so that failed attempts are not all repeated at the same moment. */
const jitterPartMax = 0.1
const gone = 410

/** 2xx ends the delivery. 410 or the last failure gives it up. After other answers it waits and repeats. */
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
  const dueAt = nextAttemptAt(attemptsBefore, now, random)
  return dueAt === undefined ? { state: 'GIVEN_UP', finishedAt: now } : { state: 'DUE', dueAt }
}

/** When the next attempt is due, for callbacks and for mail. Undefined after the last one. */
export function nextAttemptAt(attemptsBefore: number, now: Instant, random: Randomness): Instant | undefined {
  const delayMs = attemptDelaysMs[attemptsBefore + 1]
  if (delayMs === undefined) return undefined
  return after(now, delayMs + Math.floor(delayMs * jitterPartMax * fraction(random)))
}

function fraction(random: Randomness): number {
  const bytes = random.bytes(4)
  return new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0) / 2 ** 32
}
