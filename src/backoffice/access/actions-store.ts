// The log of who did what: written before it is done, and again with how it ended.
import { type Instant, toTimestamp } from '../../kernel/time.ts'
import { type Executor, statement } from '../../storage/index.ts'

export interface NewAction {
  readonly at: Instant
  /** Whose; undefined for what belongs to no merchant. */
  readonly walletId: bigint | undefined
  readonly userId: string
  readonly email: string
  /** What was asked for, as the route says it. */
  readonly action: string
  /** The path. */
  readonly target: string
  readonly tid: string
}

const insertAction = statement<{ id: bigint }>(`
  insert into backoffice.actions (at, wallet_id, user_id, email, action, target, status, tid)
  values ($1, $2, $3, $4, $5, $6, 0, $7)
  returning id`)

/** @returns its number, for {@link endAction} */
export async function beginAction(db: Executor, action: NewAction): Promise<bigint> {
  const { at, walletId, userId, email, action: what, target, tid } = action
  const [row] = await db.run(insertAction, [
    toTimestamp(at),
    walletId ?? null,
    userId,
    email,
    what,
    target,
    tid,
  ])
  return (row as { id: bigint }).id
}

const updateAction = statement(`update backoffice.actions set status = $2 where id = $1`)

/** @param status of HTTP; one that stays 0 was cut off */
export async function endAction(db: Executor, id: bigint, status: number): Promise<void> {
  await db.run(updateAction, [id, status])
}

export interface Action extends Omit<NewAction, 'walletId' | 'userId'> {
  readonly id: bigint
  readonly status: number
  readonly walletId: bigint | null
}

interface ActionRow {
  id: bigint
  at: Instant
  wallet_id: bigint | null
  email: string
  action: string
  target: string
  status: number
  tid: string
}

const selectActions = statement<ActionRow>(`
  select id, at, wallet_id, email, action, target, status, tid from backoffice.actions
  where wallet_id = $1 and ($2::bigint is null or id < $2)
  order by id desc limit $3`)

const selectAllActions = statement<ActionRow>(`
  select id, at, wallet_id, email, action, target, status, tid from backoffice.actions
  where $1::bigint is null or id < $1
  order by id desc limit $2`)

/** Newest first, of one wallet; or of all, for the operator. */
export async function listActions(
  db: Executor,
  walletId: bigint | 'all',
  page: { readonly before: bigint | undefined; readonly limit: number },
): Promise<Action[]> {
  const before = page.before ?? null
  const rows =
    walletId === 'all'
      ? await db.run(selectAllActions, [before, page.limit])
      : await db.run(selectActions, [walletId, before, page.limit])
  return rows.map(({ wallet_id, ...row }) => ({ ...row, walletId: wallet_id }))
}
