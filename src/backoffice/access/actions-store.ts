// The SQL of the action log.
import { amountOnWire, type Change } from '../../http/index.ts'
import { cents } from '../../kernel/money.ts'
import { type Instant, toTimestamp } from '../../kernel/time.ts'
import { type Executor, execute, statement } from '../../storage/index.ts'

export interface NewAction {
  readonly at: Instant
  readonly walletId: bigint | undefined
  readonly userId: string
  readonly email: string
  readonly action: string
  readonly target: string
  readonly tid: string
  readonly address: string | undefined
  readonly amount?: bigint | undefined
  /** The object, if the path does not name it: an e-mail, or the name of a key. */
  readonly about?: string | undefined
  readonly requestId?: string | undefined
}

const insertAction = statement<{ id: bigint }>(`
  insert into backoffice.actions
    (at, wallet_id, user_id, email, action, target, status, tid, address, amount, about, request_id)
  values ($1, $2, $3, $4, $5, $6, 0, $7, $8, $9, $10, $11)
  returning id`)

export async function beginAction(db: Executor, action: NewAction): Promise<bigint> {
  const { at, walletId, userId, email, action: what, target, tid, address } = action
  const { amount = null, about = null, requestId = null } = action
  const [row] = await db.run(insertAction, [
    toTimestamp(at),
    walletId ?? null,
    userId,
    email,
    what,
    target,
    tid,
    address ?? null,
    amount,
    about,
    requestId,
  ])
  return (row as { id: bigint }).id
}

export interface EndOfAction {
  /** The HTTP status; 0 if the request was cut off. */
  readonly status: number
  readonly walletId: bigint | undefined
  readonly changes: readonly Change[]
}

export const endAction = execute((id: bigint, end: EndOfAction) => [
  id,
  end.status,
  end.walletId ?? null,
  end.changes.length === 0 ? null : JSON.stringify(end.changes),
])`
  update backoffice.actions set status = $2, wallet_id = coalesce(wallet_id, $3), changes = $4::jsonb
  where id = $1`

/** Deletes the entry of a repeated request, which counts as one action. */
export const forgetAction = execute((id: bigint) => [id])`
  delete from backoffice.actions where id = $1`

/** An action on an account, such as a sign-in. It is logged after its end. */
export interface AccountAction extends Pick<NewAction, 'at' | 'action' | 'target' | 'tid'> {
  readonly address: string
  readonly status: number
  readonly walletId?: bigint | undefined
  readonly changes?: readonly Change[]
}

const insertOfAccount = statement(`
  insert into backoffice.actions (at, user_id, email, action, target, status, tid, address, wallet_id, changes)
  select $1, id, email, $2, $3, $4, $5, $6, $9, $10::jsonb from backoffice.users
  where id = $7 or email = lower($8)`)

/** Writes nothing for an unknown account, because the text typed as its e-mail may be a password. */
export async function logAccountAction(
  db: Executor,
  { at, action, target, status, tid, address, walletId, changes }: AccountAction,
  account: { readonly userId: string } | { readonly email: string },
): Promise<void> {
  const userId = 'userId' in account ? account.userId : null
  const email = 'email' in account ? account.email.trim() : null
  const of = [walletId ?? null, changes === undefined ? null : JSON.stringify(changes)]
  await db.run(insertOfAccount, [toTimestamp(at), action, target, status, tid, address, userId, email, ...of])
}

export interface Action extends Pick<NewAction, 'at' | 'email' | 'action' | 'target' | 'tid'> {
  readonly id: bigint
  readonly status: number
  readonly walletId: bigint | null
  readonly address: string | null
  readonly amount: bigint | null
  readonly about: string | null
  readonly changes: readonly Change[] | null
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
  address: string | null
  amount: bigint | null
  about: string | null
  changes: Change[] | null
}

const columns = 'id, at, wallet_id, email, action, target, status, tid, address, amount, about, changes'

/** The person acted for themselves, not as an operator. */
const isOwnSql = "wallet_id is null and not starts_with(target, '/backoffice/api/operator/')"

const selectActions = statement<ActionRow>(`
  select * from (
    (select ${columns} from backoffice.actions
     where wallet_id = $1 and ($2::bigint is null or id < $2)
     order by id desc limit $3)
    union all
    (select own.* from backoffice.members cross join lateral (
       select ${columns} from backoffice.actions
       where user_id = members.user_id and ${isOwnSql} and ($2::bigint is null or id < $2)
         and at >= members.created_at
       order by id desc limit $3) as own
     where members.wallet_id = $1)
  ) as shown
  order by id desc limit $3`)

const selectAllActions = statement<ActionRow>(`
  select ${columns} from backoffice.actions
  where $1::bigint is null or id < $1
  order by id desc limit $2`)

/** Newest first: actions on a wallet and account actions of its people since they joined, or all actions. */
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

export function actionOnWire({
  at,
  email,
  action,
  target,
  status,
  tid,
  amount,
  about,
  changes,
}: Omit<Action, 'id' | 'walletId' | 'address'>) {
  return {
    ...{ at: toTimestamp(at), email, action, target, status, tid },
    ...(amount !== null && { amount: amountOnWire(cents(amount)) }),
    ...(about !== null && { about }),
    ...(changes !== null && { changes: [...changes] }),
  }
}

/** A person who made a request, with their present role. */
export interface Asker {
  readonly name: string
  readonly role: string | null
}

const selectAskers = statement<{ request_id: string; name: string; role: string | null }>(`
  select distinct on (actions.request_id) actions.request_id, coalesce(users.name, actions.email) as name, members.role
  from backoffice.actions
  left join backoffice.users on users.id = actions.user_id
  left join backoffice.members on members.user_id = actions.user_id and members.wallet_id = actions.wallet_id
  where actions.wallet_id = $1 and actions.request_id = any($2::uuid[])
  order by actions.request_id, actions.id`)

/** The people who made these requests of the wallet. Requests of programs are absent. */
export async function askersOf(
  db: Executor,
  walletId: bigint,
  requestIds: readonly string[],
): Promise<ReadonlyMap<string, Asker>> {
  if (requestIds.length === 0) return new Map()
  const rows = await db.run(selectAskers, [walletId, [...requestIds]])
  return new Map(rows.map(({ request_id, name, role }) => [request_id, { name, role }]))
}
