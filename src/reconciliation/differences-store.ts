// The SQL of differences between statements and the ledger.
import type { Day } from '../kernel/lisbon.ts'
import { type Instant, toTimestamp } from '../kernel/time.ts'
import { reportedChannels } from '../operations/index.ts'
import { type Executor, hasRows, type StoredRowOf, statement, storeFunction } from '../storage/index.ts'
import { statementDifferences } from './model.ts'

const reported = reportedChannels.map((channel) => `'${channel}'`).join(', ')

/** Captures belong to their hold. Clawbacks and returns belong to their payment (decision 0012). */
const belongsSql = (operation: string) => `(
  ${operation}.type = 'CAPTURE'
  or ${operation}.channel in (${reported}) and ${operation}.type in ('REFUND', 'WALLETFUNDS')
  or ${operation}.type = 'REFUND' and ${operation}.rail_payment_id is not null
)`

// An explanation is valid only while the amount stays the same.
const isAsExplained =
  'known.statement_amount - known.ledger_amount = compared.statement_amount - compared.ledger_amount'

const bookedTypes = `('PAYMENT', 'CAPTURE', 'REFUND', 'WALLETFUNDS')`

// Compares totals over all days: late or returned amounts agree in the end. $4: end of the days read.
const refreshDifferences = statement(`
  with recursive
  booked as (
    select distinct wallet_id, operation_id as id from postings
    where created_at >= $2 and created_at < $3 and purpose = 'settle'
  ),
  chain as (
    select operation.wallet_id, operation.id, operation.parent_id, operation.type, operation.channel, operation.attempt_id,
      operation.rail_payment_id
    from booked
    join operations as operation on operation.wallet_id = booked.wallet_id and operation.id = booked.id
    union
    select parent.wallet_id, parent.id, parent.parent_id, parent.type, parent.channel, parent.attempt_id,
      parent.rail_payment_id
    from chain
    join operations as parent on parent.wallet_id = chain.wallet_id and parent.id = chain.parent_id
    where ${belongsSql('chain')}
  ),
  concerned as (
    select chain.wallet_id, chain.id
    from chain
    join rail_requests on rail_requests.key = coalesce(chain.attempt_id, chain.id) and rail_requests.connection_id = $1
    where not ${belongsSql('chain')}
    union
    select wallet_id, operation_id from statement_lines
    where connection_id = $1 and operation_id is not null and booked_at >= $2 and booked_at < $3
    union
    select wallet_id, operation_id from statement_differences
    where connection_id = $1 and resolved_at is null and operation_id is not null
  ),
  family as (
    select concerned.wallet_id, concerned.id as root_id, operation.id, operation.type, operation.status,
      operation.amount, operation.settled_at
    from concerned
    join operations as operation on operation.wallet_id = concerned.wallet_id and operation.id = concerned.id
    union
    select family.wallet_id, family.root_id, child.id, child.type, child.status, child.amount, child.settled_at
    from family
    join operations as child on child.wallet_id = family.wallet_id and child.parent_id = family.id
    where ${belongsSql('child')}
  ),
  ledger as (
    select wallet_id, root_id, coalesce(sum(amount) filter (where counts), 0)::bigint as amount,
      min(settled_at) filter (where counts) as booked_at
    from family
    cross join lateral (
      select status = 'COMPLETED' and type in ${bookedTypes} and settled_at < $4 as counts
    ) as judged
    group by wallet_id, root_id
  ),
  compared as (
    select 'operation ' || ledger.root_id as subject, ledger.wallet_id, ledger.root_id as operation_id,
      null::text as line_id, least(stated.day, (ledger.booked_at at time zone 'Europe/Lisbon')::date) as day,
      case when stated.amount is null then 'missing' when ledger.amount = 0 then 'unknown' else 'amount' end as kind,
      ledger.amount as ledger_amount, coalesce(stated.amount, 0) as statement_amount
    from ledger
    left join lateral (
      select sum(line.amount)::bigint as amount, min(line.day) as day
      from statement_lines as line
      where line.wallet_id = ledger.wallet_id and line.operation_id = ledger.root_id and line.connection_id = $1
    ) as stated on true
    where ledger.amount <> coalesce(stated.amount, 0)
    union all
    select 'line ' || id, null, null, id, day, 'unknown', 0, amount
    from statement_lines
    where connection_id = $1 and operation_id is null and kind not in ('fee', 'payout') and amount <> 0
  ),
  resolved as (
    update statement_differences set resolved_at = $5
    where connection_id = $1 and resolved_at is null and subject not in (select subject from compared)
  ),
  changed as (
    update statement_differences as known set
      day = compared.day, kind = compared.kind, ledger_amount = compared.ledger_amount,
      statement_amount = compared.statement_amount, resolved_at = null,
      found_at = case when known.resolved_at is null then known.found_at else $5 end,
      note = case when ${isAsExplained} then known.note end,
      explained_at = case when ${isAsExplained} then known.explained_at end
    from compared
    where known.connection_id = $1 and known.subject = compared.subject
  )
  insert into statement_differences (
    connection_id, subject, wallet_id, operation_id, line_id, day, kind, ledger_amount, statement_amount, found_at
  )
  select $1, subject, wallet_id, operation_id, line_id, day, kind, ledger_amount, statement_amount, $5
  from compared
  where subject not in (select subject from statement_differences where connection_id = $1)
  order by day, line_id is not null, subject`)

/** Compares earlier differences again too. Ledger entries after `readUntil` are not expected yet. */
export async function compareStatements(
  tx: Executor,
  connectionId: bigint,
  {
    from,
    until,
    readUntil,
  }: { readonly from: Instant; readonly until: Instant; readonly readUntil: Instant },
  now: Instant,
): Promise<void> {
  const times = [from, until, readUntil, now].map((time) => toTimestamp(time))
  await tx.run(refreshDifferences, [connectionId, ...times])
}

type Row = StoredRowOf<typeof statementDifferences>

/** Differences of one day or of all days, oldest first. */
export const listDifferences = storeFunction(
  (filter: { readonly day?: Day | undefined; readonly explained: boolean }, limit: number) => [
    filter.day ?? null,
    filter.explained,
    limit,
  ],
  (rows: Row[]) => rows.map(statementDifferences.read),
)`
  select ${statementDifferences.list()} from statement_differences
  where resolved_at is null and ($1::date is null or day = $1::date) and ($2 or explained_at is null)
  order by day, id limit $3`

/** Returns false if no such difference is open. */
export const explainDifference = hasRows((id: bigint, note: string, now: Instant) => [
  id,
  note,
  toTimestamp(now),
])`
  update statement_differences set note = $2, explained_at = $3 where id = $1 and resolved_at is null returning id`

/** Totals of both sides on a day, by connection and clearing account. */
export interface AccountOfDay {
  readonly connectionId: bigint
  /** Undefined for lines without an operation. */
  readonly method: string | undefined
  readonly ledger: bigint
  readonly statement: bigint
  readonly fees: bigint
  /** Payouts to the operator's own bank, and other lines without an operation. */
  readonly others: bigint
}

// A fee in a line of its own reduces the account.
export const sumsOfDay = storeFunction(
  (day: Day, from: Instant, until: Instant) => [day, toTimestamp(from), toTimestamp(until)],
  (
    rows: {
      connection_id: bigint
      method: string | null
      ledger: bigint
      stated: bigint
      fees: bigint
      others: bigint
    }[],
  ) =>
    rows.map(({ connection_id, method, ledger, stated, fees, others }) => ({
      connectionId: connection_id,
      method: method ?? undefined,
      ...{ ledger, fees, others },
      statement: stated,
    })),
)`
  with recursive
  booked as (
    select posting.wallet_id, posting.operation_id as start_id, operation.method, operation.amount,
      operation.id, operation.parent_id, operation.type, operation.channel, operation.attempt_id, operation.rail_payment_id
    from (
      select distinct wallet_id, operation_id from postings
      where created_at >= $2 and created_at < $3 and purpose = 'settle'
    ) as posting
    join operations as operation
      on operation.wallet_id = posting.wallet_id and operation.id = posting.operation_id
    where operation.type in ${bookedTypes}
    union all
    select booked.wallet_id, booked.start_id, booked.method, booked.amount,
      parent.id, parent.parent_id, parent.type, parent.channel, parent.attempt_id, parent.rail_payment_id
    from booked
    join operations as parent on parent.wallet_id = booked.wallet_id and parent.id = booked.parent_id
    where ${belongsSql('booked')}
  ),
  both_sides as (
    select coalesce(rail_requests.connection_id, named.connection_id) as connection_id, booked.method,
      booked.amount as ledger, 0 as stated, 0 as fees, 0 as others
    from booked
    left join rail_requests on rail_requests.key = coalesce(booked.attempt_id, booked.id)
    -- A received transfer has no request: its connection is the one whose statement has it.
    left join lateral (
      select line.connection_id from statement_lines as line
      where line.wallet_id = booked.wallet_id and line.operation_id = booked.id
      limit 1
    ) as named on rail_requests.key is null
    where not ${belongsSql('booked')}
    union all
    select line.connection_id, operation.method, 0,
      case when operation.id is null and line.kind in ('fee', 'payout') then 0 else line.amount end,
      line.fee - case line.kind when 'fee' then line.amount else 0 end,
      case when operation.id is null and line.kind = 'payout' then line.amount else 0 end
    from statement_lines as line
    left join operations as operation on operation.wallet_id = line.wallet_id and operation.id = line.operation_id
    where line.day = $1::date
  )
  select connection_id, method, sum(ledger)::bigint as ledger, sum(stated)::bigint as stated,
    sum(fees)::bigint as fees, sum(others)::bigint as others
  from both_sides
  where connection_id in (select connection_id from statement_days)
  group by connection_id, method
  order by connection_id, method`

export interface ConnectionState {
  readonly connectionId: bigint
  /** Every day up to this day was read. */
  readonly readUntil: Day | undefined
  /** Number of days whose last read failed. */
  readonly failing: number
  readonly lastError: string | undefined
  readonly open: number
  /** Number of open differences without an explanation. */
  readonly unexplained: number
  /** Total of the unexplained differences in cents, without signs. */
  readonly unexplainedAmount: bigint
  /** The day of the oldest unexplained difference. */
  readonly oldest: Day | undefined
}

const selectStates = statement<{
  connection_id: bigint
  read_until: string | null
  failing: bigint
  last_error: string | null
  open: bigint
  unexplained: bigint
  amount: bigint
  oldest: string | null
}>(`
  select days.connection_id, days.read_until::text, days.failing, days.last_error,
    coalesce(found.open, 0) as open, coalesce(found.unexplained, 0) as unexplained,
    coalesce(found.amount, 0)::bigint as amount, found.oldest::text
  from (
    select connection_id,
      coalesce(min(day) filter (where read_at is null) - 1, max(day)) as read_until,
      count(*) filter (where failures > 0) as failing,
      (array_agg(last_error order by day) filter (where failures > 0))[1] as last_error
    from statement_days group by connection_id
  ) as days
  left join (
    select connection_id, count(*) as open, count(*) filter (where explained_at is null) as unexplained,
      sum(abs(statement_amount - ledger_amount)) filter (where explained_at is null) as amount,
      min(day) filter (where explained_at is null) as oldest
    from statement_differences where resolved_at is null group by connection_id
  ) as found on found.connection_id = days.connection_id
  order by days.connection_id`)

export async function statesOfConnections(db: Executor): Promise<ConnectionState[]> {
  return (await db.run(selectStates)).map((row) => ({
    connectionId: row.connection_id,
    readUntil: row.read_until ?? undefined,
    failing: Number(row.failing),
    lastError: row.last_error ?? undefined,
    open: Number(row.open),
    unexplained: Number(row.unexplained),
    unexplainedAmount: row.amount,
    oldest: row.oldest ?? undefined,
  }))
}
