// The SQL of accounts, journals and entries.
import { type Cents, cents } from '../kernel/money.ts'
import { type ColumnType, type Executor, statement } from '../storage/index.ts'
import type { AccountName, JournalPurpose } from './model.ts'
import { balanceSql } from './rollups-store.ts'

const insertAccount = statement(`
  insert into accounts (wallet_id, kind) values ($1, $2) on conflict do nothing`)

const selectAccount = statement<{ id: bigint }>(`
  select id from accounts where wallet_id = $1 and kind = $2 and currency = 'EUR'`)

/** The account's number, opened if it did not exist. */
export async function openAccount(db: Executor, { walletId, kind }: AccountName): Promise<bigint> {
  const [known] = await db.run(selectAccount, [walletId, kind])
  if (known !== undefined) return known.id
  await db.run(insertAccount, [walletId, kind])
  const [opened] = await db.run(selectAccount, [walletId, kind])
  if (opened === undefined) throw new Error(`account ${kind} of wallet ${walletId} was not opened`)
  return opened.id
}

const lockAccountRow = statement<{ id: bigint }>(
  // Not `for update`, which credits that only refer to the account would wait for.
  'select id from accounts where id = $1 for no key update',
)

/** Lets one debit after the other look at the account's balance. The last lock of its transaction. */
export async function lockAccount(tx: Executor, accountId: bigint): Promise<void> {
  await tx.run(lockAccountRow, [accountId])
}

const selectBalance = statement<{ balance: bigint }>(`select ${balanceSql('$1')} as balance`)

/** What the account holds, in cents. */
export async function findBalance(db: Executor, accountId: bigint): Promise<bigint> {
  const [row] = await db.run(selectBalance, [accountId])
  return row?.balance ?? 0n
}

const selectBalances = statement<{ wallet_id: bigint; balance: bigint }>(`
  select accounts.wallet_id, ${balanceSql('accounts.id')} as balance
  from accounts
  where accounts.wallet_id = any($1::bigint[]) and accounts.kind = 'merchant'`)

/** What the gateway owes each merchant, in cents; negative where the merchant owes the gateway. */
export async function merchantBalances(
  db: Executor,
  walletIds: readonly bigint[],
): Promise<Map<bigint, Cents>> {
  const rows = await db.run(selectBalances, [walletIds])
  return new Map(rows.map(({ wallet_id, balance }) => [wallet_id, cents(balance)]))
}

const selectPostings = statement<{ wallet_id: bigint; kind: string; amount: bigint }>(`
  select accounts.wallet_id, accounts.kind, entries.amount
  from journals
  join entries on entries.wallet_id = journals.wallet_id and entries.journal_id = journals.id
  join accounts on accounts.id = entries.account_id
  where journals.wallet_id = $1 and journals.operation_id = $2
  order by journals.id, entries.amount desc, accounts.kind`)

/** What was posted to which account for an operation of the wallet, journal after journal. */
export async function postingsOf(
  db: Executor,
  walletId: bigint,
  operationId: string,
): Promise<{ walletId: bigint; account: string; amount: Cents }[]> {
  const rows = await db.run(selectPostings, [walletId, operationId])
  return rows.map((row) => ({ walletId: row.wallet_id, account: row.kind, amount: cents(row.amount) }))
}

/** Columns of the row set of entries that {@link postJournalsSql} reads. */
export const entryColumns = {
  operation_id: 'uuid',
  account_id: 'bigint',
  amount: 'bigint',
} as const satisfies Record<string, ColumnType>

/**
 * Common table expressions that write journals and entries for what a statement moved.
 *
 * @param moved name of an expression with `wallet_id`, `id` (the operation), `journal_id`, `at`
 * @param entries name of an expression with {@link entryColumns}
 */
export function postJournalsSql(moved: string, entries: string, purpose: JournalPurpose): string {
  return `
    posted_journals as (
      insert into journals (id, wallet_id, operation_id, purpose, created_at)
      select journal_id, wallet_id, id, '${purpose}', at from ${moved} where journal_id is not null
    ),
    posted_entries as (
      insert into entries (wallet_id, journal_id, account_id, amount)
      select ${moved}.wallet_id, ${moved}.journal_id, ${entries}.account_id, ${entries}.amount
      from ${moved} join ${entries} on ${entries}.operation_id = ${moved}.id
      where ${moved}.journal_id is not null
    )`
}
