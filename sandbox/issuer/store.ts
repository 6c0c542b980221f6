// SQL of challenges.
import { type Instant, toTimestamp } from '../../src/kernel/time.ts'
import { type Executor, type StoredRowOf, statement } from '../../src/storage/index.ts'
import { type Challenge, type ChallengeState, challenges } from './model.ts'

type ChallengeRow = StoredRowOf<typeof challenges>

const newChallenges = challenges.omit('interactions', 'authenticationValue', 'sessionData')

const upsertChallenge = statement<ChallengeRow>(`
  insert into sandbox.challenges (${newChallenges.list()}) values (${newChallenges.placeholders()})
  on conflict (three_ds_server_trans_id)
    do update set three_ds_server_trans_id = excluded.three_ds_server_trans_id
  returning *`)

/** Writes a challenge. If the transaction has one already, returns that one. */
export async function openChallenge(db: Executor, challenge: Challenge): Promise<Challenge> {
  const [row] = await db.run(upsertChallenge, newChallenges.values({ ...challenge, state: 'open' }))
  return challenges.read(row as ChallengeRow)
}

const selectChallenge = statement<ChallengeRow>(`
  select * from sandbox.challenges where acs_trans_id = $1 or three_ds_server_trans_id = $1`)

/** Finds a challenge by the id of the issuer or of the 3DS server, which are both UUIDs. */
export async function findChallenge(db: Executor, id: string): Promise<Challenge | undefined> {
  return challenges.first(await db.run(selectChallenge, [id]))
}

const selectOpen = statement<ChallengeRow>(`
  select * from sandbox.challenges where state = 'open' and expires_at > $1
  order by created_at desc, acs_trans_id desc limit $2`)

export async function listOpenChallenges(db: Executor, now: Instant, limit: number): Promise<Challenge[]> {
  return (await db.run(selectOpen, [toTimestamp(now), limit])).map(challenges.read)
}

const selectOverdue = statement<ChallengeRow>(`
  select * from sandbox.challenges where state = 'open' and expires_at <= $1 order by expires_at limit $2`)

export async function listOverdueChallenges(db: Executor, now: Instant, limit: number): Promise<Challenge[]> {
  return (await db.run(selectOverdue, [toTimestamp(now), limit])).map(challenges.read)
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
  readonly answered: boolean
}

/** Undefined if the challenge has changed since the caller read it. */
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
  return row === undefined ? undefined : challenges.read(row)
}

const markReported = statement(`
  update sandbox.challenges set reported_at = $2, three_ds_server_url = null
  where acs_trans_id = $1 and reported_at is null and state <> 'open'`)

export async function recordReported(db: Executor, challenge: Challenge, now: Instant): Promise<void> {
  await db.run(markReported, [challenge.acsTransId, toTimestamp(now)])
}

const keepSessionData = statement(`
  update sandbox.challenges set session_data = $2 where acs_trans_id = $1`)

export async function recordSessionData(db: Executor, challenge: Challenge, data: string): Promise<void> {
  await db.run(keepSessionData, [challenge.acsTransId, data])
}
