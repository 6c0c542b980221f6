// The SQL of people and teams. The library writes accounts, sessions and passkeys.
import { type Instant, toTimestamp } from '../../kernel/time.ts'
import { execute, hasRows, storeFunction } from '../../storage/index.ts'
import type { Role } from '../access/role-rules.ts'

export interface Membership {
  readonly walletId: bigint
  readonly role: Role
}

export const membershipsOf = storeFunction(
  (userId: string) => [userId],
  (rows: { wallet_id: bigint; role: Role }[]) =>
    rows.map(({ wallet_id, role }) => ({ walletId: wallet_id, role })),
)`
  select wallet_id, role from backoffice.members where user_id = $1 order by created_at, wallet_id`

/** Adds a member or changes the role. An owner stays owner, so that every team has one. */
export const putMember = execute(({ walletId, role }: Membership, userId: string, now: Instant) => [
  walletId,
  userId,
  role,
  toTimestamp(now),
])`
  insert into backoffice.members (wallet_id, user_id, role, created_at) values ($1, $2, $3, $4)
  on conflict (wallet_id, user_id) do update
  set role = case when members.role = 'owner' then members.role else excluded.role end`

interface FactsRow {
  is_operator: boolean
  two_factor: boolean
  confirmed_at: Instant | null
  seen_at: Instant
  role: Role | null
  team_two_factor: boolean
}

/** Facts that the library does not store, with the role in `walletId`. Undefined if the session ended. */
export const factsOfSession = storeFunction(
  (sessionId: string, walletId: bigint | undefined, now: Instant) => [
    sessionId,
    walletId ?? null,
    toTimestamp(now),
  ],
  ([row]: FactsRow[]) =>
    row && {
      isOperator: row.is_operator,
      confirmedAt: row.confirmed_at ?? undefined,
      role: row.role ?? undefined,
      hasTwoFactor: row.two_factor,
      teamAsksTwoFactor: row.team_two_factor,
      seenAt: row.seen_at,
    },
)`
  select users.is_operator, coalesce(users.two_factor_enabled, false) as two_factor, sessions.confirmed_at,
    coalesce(sessions.seen_at, sessions.created_at) as seen_at, members.role,
    coalesce((select two_factor from backoffice.team_rules where wallet_id = $2), false) as team_two_factor
  from backoffice.sessions join backoffice.users on users.id = sessions.user_id
  left join backoffice.members on members.user_id = users.id and members.wallet_id = $2
  where sessions.id = $1 and sessions.expires_at > $3`

export const markSeen = execute((sessionId: string, now: Instant) => [sessionId, toTimestamp(now)])`
  update backoffice.sessions set seen_at = $2 where id = $1`

export const markConfirmed = execute((sessionId: string, now: Instant) => [sessionId, toTimestamp(now)])`
  update backoffice.sessions set confirmed_at = $2 where id = $1`

export const findUser = storeFunction(
  (email: string) => [email],
  ([row]: { id: string; name: string; is_operator: boolean }[]) =>
    row && { id: row.id, name: row.name, isOperator: row.is_operator },
)`
  select id, name, is_operator from backoffice.users where email = lower($1)`

export const makeOperator = execute((userId: string) => [userId])`
  update backoffice.users set is_operator = true where id = $1`

export interface NewUser {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly hash: string
}

/** Adds a user with an unverified address. Returns false if the address has an account already. */
export const insertUser = hasRows((user: NewUser, now: Instant) => [
  user.id,
  user.name,
  user.email,
  user.hash,
  toTimestamp(now),
])`
  with made as (
    insert into backoffice.users (id, name, email, email_verified, created_at, updated_at)
    values ($1, $2, lower($3), false, $5, $5)
    on conflict (email) do nothing returning id
  )
  insert into backoffice.accounts (id, user_id, account_id, provider_id, password, created_at, updated_at)
  select id, id, id, 'credential', $4, $5, $5 from made returning user_id`

/** Ends every session and removes the passkeys, because a stranger may have added them. The app stays. */
export const replacePassword = execute((userId: string, hash: string, now: Instant) => [
  userId,
  hash,
  toTimestamp(now),
])`
  with ended as (delete from backoffice.sessions where user_id = $1),
  forgotten as (delete from backoffice.passkeys where user_id = $1)
  update backoffice.accounts set password = $2, updated_at = $3
  where user_id = $1 and provider_id = 'credential'`

export const removeTwoFactor = execute((userId: string, now: Instant) => [userId, toTimestamp(now)])`
  with forgotten as (delete from backoffice.two_factors where user_id = $1)
  update backoffice.users set two_factor_enabled = false, updated_at = $2 where id = $1`

export const passwordHashOf = storeFunction(
  (email: string) => [email],
  ([row]: { password: string | null }[]) => row?.password ?? undefined,
)`
  select accounts.password from backoffice.accounts join backoffice.users on users.id = accounts.user_id
  where users.email = lower($1) and provider_id = 'credential'`

export const markSignedIn = storeFunction(
  (userId: string, now: Instant) => [userId, toTimestamp(now)],
  ([row]: { email: string }[]) => row?.email,
)`
  update backoffice.users set signed_in_at = $2 where id = $1 returning email`

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

export const sessionsOf = storeFunction(
  (userId: string, now: Instant) => [userId, toTimestamp(now)],
  (rows: SessionRow[]) =>
    rows.map((row) => ({
      id: row.id,
      createdAt: row.created_at,
      usedAt: row.updated_at,
      address: row.ip_address ?? undefined,
      userAgent: row.user_agent ?? undefined,
    })),
)`
  select id, created_at, updated_at, ip_address, user_agent from backoffice.sessions
  where user_id = $1 and expires_at > $2 order by created_at desc limit 100`

export const endSession = hasRows((userId: string, sessionId: string) => [userId, sessionId])`
  delete from backoffice.sessions where user_id = $1 and id = $2 returning id`

export const endSessionsBefore = execute((userId: string, moment: Instant) => [userId, toTimestamp(moment)])`
  delete from backoffice.sessions where user_id = $1 and created_at < $2`

export const endOtherSessions = storeFunction(
  (userId: string, sessionId: string) => [userId, sessionId],
  (rows: { id: string }[]) => rows.length,
)`
  delete from backoffice.sessions where user_id = $1 and id <> $2 returning id`
