// The SQL of all accounts, for the operator's commands.
import { ok, type Result, refuse } from '../../kernel/result.ts'
import type { Instant } from '../../kernel/time.ts'
import { type Database, statement, storeFunction } from '../../storage/index.ts'
import type { Role } from '../access/role-rules.ts'

export interface ListedPerson {
  readonly email: string
  readonly name: string
  readonly isOperator: boolean
  readonly hasTwoFactor: boolean
  readonly signedInAt: Instant | undefined
  readonly teams: readonly { readonly wallet_id: number; readonly role: Role }[]
}

interface PersonRow {
  email: string
  name: string
  is_operator: boolean
  two_factor: boolean
  signed_in_at: Instant | null
  wallets: bigint[] | null
  roles: Role[] | null
}

export const listPeople = storeFunction(
  () => [],
  (rows: PersonRow[]) =>
    rows.map((row) => ({
      email: row.email,
      name: row.name,
      isOperator: row.is_operator,
      hasTwoFactor: row.two_factor,
      signedInAt: row.signed_in_at ?? undefined,
      teams: (row.wallets ?? []).map((walletId, index) => ({
        wallet_id: Number(walletId),
        role: (row.roles as Role[])[index] as Role,
      })),
    })),
)`
  select email, name, is_operator, coalesce(two_factor_enabled, false) as two_factor, signed_in_at,
    array_agg(wallet_id order by wallet_id) filter (where wallet_id is not null) as wallets,
    array_agg(role order by wallet_id) filter (where wallet_id is not null) as roles
  from backoffice.users left join backoffice.members on user_id = id
  group by id order by email`

/** Locks the teams, so that no other owner leaves at the same time. */
const lockTeams = statement(`
  select 1 from backoffice.members
  where wallet_id in (
    select wallet_id from backoffice.members join backoffice.users on id = user_id where email = lower($1))
  order by wallet_id, user_id for update`)

const selectOwnedAlone = statement<{ wallet_id: bigint }>(`
  select mine.wallet_id from backoffice.members as mine join backoffice.users on id = mine.user_id
  where email = lower($1) and mine.role = 'owner' and not exists (
    select 1 from backoffice.members as others
    where others.wallet_id = mine.wallet_id and others.user_id <> mine.user_id and others.role = 'owner')
  order by wallet_id`)

const deleteUser = statement<{ email: string }>(`
  with ended as (
    delete from backoffice.one_time_links
    where used_at is null
      and (email = lower($1) or invited_by = (select id from backoffice.users where email = lower($1)))
  )
  delete from backoffice.users where email = lower($1) returning email`)

/** The action log keeps the person's actions. Refusals: not_found; illegal_state for a team's only owner. */
export async function removePerson(database: Database, email: string): Promise<Result<void>> {
  return database.transaction(async (tx) => {
    await tx.run(lockTeams, [email])
    const [alone] = await tx.run(selectOwnedAlone, [email])
    if (alone !== undefined) {
      const reason = `${email} is the only owner of wallet ${alone.wallet_id}: make somebody else an owner first`
      return refuse('illegal_state', reason)
    }
    const rows = await tx.run(deleteUser, [email])
    return rows.length === 1
      ? ok(undefined)
      : refuse('not_found', `there is nobody with the address ${email}`)
  })
}
