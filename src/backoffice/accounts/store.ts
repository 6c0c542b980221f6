// The SQL of people and teams; the library writes accounts, sessions and passkeys.
import { type Instant, toTimestamp } from '../../kernel/time.ts'
import { type Executor, statement } from '../../storage/index.ts'
import type { Role } from '../access/role-rules.ts'

export interface Membership {
  readonly walletId: bigint
  readonly role: Role
}

const selectMemberships = statement<{ wallet_id: bigint; role: Role }>(`
  select wallet_id, role from backoffice.members where user_id = $1 order by created_at, wallet_id`)

export async function membershipsOf(db: Executor, userId: string): Promise<Membership[]> {
  const rows = await db.run(selectMemberships, [userId])
  return rows.map(({ wallet_id, role }) => ({ walletId: wallet_id, role }))
}

const upsertMember = statement(`
  insert into backoffice.members (wallet_id, user_id, role, created_at) values ($1, $2, $3, $4)
  on conflict (wallet_id, user_id) do update
  set role = case when members.role = 'owner' then members.role else excluded.role end`)

/** Adds a member or changes the role; an owner stays owner, so that every team has one. */
export async function putMember(
  db: Executor,
  { walletId, role }: Membership,
  userId: string,
  now: Instant,
): Promise<void> {
  await db.run(upsertMember, [walletId, userId, role, toTimestamp(now)])
}

interface FactsRow {
  is_operator: boolean
  two_factor: boolean
  confirmed_at: Instant | null
  seen_at: Instant
  role: Role | null
  team_two_factor: boolean
}

const selectUserFacts = statement<FactsRow>(`
  select users.is_operator, coalesce(users.two_factor_enabled, false) as two_factor, sessions.confirmed_at,
    coalesce(sessions.seen_at, sessions.created_at) as seen_at, members.role,
    coalesce((select two_factor from backoffice.team_rules where wallet_id = $2), false) as team_two_factor
  from backoffice.sessions join backoffice.users on users.id = sessions.user_id
  left join backoffice.members on members.user_id = users.id and members.wallet_id = $2
  where sessions.id = $1 and sessions.expires_at > $3`)

/** Session data unknown to the library, with the role in the team of `walletId`; undefined if it has ended. */
export async function factsOfSession(
  db: Executor,
  sessionId: string,
  walletId: bigint | undefined,
  now: Instant,
) {
  const [row] = await db.run(selectUserFacts, [sessionId, walletId ?? null, toTimestamp(now)])
  return (
    row && {
      isOperator: row.is_operator,
      confirmedAt: row.confirmed_at ?? undefined,
      role: row.role ?? undefined,
      hasTwoFactor: row.two_factor,
      teamAsksTwoFactor: row.team_two_factor,
      seenAt: row.seen_at,
    }
  )
}

const updateSeen = statement(`update backoffice.sessions set seen_at = $2 where id = $1`)

export async function markSeen(db: Executor, sessionId: string, now: Instant): Promise<void> {
  await db.run(updateSeen, [sessionId, toTimestamp(now)])
}

const updateConfirmed = statement(`
  update backoffice.sessions set confirmed_at = $2 where id = $1`)

export async function markConfirmed(db: Executor, sessionId: string, now: Instant): Promise<void> {
  await db.run(updateConfirmed, [sessionId, toTimestamp(now)])
}

const selectUserByEmail = statement<{ id: string; name: string; is_operator: boolean }>(`
  select id, name, is_operator from backoffice.users where email = lower($1)`)

export async function findUser(db: Executor, email: string) {
  const [row] = await db.run(selectUserByEmail, [email])
  return row && { id: row.id, name: row.name, isOperator: row.is_operator }
}

const updateOperator = statement(`update backoffice.users set is_operator = true where id = $1`)

export async function makeOperator(db: Executor, userId: string): Promise<void> {
  await db.run(updateOperator, [userId])
}

export interface NewUser {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly hash: string
}

const insertUserRow = statement<{ user_id: string }>(`
  with made as (
    insert into backoffice.users (id, name, email, email_verified, created_at, updated_at)
    values ($1, $2, lower($3), false, $5, $5)
    on conflict (email) do nothing returning id
  )
  insert into backoffice.accounts (id, user_id, account_id, provider_id, password, created_at, updated_at)
  select id, id, id, 'credential', $4, $5, $5 from made returning user_id`)

/** The address is not verified. False if it has an account already. */
export async function insertUser(db: Executor, user: NewUser, now: Instant): Promise<boolean> {
  const rows = await db.run(insertUserRow, [user.id, user.name, user.email, user.hash, toTimestamp(now)])
  return rows.length === 1
}

const updatePassword = statement(`
  with ended as (delete from backoffice.sessions where user_id = $1),
  forgotten as (delete from backoffice.passkeys where user_id = $1)
  update backoffice.accounts set password = $2, updated_at = $3
  where user_id = $1 and provider_id = 'credential'`)

/** Ends every session and removes the passkeys, which someone else may have added; the authenticator app stays. */
export async function replacePassword(
  db: Executor,
  userId: string,
  hash: string,
  now: Instant,
): Promise<void> {
  await db.run(updatePassword, [userId, hash, toTimestamp(now)])
}

const deleteTwoFactor = statement(`
  with forgotten as (delete from backoffice.two_factors where user_id = $1)
  update backoffice.users set two_factor_enabled = false, updated_at = $2 where id = $1`)

export async function removeTwoFactor(db: Executor, userId: string, now: Instant): Promise<void> {
  await db.run(deleteTwoFactor, [userId, toTimestamp(now)])
}

const selectPassword = statement<{ password: string | null }>(`
  select accounts.password from backoffice.accounts join backoffice.users on users.id = accounts.user_id
  where users.email = lower($1) and provider_id = 'credential'`)

export async function passwordHashOf(db: Executor, email: string): Promise<string | undefined> {
  const [row] = await db.run(selectPassword, [email])
  return row?.password ?? undefined
}

const updateSignedIn = statement<{ email: string }>(`
  update backoffice.users set signed_in_at = $2 where id = $1 returning email`)

export async function markSignedIn(db: Executor, userId: string, now: Instant): Promise<string | undefined> {
  const [row] = await db.run(updateSignedIn, [userId, toTimestamp(now)])
  return row?.email
}

export interface OwnSession {
  readonly id: string
  readonly createdAt: Instant
  readonly usedAt: Instant
  readonly address: string | undefined
  readonly userAgent: string | undefined
}

interface SessionRow {
  id: string
  created_at: Instant
  updated_at: Instant
  ip_address: string | null
  user_agent: string | null
}

const selectSessions = statement<SessionRow>(`
  select id, created_at, updated_at, ip_address, user_agent from backoffice.sessions
  where user_id = $1 and expires_at > $2 order by created_at desc limit 100`)

export async function sessionsOf(db: Executor, userId: string, now: Instant): Promise<OwnSession[]> {
  const rows = await db.run(selectSessions, [userId, toTimestamp(now)])
  return rows.map((row) => ({
    id: row.id,
    createdAt: row.created_at,
    usedAt: row.updated_at,
    address: row.ip_address ?? undefined,
    userAgent: row.user_agent ?? undefined,
  }))
}

const deleteSession = statement<{ id: string }>(`
  delete from backoffice.sessions where user_id = $1 and id = $2 returning id`)

export async function endSession(db: Executor, userId: string, sessionId: string): Promise<boolean> {
  return (await db.run(deleteSession, [userId, sessionId])).length === 1
}

const deleteSessionsBefore = statement(`
  delete from backoffice.sessions where user_id = $1 and created_at < $2`)

export async function endSessionsBefore(db: Executor, userId: string, moment: Instant): Promise<void> {
  await db.run(deleteSessionsBefore, [userId, toTimestamp(moment)])
}

const deleteOtherSessions = statement<{ id: string }>(`
  delete from backoffice.sessions where user_id = $1 and id <> $2 returning id`)

export async function endOtherSessions(db: Executor, userId: string, sessionId: string): Promise<number> {
  return (await db.run(deleteOtherSessions, [userId, sessionId])).length
}
