// How often a phone may be asked: anybody can type a number, so its owner must not be flooded with questions.
import { type Refusal, RefusalError } from '../../../../kernel/result.ts'
import { after, hour, type Instant, second } from '../../../../kernel/time.ts'
import type { Executor } from '../../../../storage/index.ts'
import { type CountedQuestion, countQuestions, type Question } from './questions-store.ts'

/** Questions of one merchant that wait on one phone (CONTRACT section 12). */
const openPerPhoneMax = 3
/** Questions on one checkout, whichever phones are typed there. */
const perCheckoutAndHourMax = 10

/**
 * Admits a question that `tx` has just written, or rolls the transaction back. Concurrent ones are counted one
 * after the other, also in different processes.
 *
 * Refusals, thrown: too_many_requests, with the seconds after which one more is admitted.
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
      `the phone has ${openPerPhoneMax} requests of this merchant that nobody has answered`,
      Math.min(...open) - now,
    )
  const asked = times('asked')
  if (asked.length > perCheckoutAndHourMax)
    return tooMany(
      `the checkout has asked phones ${perCheckoutAndHourMax} times within an hour`,
      Math.min(...asked) + hour - now,
    )
  return undefined
}

function tooMany(why: string, waitMs: number): Refusal {
  const retrySeconds = Math.max(1, Math.ceil(waitMs / second))
  return { kind: 'too_many_requests', reason: `${why}: try again in ${retrySeconds} s`, retrySeconds }
}
