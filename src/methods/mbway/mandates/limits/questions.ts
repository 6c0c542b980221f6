// Limits of requests to a phone: anyone can type its number.
import { type Refusal, RefusalError } from '../../../../kernel/result.ts'
import { after, hour, type Instant, second } from '../../../../kernel/time.ts'
import type { Executor } from '../../../../storage/index.ts'
import { type CountedQuestion, countQuestions, type Question } from './questions-store.ts'

/** CONTRACT section 12. */
const openPerPhoneMax = 3
const perCheckoutAndHourMax = 10

/**
 * Admits the request that `tx` has just written, or throws too_many_requests with the seconds to wait. Concurrent
 * requests are counted in turn, across processes.
 */
export async function admitQuestion(tx: Executor, question: Question, now: Instant): Promise<void> {
  const counted = await countQuestions(tx, question, now, after(now, -hour))
  const refusal = refusalOf(counted, now)
  if (refusal !== undefined) throw new RefusalError(refusal)
}

function refusalOf(counted: readonly CountedQuestion[], now: Instant): Refusal | undefined {
  const times = (of: CountedQuestion['kind']) => counted.filter(({ kind }) => kind === of).map(({ at }) => at)
  const open = times('open')
  if (open.length > openPerPhoneMax)
    return tooMany(
      `the phone has ${openPerPhoneMax} unanswered requests of this merchant`,
      Math.min(...open) - now,
    )
  const asked = times('asked')
  if (asked.length > perCheckoutAndHourMax)
    return tooMany(
      `the checkout has sent ${perCheckoutAndHourMax} requests to phones within an hour`,
      Math.min(...asked) + hour - now,
    )
  return undefined
}

function tooMany(why: string, waitMs: number): Refusal {
  const retrySeconds = Math.max(1, Math.ceil(waitMs / second))
  return { kind: 'too_many_requests', reason: `${why}: try again in ${retrySeconds} s`, retrySeconds }
}
