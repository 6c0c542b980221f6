// The SQL of suspense: each change and its posting in one statement.
import { type Instant, toTimestamp } from '../kernel/time.ts'
import type { PostingRow } from '../ledger/index.ts'
import {
  claimDueSql,
  type Executor,
  execute,
  findAll,
  findFirst,
  hasRows,
  statement,
  storeFunction,
} from '../storage/index.ts'
import { type SuspenseEntry, suspenseEntries } from './model.ts'

const columns = suspenseEntries.list()

/** Posts for the rows of `changed`. $1: operation, $2: debit, $3: credit, $4: time. */
const postSql = `
  posted as (
    insert into postings (wallet_id, operation_id, purpose, debit_account, credit_account, amount, created_at)
    select 0, $1::uuid, 'suspense', $2::bigint, $3::bigint, changed.amount, $4::timestamptz from changed
  )`

function posted({ operation_id, debit_account, credit_account }: PostingRow, at: Instant): unknown[] {
  return [operation_id, debit_account, credit_account, toTimestamp(at)]
}

/** Returns false if the payment is stored already. */
export const insertSuspense = hasRows((entry: SuspenseEntry, posting: PostingRow) => [
  ...posted(posting, entry.createdAt),
  ...suspenseEntries.values(entry),
])`
  with changed as (
    insert into suspense_entries (${columns})
    values (${suspenseEntries.placeholders(5)})
    on conflict (payment_id) do nothing
    returning id, amount
  ),
  ${postSql}
  select id from changed`

export const findSuspenseOfPayment = findFirst(suspenseEntries, (paymentId: string) => [paymentId])`
  select ${columns} from suspense_entries where payment_id = $1`

export const findSuspense = findFirst(suspenseEntries, (id: string) => [id])`
  select ${columns} from suspense_entries where id = $1`

export const findSuspenseOfRefund = findFirst(suspenseEntries, (refundKey: string) => [refundKey])`
  select ${columns} from suspense_entries where refund_key = $1`

/** Newest first: all entries, or only those not resolved. */
export const listSuspense = findAll(suspenseEntries, (all: boolean, limit: number) => [all, limit])`
  select ${columns} from suspense_entries
  where $1 or state in ('OPEN', 'REFUNDING')
  order by created_at desc, id desc limit $2`

const beginRefundRow = statement<{ id: string }>(`
  update suspense_entries set
    state = 'REFUNDING', refund_key = $2, refund_by = $3, refund_to = $5, refunds = refunds + 1, problem = null,
    due_at = $4, tries = 0
  where id = $1 and state = 'OPEN'
  returning id`)

/** Returns false if the entry is no longer open. */
export async function beginRefund(
  db: Executor,
  entry: Pick<SuspenseEntry, 'id' | 'refundKey' | 'refundBy' | 'refundTo'> & { at: Instant },
): Promise<boolean> {
  const { id, refundKey, refundBy, refundTo, at } = entry
  const account = refundTo === undefined ? null : JSON.stringify(refundTo)
  return (await db.run(beginRefundRow, [id, refundKey, refundBy, toTimestamp(at), account])).length === 1
}

/** Returns false if no refund with this key is in progress. */
export const endRefund = hasRows((posting: PostingRow, at: Instant) => posted(posting, at))`
  with changed as (
    update suspense_entries set state = 'REFUNDED', resolved_at = $4, due_at = null
    where refund_key = $1 and state = 'REFUNDING'
    returning amount
  ),
  ${postSql}
  select amount from changed`

/** Opens the entry again, because its refund failed or was returned. The posting goes the other way. */
export const reopen = hasRows((posting: PostingRow, problem: string, at: Instant) => [
  ...posted(posting, at),
  problem,
])`
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
  select amount from reopened`

/** Returns false if the entry is no longer open. */
export const markAssigned = hasRows(
  (
    { id, walletId }: { readonly id: string; readonly walletId: bigint },
    posting: PostingRow,
    at: Instant,
  ) => [...posted(posting, at), id, walletId],
)`
  with changed as (
    update suspense_entries set state = 'ASSIGNED', operation_id = $1, assigned_wallet_id = $6, resolved_at = $4
    where id = $5 and state = 'OPEN'
    returning amount
  ),
  ${postSql}
  select amount from changed`

export const claimDueRefunds = findAll(
  suspenseEntries,
  (now: Instant, leasedUntil: Instant, limit: number) => [toTimestamp(now), toTimestamp(leasedUntil), limit],
)`
  ${claimDueSql('suspense_entries', 'tries = tries + 1')} returning ${columns}`

export const postponeRefund = execute((refundKey: string, dueAt: Instant) => [refundKey, toTimestamp(dueAt)])`
  update suspense_entries set due_at = $2 where refund_key = $1 and state = 'REFUNDING'`

/** Does not total the bank's unmatched credits, which are on the same account but have their own list. */
export const suspenseTotals = storeFunction(
  () => [],
  ([row]: { entries: bigint; total: bigint; oldest: Date | null }[]) => ({
    entries: Number(row?.entries ?? 0n),
    total: row?.total ?? 0n,
    oldest: row?.oldest?.valueOf(),
  }),
)`
  select count(*) as entries, coalesce(sum(amount), 0)::bigint as total, min(created_at) as oldest
  from (
    select amount, created_at from suspense_entries where state in ('OPEN', 'REFUNDING')
    union all
    select amount, created_at from bank_entries where state = 'UNMATCHED' and direction = 'credit'
  ) as waiting`
