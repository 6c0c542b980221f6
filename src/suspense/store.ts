// The SQL of suspense: each change and its posting in one statement.
import { type Instant, toTimestamp } from '../kernel/time.ts'
import type { PostingRow } from '../ledger/index.ts'
import { claimDueSql, type Executor, type StoredRowOf, statement } from '../storage/index.ts'
import { type SuspenseEntry, suspenseEntries } from './model.ts'

type Row = StoredRowOf<typeof suspenseEntries>

const columns = suspenseEntries.list()

/** Posts for the rows of `changed`: $1 operation, $2 debit, $3 credit, $4 time. */
const postSql = `
  posted as (
    insert into postings (wallet_id, operation_id, purpose, debit_account, credit_account, amount, created_at)
    select 0, $1::uuid, 'suspense', $2::bigint, $3::bigint, changed.amount, $4::timestamptz from changed
  )`

function posted({ operation_id, debit_account, credit_account }: PostingRow, at: Instant): unknown[] {
  return [operation_id, debit_account, credit_account, toTimestamp(at)]
}

const insertEntry = statement<{ id: string }>(`
  with changed as (
    insert into suspense_entries (${columns})
    values (${suspenseEntries.placeholders(5)})
    on conflict (payment_id) do nothing
    returning id, amount
  ),
  ${postSql}
  select id from changed`)

/** False when the payment is already stored. */
export async function insertSuspense(
  db: Executor,
  entry: SuspenseEntry,
  posting: PostingRow,
): Promise<boolean> {
  const values = [...posted(posting, entry.createdAt), ...suspenseEntries.values(entry)]
  return (await db.run(insertEntry, values)).length === 1
}

const selectByPayment = statement<Row>(`select ${columns} from suspense_entries where payment_id = $1`)

export async function findSuspenseOfPayment(
  db: Executor,
  paymentId: string,
): Promise<SuspenseEntry | undefined> {
  return suspenseEntries.first(await db.run(selectByPayment, [paymentId]))
}

const selectEntry = statement<Row>(`select ${columns} from suspense_entries where id = $1`)

export async function findSuspense(db: Executor, id: string): Promise<SuspenseEntry | undefined> {
  return suspenseEntries.first(await db.run(selectEntry, [id]))
}

const selectByRefund = statement<Row>(`select ${columns} from suspense_entries where refund_key = $1`)

export async function findSuspenseOfRefund(
  db: Executor,
  refundKey: string,
): Promise<SuspenseEntry | undefined> {
  return suspenseEntries.first(await db.run(selectByRefund, [refundKey]))
}

const selectEntries = statement<Row>(`
  select ${columns} from suspense_entries
  where $1 or state in ('OPEN', 'REFUNDING')
  order by created_at desc, id desc limit $2`)

/** Newest first; all, or the unresolved ones. */
export async function listSuspense(db: Executor, all: boolean, limit: number): Promise<SuspenseEntry[]> {
  return (await db.run(selectEntries, [all, limit])).map(suspenseEntries.read)
}

const beginRefundRow = statement<{ id: string }>(`
  update suspense_entries set
    state = 'REFUNDING', refund_key = $2, refund_by = $3, refund_to = $5, refunds = refunds + 1, problem = null,
    due_at = $4, tries = 0
  where id = $1 and state = 'OPEN'
  returning id`)

/** False when the entry is not open any more. */
export async function beginRefund(
  db: Executor,
  entry: Pick<SuspenseEntry, 'id' | 'refundKey' | 'refundBy' | 'refundTo'> & { at: Instant },
): Promise<boolean> {
  const { id, refundKey, refundBy, refundTo, at } = entry
  const account = refundTo === undefined ? null : JSON.stringify(refundTo)
  return (await db.run(beginRefundRow, [id, refundKey, refundBy, toTimestamp(at), account])).length === 1
}

const endRefundRow = statement<{ amount: bigint }>(`
  with changed as (
    update suspense_entries set state = 'REFUNDED', resolved_at = $4, due_at = null
    where refund_key = $1 and state = 'REFUNDING'
    returning amount
  ),
  ${postSql}
  select amount from changed`)

/** False when no refund under this key is in progress. */
export async function endRefund(db: Executor, posting: PostingRow, at: Instant): Promise<boolean> {
  return (await db.run(endRefundRow, posted(posting, at))).length === 1
}

const reopenRow = statement<{ amount: bigint }>(`
  with before as (
    select id, state, amount from suspense_entries
    where refund_key = $1 and state in ('REFUNDING', 'REFUNDED')
    for update
  ),
  reopened as (
    update suspense_entries set
      state = 'OPEN', problem = $5, due_at = null, resolved_at = null, refund_key = null, refund_by = null,
      refund_to = null
    from before where suspense_entries.id = before.id
    returning suspense_entries.amount
  ),
  changed as (select amount from before where state = 'REFUNDED'),
  ${postSql}
  select amount from reopened`)

/** The refund failed or was returned; a return is posted the other way. */
export async function reopen(
  db: Executor,
  posting: PostingRow,
  problem: string,
  at: Instant,
): Promise<boolean> {
  return (await db.run(reopenRow, [...posted(posting, at), problem])).length === 1
}

const assignRow = statement<{ amount: bigint }>(`
  with changed as (
    update suspense_entries set state = 'ASSIGNED', operation_id = $1, assigned_wallet_id = $6, resolved_at = $4
    where id = $5 and state = 'OPEN'
    returning amount
  ),
  ${postSql}
  select amount from changed`)

/** False when the entry is not open any more. */
export async function markAssigned(
  db: Executor,
  { id, walletId }: { readonly id: string; readonly walletId: bigint },
  posting: PostingRow,
  at: Instant,
): Promise<boolean> {
  return (await db.run(assignRow, [...posted(posting, at), id, walletId])).length === 1
}

const claimRefunds = statement<Row>(`
  ${claimDueSql('suspense_entries', 'tries = tries + 1')} returning ${columns}`)

export async function claimDueRefunds(
  db: Executor,
  now: Instant,
  leasedUntil: Instant,
  limit: number,
): Promise<SuspenseEntry[]> {
  const rows = await db.run(claimRefunds, [toTimestamp(now), toTimestamp(leasedUntil), limit])
  return rows.map(suspenseEntries.read)
}

const postponeRow = statement(`
  update suspense_entries set due_at = $2 where refund_key = $1 and state = 'REFUNDING'`)

export async function postponeRefund(db: Executor, refundKey: string, dueAt: Instant): Promise<void> {
  await db.run(postponeRow, [refundKey, toTimestamp(dueAt)])
}

/** The bank's unmatched credits are listed elsewhere, though on the same account. */
const selectTotals = statement<{ entries: bigint; total: bigint; oldest: Date | null }>(`
  select count(*) as entries, coalesce(sum(amount), 0)::bigint as total, min(created_at) as oldest
  from (
    select amount, created_at from suspense_entries where state in ('OPEN', 'REFUNDING')
    union all
    select amount, created_at from bank_entries where state = 'UNMATCHED' and direction = 'credit'
  ) as waiting`)

export async function suspenseTotals(
  db: Executor,
): Promise<{ entries: number; total: bigint; oldest: number | undefined }> {
  const [row] = await db.run(selectTotals, [])
  return { entries: Number(row?.entries ?? 0n), total: row?.total ?? 0n, oldest: row?.oldest?.valueOf() }
}
