// One-time links for invitations and new passwords.
import { createHash } from 'node:crypto'
import { cellBase62, type Randomness } from '../../kernel/random.ts'
import { ok, type Result, refuse } from '../../kernel/result.ts'
import { after, type Clock, day, hour, type Instant, toTimestamp } from '../../kernel/time.ts'
import { type Executor, hasRows, statement, storeFunction } from '../../storage/index.ts'
import type { Role } from '../access/role-rules.ts'

export const linkLifeMs = { invitation: 7 * day, password: 2 * hour } as const

/** A token of 32 characters has 190 random bits. */
const tokenLength = 32

export type LinkPurpose = keyof typeof linkLifeMs

export interface OneTimeLink {
  readonly purpose: LinkPurpose
  readonly email: string
  readonly walletId: bigint | undefined
  readonly role: Role | undefined
  readonly invitedBy: string | undefined
  readonly takesTwoFactor?: boolean
}

interface Deps {
  readonly clock: Clock
  readonly random: Randomness
}

const insertLink = statement(`
  with ended as (
    update backoffice.one_time_links set used_at = $8::timestamptz
    where email = $3 and purpose = $2 and wallet_id is null and $4::bigint is null and used_at is null
  )
  insert into backoffice.one_time_links
    (digest, purpose, email, wallet_id, role, invited_by, expires_at, created_at, takes_two_factor)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
  on conflict (wallet_id, email) where used_at is null and purpose = 'invitation' and wallet_id is not null
  do update set digest = excluded.digest, role = excluded.role, invited_by = excluded.invited_by,
    expires_at = excluded.expires_at, created_at = excluded.created_at`)

/** Makes a link that replaces an earlier one of the same purpose. The token itself is not stored. */
export async function makeLink(
  db: Executor,
  deps: Deps,
  link: OneTimeLink,
): Promise<{ readonly token: string; readonly expiresAt: Instant }> {
  const token = cellBase62(deps.random, tokenLength)
  const now = deps.clock.now()
  const expiresAt = after(now, linkLifeMs[link.purpose])
  await db.run(insertLink, [
    digestOf(token),
    link.purpose,
    link.email.toLowerCase(),
    link.walletId ?? null,
    link.role ?? null,
    link.invitedBy ?? null,
    toTimestamp(expiresAt),
    toTimestamp(now),
    link.takesTwoFactor === true,
  ])
  return { token, expiresAt }
}

interface LinkRow {
  purpose: LinkPurpose
  email: string
  wallet_id: bigint | null
  role: Role | null
  invited_by: string | null
  expires_at: Instant
  used_at: Instant | null
  takes_two_factor: boolean
}

const selectLink = statement<LinkRow>(`
  select purpose, email, wallet_id, role, invited_by, expires_at, used_at, takes_two_factor
  from backoffice.one_time_links where digest = $1`)

/** Refusals: not_found; illegal_state for a used or expired link. */
export async function findLink(db: Executor, token: string, now: Instant): Promise<Result<OneTimeLink>> {
  const [row] = await db.run(selectLink, [digestOf(token)])
  if (row === undefined) return refuse('not_found', 'there is no such link: ask for a new one')
  if (row.used_at !== null) return refuse('illegal_state', 'the link was used, or replaced by a later one')
  if (row.expires_at <= now) return refuse('illegal_state', 'the link is over: ask for a new one')
  return ok({
    purpose: row.purpose,
    email: row.email,
    walletId: row.wallet_id ?? undefined,
    role: row.role ?? undefined,
    invitedBy: row.invited_by ?? undefined,
    takesTwoFactor: row.takes_two_factor,
  })
}

const lacksOwner = (maker: string) => `not exists (
      select 1 from backoffice.members as makers
      where makers.wallet_id = theirs.wallet_id and makers.user_id = ${maker} and makers.role = 'owner')`

/** SQL condition: a password of this account would open more than the teams that `maker` owns. */
const reachesBeyond = (email: string, maker: string) => `exists (
  select 1 from backoffice.users
  where users.email = ${email} and (users.is_operator or exists (
    select 1 from backoffice.members as theirs
    where theirs.user_id = users.id and ${lacksOwner(maker)})))`

/** Whether a password link for `email` would open more than the maker's own teams. */
export const opensOtherTeams = storeFunction(
  (email: string, makerId: string) => [email, makerId],
  ([row]: { beyond: boolean }[]) => row?.beyond === true,
)`
  select ${reachesBeyond('$1', '$2')} as beyond`

const isInTeam = `exists (
    select 1 from backoffice.users join backoffice.members on members.user_id = users.id
    where users.email = link.email)`
const ownsTeam = `exists (
    select 1 from backoffice.members
    where members.wallet_id = link.wallet_id and members.user_id = link.invited_by and members.role = 'owner')`
/** SQL condition: the maker still owns the team of the invitation, or every team of the account. */
const makerStillMay = `case when purpose = 'password'
  then not ${reachesBeyond('link.email', 'link.invited_by')} and ${isInTeam}
  else ${ownsTeam} end`

/** Uses the link up. Of parallel calls only one returns true. */
export const consumeLink = hasRows((token: string, now: Instant) => [digestOf(token), toTimestamp(now)])`
  update backoffice.one_time_links as link set used_at = $2
  where digest = $1 and used_at is null and expires_at > $2 and (invited_by is null or ${makerStillMay})
  returning email`

export interface OpenInvitation {
  readonly id: string
  readonly email: string
  readonly role: Role
  readonly createdAt: Instant
  readonly expiresAt: Instant
}

interface InvitationRow {
  id: string
  email: string
  role: Role
  created_at: Instant
  expires_at: Instant
}

const selectInvitations = statement<InvitationRow>(`
  select encode(digest, 'hex') as id, email, role, created_at, expires_at from backoffice.one_time_links
  where wallet_id = $1 and used_at is null
  order by created_at desc, digest limit 200`)

/** Invitations into a team that were not used, including expired ones, newest first. */
export async function openInvitations(db: Executor, walletId: bigint): Promise<OpenInvitation[]> {
  const rows = await db.run(selectInvitations, [walletId])
  return rows.map(({ created_at, expires_at, ...row }) => {
    return { ...row, createdAt: created_at, expiresAt: expires_at }
  })
}

export interface OpenLink {
  readonly kind: 'invitation' | 'password link' | 'lost phone link'
  readonly email: string
  readonly role: Role | null
  readonly expiresAt: Instant
}

/** Open links into the team, or for the sign-in of its members. */
export const openLinksOf = storeFunction(
  (walletId: bigint, now: Instant) => [walletId, toTimestamp(now)],
  (rows: (Omit<OpenLink, 'expiresAt'> & { expires_at: Instant })[]) =>
    rows.map(({ expires_at, ...link }) => ({ ...link, expiresAt: expires_at })),
)`
  select case when purpose = 'invitation' then purpose when takes_two_factor then 'lost phone link'
    else 'password link' end as kind, email, role, expires_at
  from backoffice.one_time_links
  where used_at is null and (wallet_id = $1 or purpose = 'password' and expires_at > $2 and email in (
    select users.email from backoffice.members join backoffice.users on users.id = members.user_id
    where members.wallet_id = $1))
  order by created_at`

export const withdrawInvitation = hasRows((walletId: bigint, id: string) => [walletId, id])`
  delete from backoffice.one_time_links
  where wallet_id = $1 and encode(digest, 'hex') = $2 and used_at is null
  returning email`

function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
