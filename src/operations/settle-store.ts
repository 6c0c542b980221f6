// The SQL of settling: status, journal and event move in one statement, or not at all.
import { eventColumns, eventRow, type NewEvent, recordEventsSql } from '../callbacks/index.ts'
import { type Instant, toTimestamp } from '../kernel/time.ts'
import { type Entry, entryColumns, type Ledger, postJournalsSql } from '../ledger/index.ts'
import { type Database, rowSet, type Statement, statement } from '../storage/index.ts'
import type { Operation } from './model.ts'
import { giveBackSql } from './reservations-store.ts'

/**
 * What must still be true for a settlement to take effect. `untouched`: no method was ever chosen;
 * `idle`: no rail is deciding; `attempt`: a rail decided on this attempt, and none came after it;
 * `standing`: no rail is deciding, and this attempt is the one that waits to be paid.
 */
export type SettleGuard =
  | { readonly kind: 'untouched' }
  | { readonly kind: 'idle' }
  | { readonly kind: 'attempt'; readonly attemptId: string }
  | { readonly kind: 'standing'; readonly attemptId: string }

/** One operation as it will stand, with what its settlement books and tells. */
export interface SettledRow {
  readonly settled: Operation
  readonly guard: SettleGuard
  readonly at: Instant
  readonly event: NewEvent | undefined
  /** What other rooms tell of it, should this settlement win. */
  readonly eventsBeside: readonly NewEvent[]
  readonly entries: readonly Entry[]
  readonly journalId: string | undefined
}

const settledSet = rowSet({
  id: 'uuid',
  wallet_id: 'bigint',
  guard: 'text',
  attempt_id: 'uuid',
  status: 'text',
  method: 'text',
  fee: 'bigint',
  card: 'jsonb',
  rail_payment_id: 'uuid',
  error: 'text',
  expires: 'timestamptz',
  lapse_due_at: 'timestamptz',
  at: 'timestamptz',
  journal_id: 'uuid',
  ...eventColumns,
})
const settledParameterCount = settledSet.parameters([]).length
const entrySet = rowSet(entryColumns, settledParameterCount + 1)
const entryParameterCount = entrySet.parameters([]).length
const besideSet = rowSet(
  { operation_id: 'uuid', ...eventColumns },
  settledParameterCount + entryParameterCount + 1,
)
const eventList = Object.keys(eventColumns)

/**
 * What a room above changes in the statement that settles, so that all of it happens or nothing.
 *
 * @param moved name of an expression with the operations that settled: `wallet_id`, `id`, `subscription_id`,
 * `status`, `error`, `at`
 * @returns common table expressions
 */
export type SettleBesideSql = (moved: string) => string

/** The statement that settles, with what `besideSql` adds to it. */
export function settleStatement(besideSql: SettleBesideSql | undefined): Statement<{ id: string }> {
  const beside = besideSql === undefined ? '' : `${besideSql('moved')},`
  return statement(`
  with input as (${settledSet.source}),
  entry as (${entrySet.source}),
  event_beside as (${besideSet.source}),
  moved as (
    update operations set
      status = input.status,
      fee = input.fee,
      card = coalesce(input.card, operations.card),
      rail_payment_id = coalesce(input.rail_payment_id, operations.rail_payment_id),
      error = input.error,
      expires = input.expires,
      lapse_due_at = input.lapse_due_at,
      under_approval = false,
      due_at = null,
      modified_at = input.at,
      settled_at = input.at
    from input
    where operations.wallet_id = input.wallet_id and operations.id = input.id
      and operations.status in ('NEW', 'PENDING')
      and operations.method is not distinct from input.method
      and case input.guard
        when 'untouched' then operations.status = 'NEW'
        when 'idle' then not operations.under_approval
        when 'attempt' then operations.under_approval and operations.attempt_id = input.attempt_id
        when 'standing' then not operations.under_approval and operations.attempt_id = input.attempt_id
      end
    returning input.*, operations.type, operations.parent_id, operations.amount, operations.subscription_id
  ),
  ${giveBackSql('moved')},
  ${beside}
  ${postJournalsSql('moved', 'entry', 'settle')},
  told as (
    select wallet_id, ${eventList.join(', ')} from moved
    union all
    select moved.wallet_id, ${eventList.map((column) => `event_beside.${column}`).join(', ')}
    from event_beside join moved on moved.id = event_beside.operation_id
  ),
  ${recordEventsSql('told')}
  select id from moved`)
}

/** Settles each row whose guard still holds; answers per row whether it did. */
export async function writeSettlements(
  { database, ledger }: { readonly database: Database; readonly ledger: Ledger },
  settle: Statement<{ id: string }>,
  rows: readonly SettledRow[],
): Promise<boolean[]> {
  const entryRows = []
  const besideRows = []
  for (const { settled, journalId, entries, eventsBeside } of rows) {
    for (const event of eventsBeside) besideRows.push({ operation_id: settled.id, ...eventRow(event) })
    if (journalId === undefined) continue
    const { id: operationId, walletId } = settled
    entryRows.push(
      ...(await ledger.entryRows({ id: journalId, walletId, operationId, purpose: 'settle', entries })),
    )
  }
  const moved = await database.run(settle, [
    ...settledSet.parameters(rows.map(settledRow)),
    ...entrySet.parameters(entryRows),
    ...besideSet.parameters(besideRows),
  ])
  const won = new Set(moved.map(({ id }) => id))
  return rows.map(({ settled }) => won.has(settled.id))
}

function settledRow({ settled, guard, at, event, journalId }: SettledRow) {
  const lapses = settled.type === 'AUTH' && settled.status === 'COMPLETED' && settled.expires !== undefined
  return {
    id: settled.id,
    wallet_id: settled.walletId,
    guard: guard.kind,
    attempt_id: 'attemptId' in guard ? guard.attemptId : null,
    status: settled.status,
    method: settled.method ?? null,
    fee: settled.fee,
    card: settled.card === undefined ? null : JSON.stringify(settled.card),
    rail_payment_id: settled.railPaymentId ?? null,
    error: settled.error ?? null,
    expires: settled.expires === undefined ? null : toTimestamp(settled.expires),
    lapse_due_at: lapses ? toTimestamp(settled.expires) : null,
    at: toTimestamp(at),
    journal_id: journalId ?? null,
    ...eventRow(event),
  }
}
