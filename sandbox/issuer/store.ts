// The SQL of challenges.
import { type Instant, toTimestamp } from '../../src/kernel/time.ts'
import { type Executor, statement } from '../../src/storage/index.ts'
import type { Challenge, ChallengeState } from './model.ts'

interface ChallengeRow {
  acs_trans_id: string
  three_ds_server_trans_id: string
  ds_trans_id: string
  message_version: string
  message_category: '01' | '02'
  merchant_name: string
  amount: bigint | null
  currency: string | null
  brand: string
  last4: string
  otp: string
  state: ChallengeState
  attempts_left: number
  interactions: number
  authentication_value: string | null
  three_ds_server_url: string | null
  notification_url: string
  session_data: string | null
  created_at: Instant
  expires_at: Instant
}

function challengeOf(row: ChallengeRow): Challenge {
  return {
    acsTransId: row.acs_trans_id,
    threeDsServerTransId: row.three_ds_server_trans_id,
    dsTransId: row.ds_trans_id,
    messageVersion: row.message_version,
    messageCategory: row.message_category,
    merchantName: row.merchant_name,
    amount: row.amount ?? undefined,
    currency: row.currency ?? undefined,
    brand: row.brand,
    last4: row.last4,
    otp: row.otp,
    state: row.state,
    attemptsLeft: row.attempts_left,
    interactions: row.interactions,
    authenticationValue: row.authentication_value ?? undefined,
    threeDsServerUrl: row.three_ds_server_url ?? undefined,
    notificationUrl: row.notification_url,
    sessionData: row.session_data ?? undefined,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  }
}

const upsertChallenge = statement<ChallengeRow>(`
  insert into sandbox.challenges (
    acs_trans_id, three_ds_server_trans_id, ds_trans_id, message_version, message_category, merchant_name,
    amount, currency, brand, last4, otp, state, attempts_left, three_ds_server_url, notification_url,
    created_at, expires_at
  )
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 'open', $12, $13, $14, $15, $16)
  on conflict (three_ds_server_trans_id)
    do update set three_ds_server_trans_id = excluded.three_ds_server_trans_id
  returning *`)

/** Writes a new challenge; a transaction that has one already keeps it, and it is answered. */
export async function openChallenge(db: Executor, challenge: Challenge): Promise<Challenge> {
  const [row] = await db.run(upsertChallenge, [
    challenge.acsTransId,
    challenge.threeDsServerTransId,
    challenge.dsTransId,
    challenge.messageVersion,
    challenge.messageCategory,
    challenge.merchantName,
    challenge.amount ?? null,
    challenge.currency ?? null,
    challenge.brand,
    challenge.last4,
    challenge.otp,
    challenge.attemptsLeft,
    challenge.threeDsServerUrl ?? null,
    challenge.notificationUrl,
    toTimestamp(challenge.createdAt),
    toTimestamp(challenge.expiresAt),
  ])
  return challengeOf(row as ChallengeRow)
}

const selectChallenge = statement<ChallengeRow>(`
  select * from sandbox.challenges where acs_trans_id = $1 or three_ds_server_trans_id = $1`)

/** Found by the issuer's id of the transaction or by the 3DS server's; both must be UUIDs. */
export async function findChallenge(db: Executor, id: string): Promise<Challenge | undefined> {
  const [row] = await db.run(selectChallenge, [id])
  return row === undefined ? undefined : challengeOf(row)
}

const selectOpen = statement<ChallengeRow>(`
  select * from sandbox.challenges where state = 'open' and expires_at > $1
  order by created_at desc, acs_trans_id desc limit $2`)

/** Challenges that wait for their cardholders, newest first. */
export async function listOpenChallenges(db: Executor, now: Instant, limit: number): Promise<Challenge[]> {
  return (await db.run(selectOpen, [toTimestamp(now), limit])).map(challengeOf)
}

const selectOverdue = statement<ChallengeRow>(`
  select * from sandbox.challenges where state = 'open' and expires_at <= $1 order by expires_at limit $2`)

/** Challenges whose cardholders did not come. */
export async function listOverdueChallenges(db: Executor, now: Instant, limit: number): Promise<Challenge[]> {
  return (await db.run(selectOverdue, [toTimestamp(now), limit])).map(challengeOf)
}

const moveChallenge = statement<ChallengeRow>(`
  update sandbox.challenges
  set state = $3, attempts_left = $4, authentication_value = $5, interactions = interactions + $6
  where acs_trans_id = $1 and state = 'open' and interactions = $2
  returning *`)

export interface ChallengeMove {
  readonly state: ChallengeState
  readonly attemptsLeft: number
  readonly authenticationValue?: string
  /** Whether the cardholder had a hand in it. */
  readonly answered: boolean
}

/** Moves the challenge from exactly the state it was read in; undefined when another answer came first. */
export async function recordMove(
  db: Executor,
  challenge: Challenge,
  move: ChallengeMove,
): Promise<Challenge | undefined> {
  const [row] = await db.run(moveChallenge, [
    challenge.acsTransId,
    challenge.interactions,
    move.state,
    move.attemptsLeft,
    move.authenticationValue ?? null,
    move.answered ? 1 : 0,
  ])
  return row === undefined ? undefined : challengeOf(row)
}

const markReported = statement(`
  update sandbox.challenges set reported_at = $2, three_ds_server_url = null
  where acs_trans_id = $1 and reported_at is null and state <> 'open'`)

/** The 3DS server has the result. */
export async function recordReported(db: Executor, challenge: Challenge, now: Instant): Promise<void> {
  await db.run(markReported, [challenge.acsTransId, toTimestamp(now)])
}

const keepSessionData = statement(`
  update sandbox.challenges set session_data = $2 where acs_trans_id = $1`)

export async function recordSessionData(db: Executor, challenge: Challenge, data: string): Promise<void> {
  await db.run(keepSessionData, [challenge.acsTransId, data])
}
