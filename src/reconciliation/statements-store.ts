// The SQL of statements: leased days, and lines matched to operations.
import type { StatementLine } from '../connections/index.ts'
import type { Day } from '../kernel/lisbon.ts'
import { type Instant, toTimestamp } from '../kernel/time.ts'
import { execute, findAll, rowSet, storeFunction } from '../storage/index.ts'
import { type StatementDay, statementDays } from './model.ts'

/** Adds days to read. Days that are known stay as they are. */
export const addDaysToRead = execute(
  (connectionId: bigint, days: readonly { readonly day: Day; readonly dueAt: Instant }[]) => [
    connectionId,
    days.map(({ day }) => day),
    days.map(({ dueAt }) => toTimestamp(dueAt)),
  ],
)`
  insert into statement_days (connection_id, day, due_at)
  select $1, day, due_at from unnest($2::date[], $3::timestamptz[]) as given (day, due_at)
  on conflict do nothing`

export const findLastDay = storeFunction(
  (connectionId: bigint) => [connectionId],
  ([row]: { day: string | null }[]) => row?.day ?? undefined,
)`
  select max(day)::text as day from statement_days where connection_id = $1`

/** Claims due days until `leasedUntil`, oldest first. */
export const claimDueDays = findAll(
  statementDays,
  (connectionIds: readonly bigint[], now: Instant, leasedUntil: Instant, limit: number) => [
    connectionIds,
    toTimestamp(now),
    toTimestamp(leasedUntil),
    limit,
  ],
)`
  update statement_days set due_at = $3
  where (connection_id, day) in (
    select connection_id, day from statement_days
    where due_at <= $2 and connection_id = any($1::bigint[])
    order by day limit $4 for update skip locked
  )
  returning ${statementDays.list()}`

export const markDayRead = execute(
  ({ connectionId, day }: StatementDay, now: Instant, dueAt: Instant | undefined) => [
    connectionId,
    day,
    toTimestamp(now),
    dueAt === undefined ? null : toTimestamp(dueAt),
  ],
)`
  update statement_days set reads = reads + 1, read_at = $3, failures = 0, last_error = null, due_at = $4
  where connection_id = $1 and day = $2::date`

/** `error`: the name of the error. */
export const markDayFailed = execute(({ connectionId, day }: StatementDay, error: string, dueAt: Instant) => [
  connectionId,
  day,
  error,
  toTimestamp(dueAt),
])`
  update statement_days set failures = failures + 1, last_error = $3, due_at = $4
  where connection_id = $1 and day = $2::date`

/** Only one process at a time writes the statements of a connection. */
export const lockStatements = execute((connectionId: bigint) => [Number(connectionId)])`
  select pg_advisory_xact_lock(hashtext('comporta statements'), $1)`

const lineSet = rowSet(
  {
    id: 'text',
    kind: 'text',
    amount: 'bigint',
    fee: 'bigint',
    key: 'uuid',
    provider_id: 'text',
    booked_at: 'timestamptz',
  },
  3,
)

/** Replaces the lines of a day. Their ids must be unique. */
export const writeLines = execute(
  ({ connectionId, day }: Pick<StatementDay, 'connectionId' | 'day'>, lines: readonly StatementLine[]) => [
    connectionId,
    day,
    ...lineSet.parameters(
      lines.map(({ id, kind, amount, fee, key, providerId, bookedAt }) => ({
        ...{ id, kind, amount, fee },
        key: key ?? null,
        provider_id: providerId ?? null,
        booked_at: toTimestamp(bookedAt),
      })),
    ),
  ],
)`
  with line as (${lineSet.source}),
  gone as (
    delete from statement_lines
    where connection_id = $1 and day = $2::date and id not in (select id from line)
  )
  insert into statement_lines (connection_id, day, id, kind, amount, fee, key, provider_id, booked_at)
  select $1, $2::date, id, kind, amount, fee, key, provider_id, booked_at from line
  on conflict (connection_id, id) do update set
    day = excluded.day, kind = excluded.kind, amount = excluded.amount, fee = excluded.fee, key = excluded.key,
    provider_id = excluded.provider_id, booked_at = excluded.booked_at, wallet_id = null, operation_id = null`

// A provider knows only its own operations. Bank orders and transfers belong to the gateway's bank.
export const findOperationsOfLines = execute((connectionId: bigint) => [connectionId])`
  update statement_lines set wallet_id = found.wallet_id, operation_id = found.root_id
  from (
    select line.id, operation.wallet_id,
      case operation.type when 'CAPTURE' then operation.parent_id else operation.id end as root_id
    from statement_lines as line
    join rail_connections as connection on connection.id = line.connection_id
    left join rail_requests as request on request.connection_id = line.connection_id
      and case when line.key is null then request.provider_id = line.provider_id else request.key = line.key end
    cross join lateral (select coalesce(line.key, request.key) as key) as asked
    left join attempts on attempts.id = asked.key
    left join bank_orders on bank_orders.id = asked.key and connection.wallet_id is null
    left join incoming_transfers as transfer on transfer.id = asked.key and connection.wallet_id is null
    join operations as operation
      on operation.wallet_id =
        coalesce(attempts.wallet_id, request.wallet_id, bank_orders.wallet_id, transfer.wallet_id)
      and operation.id = coalesce(attempts.operation_id, transfer.operation_id, asked.key)
    where line.connection_id = $1 and line.operation_id is null and line.kind <> 'fee'
      and (request.key is not null or bank_orders.id is not null or transfer.id is not null)
      and (coalesce(operation.attempt_id, operation.id) = asked.key or transfer.id is not null)
  ) as found
  where statement_lines.connection_id = $1 and statement_lines.id = found.id`

export const findLastDayRead = storeFunction(
  (connectionId: bigint) => [connectionId],
  ([row]: { day: string | null }[]) => row?.day ?? undefined,
)`
  select max(day)::text as day from statement_days where connection_id = $1 and read_at is not null`
