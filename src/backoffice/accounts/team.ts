// The SQL of a merchant's team, which always has an owner.
import { ok, type Result, refuse } from '../../kernel/result.ts'
import type { Instant } from '../../kernel/time.ts'
import { type Database, type Executor, execute, statement, storeFunction } from '../../storage/index.ts'
import type { Role } from '../access/role-rules.ts'

export interface Member {
  readonly userId: string
  readonly name: string
  readonly email: string
  readonly role: Role
  readonly joinedAt: Instant
  readonly signedInAt: Instant | undefined
  readonly hasTwoFactor: boolean
}

interface MemberRow {
  user_id: string
  name: string
  email: string
  role: Role
  created_at: Instant
  signed_in_at: Instant | null
  two_factor: boolean
}

const columns = `user_id, name, email, role, members.created_at, signed_in_at,
  coalesce(two_factor_enabled, false) as two_factor`

export const membersOf = storeFunction(
  (walletId: bigint) => [walletId],
  (rows: MemberRow[]) => rows.map(memberOf),
)`
  select ${columns} from backoffice.members join backoffice.users on users.id = user_id
  where wallet_id = $1
  order by array_position(array['owner', 'finance', 'support', 'developer', 'read_only'], role), name, user_id`

export const findMember = storeFunction(
  (walletId: bigint, userId: string) => [walletId, userId],
  ([row]: MemberRow[]) => row && memberOf(row),
)`
  select ${columns} from backoffice.members join backoffice.users on users.id = user_id
  where wallet_id = $1 and user_id = $2`

function memberOf(row: MemberRow): Member {
  return {
    userId: row.user_id,
    name: row.name,
    email: row.email,
    role: row.role,
    joinedAt: row.created_at,
    signedInAt: row.signed_in_at ?? undefined,
    hasTwoFactor: row.two_factor,
  }
}

export const teamAsksTwoFactor = storeFunction(
  (walletId: bigint) => [walletId],
  ([row]: { two_factor: boolean }[]) => row?.two_factor === true,
)`
  select two_factor from backoffice.team_rules where wallet_id = $1`

export const askTwoFactor = execute((walletId: bigint, isAsked: boolean) => [walletId, isAsked])`
  insert into backoffice.team_rules (wallet_id, two_factor) values ($1, $2)
  on conflict (wallet_id) do update set two_factor = excluded.two_factor`

/** Makes changes of one team wait for each other. */
const lockTeam = statement(`
  select 1 from backoffice.members where wallet_id = $1 order by user_id for update`)

const otherOwner = `exists (
  select 1 from backoffice.members as others
  where others.wallet_id = $1 and others.user_id <> $2 and others.role = 'owner')`

/** A former owner may have kept the links of invitations, so they end. */
const endInvitationsOf = `
  delete from backoffice.one_time_links
  where wallet_id = $1 and used_at is null and invited_by in (select user_id from changed)`

const updateRole = statement<{ user_id: string }>(`
  with changed as (
    update backoffice.members set role = $3
    where wallet_id = $1 and user_id = $2 and (role <> 'owner' or $3 = 'owner' or ${otherOwner})
    returning user_id, role
  ),
  ended as (${endInvitationsOf} and $3 <> 'owner')
  select user_id from changed`)

/** Refusals: not_found; illegal_state for the last owner. */
export async function changeRole(
  database: Database,
  walletId: bigint,
  userId: string,
  role: Role,
): Promise<Result<void>> {
  return database.transaction(async (tx) => {
    await tx.run(lockTeam, [walletId])
    const rows = await tx.run(updateRole, [walletId, userId, role])
    return rows.length === 1 ? ok(undefined) : notDone(tx, walletId, userId)
  })
}

const deleteMember = statement<{ user_id: string }>(`
  with changed as (
    delete from backoffice.members
    where wallet_id = $1 and user_id = $2 and (role <> 'owner' or ${otherOwner})
    returning user_id
  ),
  ended as (${endInvitationsOf}),
  withdrawn as (
    delete from backoffice.one_time_links
    where wallet_id = $1 and used_at is null
      and email in (select email from backoffice.users join changed on user_id = id)
      and invited_by is distinct from $2
  )
  select user_id from changed`)

/** Removes a member, from the next request on. Refusals: not_found; illegal_state for the last owner. */
export async function removeMember(
  database: Database,
  walletId: bigint,
  userId: string,
): Promise<Result<void>> {
  return database.transaction(async (tx) => {
    await tx.run(lockTeam, [walletId])
    const rows = await tx.run(deleteMember, [walletId, userId])
    return rows.length === 1 ? ok(undefined) : notDone(tx, walletId, userId)
  })
}

async function notDone(tx: Executor, walletId: bigint, userId: string): Promise<Result<never>> {
  const member = await findMember(tx, walletId, userId)
  if (member === undefined) return refuse('not_found', 'there is nobody with that id in the team')
  return refuse('illegal_state', `${member.email} is the only owner: make somebody else an owner first`)
}
