// The SQL of a day's entries, found by posting numbers.
import { addDays, type Day, startOfLisbonDay } from '../kernel/lisbon.ts'
import { toTimestamp } from '../kernel/time.ts'
import { type Executor, type RowOf, type StoredRowOf, statement } from '../storage/index.ts'
import { column } from '../storage/tables/table.ts'
import { accountDays } from './model.ts'
import { feesAccount, movementsSql } from './movements-sql.ts'
import type { Owner } from './store.ts'

/** An entry of the statement: the postings of one kind of one operation. */
const entryFields = accountDays.pick('kind', 'method', 'gross', 'fee').with({
  position: column.bigint(),
  createdAt: column.instant(),
  operationId: column.uuid().optional(),
  extInvoiceId: column.text().optional().named('ext_invoiceid'),
  notes: column.text().optional(),
})

export type StatementEntry = RowOf<typeof entryFields>

interface Span {
  /** The first posting of the day. `last_id`: the last one up to `upto`. */
  first_id: bigint
  last_id: bigint
  has_fees_alone: boolean
  /** Postings after this one are in no span yet. */
  upto: bigint
}

const selectSpan = statement<Span>(`
  select coalesce(first_id, 1) as first_id, coalesce(last_id, 0) as last_id,
    coalesce(has_fees_alone, false) as has_fees_alone, upto
  from account_days_upto left join account_day_spans on account_id = $1 and day = $2`)

// Parameters: $1 account, $2 wallet, $3 and $4 the day's bounds, $5 the position before, $6 the page size.
// The span: $7 and $8 its bounds, $10 whether it has a fee without another posting. $9: the end of all spans.
const inSpan = 'id > $5 and id between $7 and $8'
const sinceSpans = 'id > $5 and id > $9'
const onDay = (posting: string) => `${posting}.created_at >= $3 and ${posting}.created_at < $4`

/** SQL of whether the other account of the posting belongs to a merchant. */
function isShareSql(posting: string): string {
  return `coalesce((
      select kind = 'merchant' from accounts
      where accounts.id = case $1::bigint when ${posting}.credit_account then ${posting}.debit_account else ${posting}.credit_account end
    ), false)`
}

/** SQL of whether another posting of the same operation and day meets `condition`. */
function siblingSql(posting: string, condition: string): string {
  return `exists (
        select from postings as sibling
        where sibling.operation_id = ${posting}.operation_id and sibling.wallet_id = ${posting}.wallet_id
          and ${onDay('sibling')} and (${condition})
      )`
}

/**
 * The first posting of each entry, from the postings that credit (or debit) the account, ordered by number. One `case`
 * hides the conditions from PostgreSQL: it then uses the index by account and number, and stops at the page's end.
 */
function firstsSql(side: 'credit_account' | 'debit_account', range: string): string {
  const isEarlier = `sibling.id < own.id and $1 in (sibling.credit_account, sibling.debit_account)
          and ${isShareSql('sibling')} = ${isShareSql('own')}`
  return `(
      select id, wallet_id, operation_id, ${isShareSql('own')} as is_share
      from postings as own
      where ${side} = $1 and ${side} > 0 and ${range}
        and case when ${onDay('own')} then not ${siblingSql('own', isEarlier)} else false end
      order by id limit $6
    )`
}

/** If the fee is the whole amount, the account has no posting, so its index does not find the entry. */
function feesAloneSql(range: string): string {
  const isSibling = `sibling.credit_account = own.credit_account and sibling.id < own.id
          or $1 in (sibling.credit_account, sibling.debit_account) and not ${isShareSql('sibling')}`
  return `(
      select id, wallet_id, operation_id, false
      from postings as own
      where wallet_id = $2 and credit_account = ${feesAccount} and ${range} and ${onDay('own')}
        and case when ${siblingSql('own', isSibling)} then false else true end
      order by id limit $6
    )`
}

const selectEntries = statement<StoredRowOf<typeof entryFields>>(`
  with page as (
    select * from (
      ${firstsSql('credit_account', inSpan)}
      union all ${firstsSql('debit_account', inSpan)}
      union all ${firstsSql('credit_account', sinceSpans)}
      union all ${firstsSql('debit_account', sinceSpans)}
      union all ${feesAloneSql(`$10::boolean and ${inSpan}`)}
      union all ${feesAloneSql(sinceSpans)}
    ) as firsts
    order by id limit $6
  )
  select page.id as position, moved.created_at, moved.kind, moved.method, moved.gross, moved.fee,
    shown.id as operation_id, shown.ext_invoiceid, shown.notes
  from page
  cross join lateral (
    select min(created_at) as created_at, kind, method, sum(gross)::bigint as gross, sum(fee)::bigint as fee
    from (${movementsSql(
      `operation_id = page.operation_id and wallet_id = page.wallet_id and ${onDay('postings')}`,
      'own.id = $1',
    )}) as movements
    where movements.is_share = page.is_share
    group by kind, method
  ) as moved
  -- For another wallet's operation, the merchant sees its own transfer.
  left join lateral (
    (
      select id, ext_invoiceid, notes from operations
      where page.wallet_id = $2 and operations.wallet_id = $2 and operations.id = page.operation_id
    )
    union all
    (
      select id, ext_invoiceid, notes from operations
      where page.wallet_id <> $2 and operations.wallet_id = $2 and operations.parent_id = page.operation_id
        and operations.type = 'USERTRANSFER'
      limit 1
    )
    union all
    -- For a bank charge, the bank order that it was charged for.
    (
      select operations.id, operations.ext_invoiceid, null
      from (
        select order_id from bank_entries where wallet_id = $2 and id = page.operation_id
        union all
        select order_id from bank_settlements where id = page.operation_id
      ) as charged
      join bank_orders on bank_orders.wallet_id = $2 and bank_orders.id = charged.order_id
      join operations on operations.wallet_id = $2 and operations.id = bank_orders.operation_id
      where moved.kind = 'bank_charge'
    )
  ) as shown on true
  order by page.id`)

/** The entries after `position` (0: from the start), in the order of booking. */
export async function entriesOfDay(
  db: Executor,
  { walletId, accountId }: Owner,
  day: Day,
  position: bigint,
  limit: number,
): Promise<StatementEntry[]> {
  const from = toTimestamp(startOfLisbonDay(day))
  const until = toTimestamp(startOfLisbonDay(addDays(day, 1)))
  const [span] = await db.run(selectSpan, [accountId, day])
  if (span === undefined) return []
  const { first_id, last_id, upto, has_fees_alone } = span
  const rows = await db.run(selectEntries, [
    ...[accountId, walletId, from, until, position, limit],
    ...[first_id, last_id, upto, has_fees_alone],
  ])
  return rows.map(entryFields.read)
}
