// The SQL of accounts and postings.
import { type Cents, cents } from '../kernel/money.ts'
import type { Instant } from '../kernel/time.ts'
import { type Executor, statement } from '../storage/index.ts'
import { type AccountKind, type AccountName, type Posting, type PostingPurpose, postings } from './model.ts'
import { balanceSql } from './rollups.ts'

const insertAccount = statement(`
  insert into accounts (id, wallet_id, kind)
  select case $1::bigint when 0 then -1 else 1 end * nextval(pg_get_serial_sequence('accounts', 'id')), $1, $2
  on conflict do nothing`)

const selectAccount = statement<{ id: bigint }>(`
  select id from accounts where wallet_id = $1 and kind = $2 and currency = 'EUR'`)

/** Returns the number of the account, and opens it if it does not exist. */
export async function openAccount(db: Executor, { walletId, kind }: AccountName): Promise<bigint> {
  const [known] = await db.run(selectAccount, [walletId, kind])
  if (known !== undefined) return known.id
  await db.run(insertAccount, [walletId, kind])
  const [opened] = await db.run(selectAccount, [walletId, kind])
  if (opened === undefined) throw new Error(`account ${kind} of wallet ${walletId} was not opened`)
  return opened.id
}

const lockAccountRow = statement<{ id: bigint }>(
  // `for update` would block roll-ups, because their rows refer to the account.
  'select id from accounts where id = $1 for no key update',
)

/** Makes debits of an account wait for each other. It must be the last lock of its transaction. */
export async function lockAccount(tx: Executor, accountId: bigint): Promise<void> {
  await tx.run(lockAccountRow, [accountId])
}

const selectBalance = statement<{ balance: bigint }>(`select ${balanceSql('$1')} as balance`)

export async function findBalance(db: Executor, accountId: bigint): Promise<bigint> {
  const [row] = await db.run(selectBalance, [accountId])
  return row?.balance ?? 0n
}

/** Two rows for each posting: `wallet_id`, `kind`, `amount` (negative if debited), `purpose`. */
export function bookedSql(wallet: string, operation: string): string {
  return `
    select accounts.wallet_id, accounts.kind, side.amount, postings.purpose
    from postings
    cross join lateral (
      values (postings.credit_account, postings.amount), (postings.debit_account, -postings.amount)
    ) as side(account_id, amount)
    join accounts on accounts.id = side.account_id
    where postings.operation_id = ${operation} and postings.wallet_id = ${wallet}`
}

const selectPostings = statement<{ wallet_id: bigint; kind: string; amount: bigint }>(`
  select wallet_id, kind, sum(amount)::bigint as amount
  from (${bookedSql('$1', '$2')}) as booked
  group by purpose, wallet_id, kind
  having sum(amount) <> 0
  order by purpose, sum(amount) desc, kind`)

/** Postings of the settlement, then postings of a later division. */
export async function postingsOf(
  db: Executor,
  walletId: bigint,
  operationId: string,
): Promise<{ walletId: bigint; account: string; amount: Cents }[]> {
  const rows = await db.run(selectPostings, [walletId, operationId])
  return rows.map((row) => ({ walletId: row.wallet_id, account: row.kind, amount: cents(row.amount) }))
}

const selectLines = statement<{
  operation_id: string
  purpose: PostingPurpose
  created_at: Instant
  amount: bigint
  debit_wallet: bigint
  debit_kind: AccountKind
  credit_wallet: bigint
  credit_kind: AccountKind
}>(`
  select postings.operation_id, postings.purpose, postings.created_at, postings.amount,
    debit.wallet_id as debit_wallet, debit.kind as debit_kind, credit.wallet_id as credit_wallet,
    credit.kind as credit_kind
  from postings
  join accounts as debit on debit.id = postings.debit_account
  join accounts as credit on credit.id = postings.credit_account
  where postings.operation_id = any($2::uuid[]) and postings.wallet_id = $1
  order by postings.id`)

export interface BookedPosting extends Posting {
  readonly operationId: string
  readonly purpose: PostingPurpose
  readonly createdAt: Instant
}

export async function bookedPostings(
  db: Executor,
  walletId: bigint,
  operationIds: readonly string[],
): Promise<BookedPosting[]> {
  return (await db.run(selectLines, [walletId, operationIds])).map((row) => ({
    operationId: row.operation_id,
    purpose: row.purpose,
    createdAt: row.created_at,
    debit: { walletId: row.debit_wallet, kind: row.debit_kind },
    credit: { walletId: row.credit_wallet, kind: row.credit_kind },
    amount: cents(row.amount),
  }))
}

export const postingColumns = postings.pick('operationId', 'debitAccount', 'creditAccount', 'amount').types

/** A CTE that posts for the operations in `moved`. `given` has the columns {@link postingColumns}. */
export function postSql(moved: string, given: string, purpose: PostingPurpose): string {
  return `
    posted as (
      insert into postings (wallet_id, operation_id, purpose, debit_account, credit_account, amount, created_at)
      select ${moved}.wallet_id, ${moved}.id, '${purpose}', ${given}.debit_account, ${given}.credit_account,
        ${given}.amount, ${moved}.at
      from ${moved} join ${given} on ${given}.operation_id = ${moved}.id
    )`
}
