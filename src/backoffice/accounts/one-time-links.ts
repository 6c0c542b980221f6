// Links that can be used once: an invitation into a team, or a new password.
import { createHash } from 'node:crypto'
import { type Randomness, randomBase62 } from '../../kernel/random.ts'
import { ok, type Result, refuse } from '../../kernel/result.ts'
import { after, type Clock, day, hour, type Instant, toTimestamp } from '../../kernel/time.ts'
import { type Executor, statement } from '../../storage/index.ts'
import type { Role } from '../access/role-rules.ts'

export const linkLifeMs = { invitation: 7 * day, password: 2 * hour } as const

/** 190 bits: beyond guessing. */
const tokenLength = 32

export type LinkPurpose = keyof typeof linkLifeMs

export interface OneTimeLink {
  readonly purpose: LinkPurpose
  readonly email: string
  /** Into whose team, and as what; undefined for operators and new passwords. */
  readonly walletId: bigint | undefined
  readonly role: Role | undefined
  readonly invitedBy: string | undefined
}

interface Deps {
  readonly clock: Clock
  readonly random: Randomness
}

const insertLink = statement(`
  with ended as (
    update backoffice.one_time_links set used_at = $8::timestamptz
    where email = $3 and purpose = $2 and wallet_id is not distinct from $4 and used_at is null
  )
  insert into backoffice.one_time_links
    (digest, purpose, email, wallet_id, role, invited_by, expires_at, created_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8)`)

/** Makes a link and ends the one before it of the same purpose. @returns its token, which is stored nowhere */
export async function makeLink(db: Executor, deps: Deps, link: OneTimeLink): Promise<string> {
  const token = randomBase62(deps.random, tokenLength)
  const now = deps.clock.now()
  await db.run(insertLink, [
    digestOf(token),
    link.purpose,
    link.email.toLowerCase(),
    link.walletId ?? null,
    link.role ?? null,
    link.invitedBy ?? null,
    toTimestamp(after(now, linkLifeMs[link.purpose])),
    toTimestamp(now),
  ])
  return token
}

interface LinkRow {
  purpose: LinkPurpose
  email: string
  wallet_id: bigint | null
  role: Role | null
  invited_by: string | null
  expires_at: Instant
  used_at: Instant | null
}

const selectLink = statement<LinkRow>(`
  select purpose, email, wallet_id, role, invited_by, expires_at, used_at
  from backoffice.one_time_links where digest = $1`)

/** Refusals: not_found; illegal_state for one that was used or is over. */
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
  })
}

const updateUsed = statement<{ email: string }>(`
  update backoffice.one_time_links set used_at = $2
  where digest = $1 and used_at is null and expires_at > $2
  returning email`)

/** Whether it was this call that used it: of two at once one does. */
export async function consumeLink(db: Executor, token: string, now: Instant): Promise<boolean> {
  const rows = await db.run(updateUsed, [digestOf(token), toTimestamp(now)])
  return rows.length === 1
}

function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
