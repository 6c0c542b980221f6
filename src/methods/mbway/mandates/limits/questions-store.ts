// The SQL that counts requests to a phone, for payments and mandates.
import { type Instant, toTimestamp } from '../../../../kernel/time.ts'
import { type Executor, statement } from '../../../../storage/index.ts'

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

/** Counts after the write. Other requests for the same merchant and phone wait until the transaction ends. */
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
