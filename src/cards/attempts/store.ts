// The SQL of attempts to pay by card.
import { type Instant, toTimestamp } from '../../kernel/time.ts'
import { claimDueSql, type Executor, lookup, type StoredRowOf, statement } from '../../storage/index.ts'
import { type AttemptState, type Authentication, type CardAttempt, cardAttempts } from '../model.ts'

type AttemptRow = StoredRowOf<typeof cardAttempts>

const selectAttemptCount = statement<{ attempts: bigint }>(`
  select count(*) as attempts from card_attempts where wallet_id = $1 and subject_id = $2`)

/** How many cards were tried for one payment. */
export async function countAttempts(db: Executor, walletId: bigint, subjectId: string): Promise<number> {
  const [row] = await db.run(selectAttemptCount, [walletId, subjectId])
  return Number(row?.attempts ?? 0)
}

const abandonOthers = statement(`
  update card_attempts set state = 'ABANDONED', sealed_card = null, due_at = null, modified_at = $4
  where wallet_id = $1 and subject_id = $2 and id <> $3 and state in ('STARTED', 'CHALLENGED', 'AUTHENTICATED')`)

/** Ends every earlier attempt that no acquirer was asked about: its late outcome must count for nothing. */
export async function abandonEarlierAttempts(db: Executor, attempt: CardAttempt): Promise<void> {
  const { walletId, subjectId, id, createdAt } = attempt
  await db.run(abandonOthers, [walletId, subjectId, id, toTimestamp(createdAt)])
}

const attemptByKey = lookup<AttemptRow>({
  key: { wallet_id: 'bigint', id: 'uuid' },
  sql: 'select * from card_attempts where wallet_id = wanted.wallet_id and id = wanted.id',
})

export async function findAttempt(
  db: Executor,
  walletId: bigint,
  id: string,
): Promise<CardAttempt | undefined> {
  const row = await db.find(attemptByKey, [walletId, id])
  return row && cardAttempts.read(row)
}

const selectAttemptByToken = statement<AttemptRow>(`
  select * from card_attempts where wallet_id = $1 and subject_id = $2 and page_token = $3`)

/** The attempt that a page started, if it did. */
export async function findAttemptByPageToken(
  db: Executor,
  walletId: bigint,
  subjectId: string,
  pageToken: string,
): Promise<CardAttempt | undefined> {
  return cardAttempts.first(await db.run(selectAttemptByToken, [walletId, subjectId, pageToken]))
}

const attemptByThreeDsId = lookup<AttemptRow>({
  key: { three_ds_id: 'uuid' },
  sql: 'select * from card_attempts where three_ds_id = wanted.three_ds_id',
})

/** Found without a wallet: the browser that returns from the issuer knows only this id, and learns nothing. */
export async function findAttemptByThreeDsId(
  db: Executor,
  threeDsId: string,
): Promise<CardAttempt | undefined> {
  const row = await db.find(attemptByThreeDsId, [threeDsId])
  return row && cardAttempts.read(row)
}

const latestAttempt = lookup<AttemptRow>({
  key: { subject_id: 'uuid' },
  sql: 'select * from card_attempts where subject_id = wanted.subject_id order by id desc',
})

/** The latest attempt about a subject. Found without a wallet: a customer's browser knows only the subject's id. */
export async function findAttemptBySubject(
  db: Executor,
  subjectId: string,
): Promise<CardAttempt | undefined> {
  const row = await db.find(latestAttempt, [subjectId])
  return row && cardAttempts.read(row)
}

const markAsked = statement<{ id: string }>(`
  update card_attempts set asked = true, modified_at = $3, due_at = $4
  where wallet_id = $1 and id = $2 and state = 'STARTED' and not asked
  returning id`)

/** Reserves the one question to the issuer, who must have answered by `dueAt`; false when it was asked before. */
export async function reserveQuestion(
  db: Executor,
  attempt: CardAttempt,
  now: Instant,
  dueAt: Instant,
): Promise<boolean> {
  const parameters = [attempt.walletId, attempt.id, toTimestamp(now), toTimestamp(dueAt)]
  return (await db.run(markAsked, parameters)).length === 1
}

const markChallenged = statement<{ id: string }>(`
  update card_attempts
  set state = 'CHALLENGED', acs_url = $3, acs_transaction_id = $4, modified_at = $5, due_at = $6
  where wallet_id = $1 and id = $2 and state = 'STARTED'
  returning id`)

export interface Challenge {
  readonly acsUrl: string
  readonly acsTransactionId: string
}

export async function recordChallenge(
  db: Executor,
  attempt: CardAttempt,
  { acsUrl, acsTransactionId }: Challenge,
  now: Instant,
  dueAt: Instant,
): Promise<boolean> {
  const parameters = [
    attempt.walletId,
    attempt.id,
    acsUrl,
    acsTransactionId,
    toTimestamp(now),
    toTimestamp(dueAt),
  ]
  return (await db.run(markChallenged, parameters)).length === 1
}

const markAuthenticated = statement<{ id: string }>(`
  update card_attempts set state = 'AUTHENTICATED', authentication = $3::jsonb, modified_at = $4, due_at = $5
  where wallet_id = $1 and id = $2 and state in ('STARTED', 'CHALLENGED')
  returning id`)

/** Records the issuer's yes, once. */
export async function recordAuthentication(
  db: Executor,
  attempt: CardAttempt,
  authentication: Authentication,
  now: Instant,
  dueAt: Instant,
): Promise<boolean> {
  const parameters = [
    attempt.walletId,
    attempt.id,
    JSON.stringify(authentication),
    toTimestamp(now),
    toTimestamp(dueAt),
  ]
  return (await db.run(markAuthenticated, parameters)).length === 1
}

const markAuthorizing = statement<{ id: string }>(`
  update card_attempts set state = 'AUTHORISING', modified_at = $3, due_at = $4
  where wallet_id = $1 and id = $2 and state = 'AUTHENTICATED'
  returning id`)

export async function recordAuthorizing(
  db: Executor,
  attempt: CardAttempt,
  now: Instant,
  dueAt: Instant,
): Promise<boolean> {
  const parameters = [attempt.walletId, attempt.id, toTimestamp(now), toTimestamp(dueAt)]
  return (await db.run(markAuthorizing, parameters)).length === 1
}

const finishAttemptRow = statement<{ id: string }>(`
  update card_attempts
  set state = $4, failure = $5, acquirer_reference = $6, sealed_card = null, due_at = null, modified_at = $7
  where wallet_id = $1 and id = $2 and state = any($3::text[])
  returning id`)

export interface AttemptEnd {
  readonly from: readonly AttemptState[]
  readonly state: 'APPROVED' | 'DECLINED' | 'FAILED' | 'ABANDONED'
  readonly failure?: string | undefined
  readonly reference?: string | undefined
}

/** Ends the attempt and forgets its card; false when it has ended already, or stands elsewhere. */
export async function finishAttempt(
  db: Executor,
  attempt: CardAttempt,
  { from, state, failure, reference }: AttemptEnd,
  now: Instant,
): Promise<boolean> {
  const { walletId, id } = attempt
  const parameters = [walletId, id, [...from], state, failure ?? null, reference ?? null, toTimestamp(now)]
  return (await db.run(finishAttemptRow, parameters)).length === 1
}

const claimDueRows = statement<AttemptRow>(`
  ${claimDueSql('card_attempts', "inquiries = inquiries + case when state = 'AUTHORISING' then 1 else 0 end")}
  returning *`)

/** Attempts open for too long, leased until `leasedUntil`: each is due again then, unless it is finished. */
export async function claimDueAttempts(
  db: Executor,
  now: Instant,
  leasedUntil: Instant,
  limit: number,
): Promise<CardAttempt[]> {
  return (await db.run(claimDueRows, [toTimestamp(now), toTimestamp(leasedUntil), limit])).map(
    cardAttempts.read,
  )
}

const postponeRow = statement(`
  update card_attempts set due_at = $3 where wallet_id = $1 and id = $2 and due_at is not null`)

/** Asks again later. */
export async function postponeAttempt(db: Executor, attempt: CardAttempt, dueAt: Instant): Promise<void> {
  await db.run(postponeRow, [attempt.walletId, attempt.id, toTimestamp(dueAt)])
}
