// Limits of requests to a phone: anyone can type its number.
import { type Refusal, RefusalError } from '../../../kernel/result.ts'
import { after, hour, type Instant, second, toTimestamp } from '../../../kernel/time.ts'
import { type Executor, statement } from '../../../storage/index.ts'

/** Limits of CONTRACT section 12. */
const openPerPhoneMax = 3
const perCheckoutAndHourMax = 10

/**
 * Admits the request that `tx` has just written, or throws too_many_requests with the seconds to wait.
 * Parallel requests wait for each other, across processes.
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

export interface Question {
  readonly walletId: bigint
  readonly phone: string
  /** The operation or subscription of the checkout; absent for direct requests. */
  readonly subjectId?: string | undefined
}

export interface CountedQuestion {
  readonly kind: 'open' | 'asked'
  readonly at: Instant
}

const lockPhone = statement('select pg_advisory_xact_lock(hashtextextended($1::text, 0))')

/** A mandate requested with a payment counts as the payment. */
const selectQuestions = statement<CountedQuestion>(`
  select 'open' as kind, expires_at as at from attempts
  where wallet_id = $1 and method = 'MBWAY' and details ->> 'phone' = $2 and state = 'ASKED'
    and details ->> 'mandateId' is null and expires_at > $4
  union all
  select 'open', asked_until from mandates
  where wallet_id = $1 and phone = $2 and state = 'REQUESTED' and not awaits_payment and asked_until > $4
  union all
  select 'asked', created_at from attempts
  where wallet_id = $1 and operation_id = $3::uuid and method = 'MBWAY' and owner is not null
    and details ->> 'mandateId' is null and created_at > $5
  union all
  select 'asked', created_at from mandates
  where wallet_id = $1 and subscription_id = $3::uuid and not awaits_payment and created_at > $5`)

/** Call it after the write. Other requests for this merchant and phone wait until the transaction ends. */
export async function countQuestions(
  tx: Executor,
  { walletId, phone, subjectId }: Question,
  now: Instant,
  since: Instant,
): Promise<CountedQuestion[]> {
  await tx.run(lockPhone, [`questions to ${phone} for ${walletId}`])
  const parameters = [walletId, phone, subjectId ?? null, toTimestamp(now), toTimestamp(since)]
  return tx.run(selectQuestions, parameters)
}
