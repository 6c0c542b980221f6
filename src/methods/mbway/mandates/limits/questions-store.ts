// The SQL that counts what phones are asked, for payments and for mandates alike, one after the other, up to a limit.
import { type Instant, toTimestamp } from '../../../../kernel/time.ts'
import { type Executor, statement } from '../../../../storage/index.ts'

/** What a phone is about to be asked. */
export interface Question {
  readonly walletId: bigint
  /** E.164 */
  readonly phone: string
  /** The operation or subscription of the checkout on which it is asked; absent where the merchant asks. */
  readonly subjectId?: string | undefined
}

/** A question that counts towards a limit, and since when. */
export interface CountedQuestion {
  /** `open`: nobody has answered it; `asked`: on the same checkout, whatever became of it. */
  readonly kind: 'open' | 'asked'
  /** Until when it can be answered; of one `asked` when that was. */
  readonly at: Instant
}

const lockPhone = statement('select pg_advisory_xact_lock(hashtextextended($1::text, 0))')

/** A mandate that is asked for in one question with a payment counts as that payment. */
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

/**
 * The questions that count together with one that has just been written. Until the transaction ends, others
 * that count for the same merchant and phone wait.
 */
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
