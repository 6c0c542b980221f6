// The SQL of settling: status, journal and event move in one statement, or not at all.
import { eventColumns, eventRow, type NewEvent, recordEventsSql } from '../callbacks/index.ts'
import { type Instant, toTimestamp } from '../kernel/time.ts'
import { type Entry, entryColumns, type Ledger, postJournalsSql } from '../ledger/index.ts'
import { type Database, rowSet, type Statement, statement } from '../storage/index.ts'
import type { Operation } from './model.ts'
import { giveBackSql } from './reservations-store.ts'
import type { Sharing } from './shares/book.ts'
import { postSharesSql, postTransfersSql, shareColumns, transferColumns } from './shares/store.ts'

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
  readonly sharing: Sharing
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
  split_at: 'timestamptz',
  at: 'timestamptz',
  journal_id: 'uuid',
  ...eventColumns,
})
const settledParameterCount = settledSet.parameters([]).length
const entrySet = rowSet(entryColumns, settledParameterCount + 1)
const besideSet = rowSet(
  { operation_id: 'uuid', ...eventColumns },
  settledParameterCount + entrySet.parameters([]).length + 1,
)
const parameterCountWithBeside =
  settledParameterCount + entrySet.parameters([]).length + besideSet.parameters([]).length
const shareSet = rowSet(shareColumns, parameterCountWithBeside + 1)
const transferSet = rowSet(transferColumns, parameterCountWithBeside + shareSet.parameters([]).length + 1)

/**
 * What a room above changes in the statement that settles, so that all of it happens or nothing.
 *
 * @param moved name of an expression with the operations that settled: `wallet_id`, `id`, `subscription_id`,
 * `status`, `error`, `at`
 * @returns common table expressions
 */
export type SettleBesideSql = (moved: string) => string

type SettleStatement = Statement<{ id: string }>

/** Three of one, because few payments belong to a subscription or are divided, and all would pay for planning it. */
export interface SettleStatements {
  readonly plain: SettleStatement
  /** With what {@link SettleBesideSql} adds. */
  readonly beside: SettleStatement
  /** With that, and the shares of those who divide a payment. */
  readonly divided: SettleStatement
}

export function settleStatements(besideSql: SettleBesideSql | undefined): SettleStatements {
  const input = `event_beside as (${besideSet.source}),`
  const effects = besideSql === undefined ? '' : `${besideSql('moved')},`
  const shares = `share as (${shareSet.source}), transfer as (${transferSet.source}),`
  const posted = `${postSharesSql('moved', 'share')}, ${postTransfersSql('moved', 'transfer')},`
  return {
    plain: statement(settleSql('', recordEventsSql('moved'))),
    beside: statement(settleSql(input, effects + recordAllEventsSql)),
    divided: statement(settleSql(input + shares, effects + posted + recordAllEventsSql)),
  }
}

const eventList = Object.keys(eventColumns)
const recordAllEventsSql = `
  told as (
    select wallet_id, ${eventList.join(', ')} from moved
    union all
    select moved.wallet_id, ${eventList.map((column) => `event_beside.${column}`).join(', ')}
    from event_beside join moved on moved.id = event_beside.operation_id
  ),
  ${recordEventsSql('told')}`

function settleSql(moreInput: string, moreEffects: string): string {
  return `
  with input as (${settledSet.source}),
  entry as (${entrySet.source}),
  ${moreInput}
  moved as (
    update operations set
      status = input.status,
      fee = input.fee,
      card = coalesce(input.card, operations.card),
      rail_payment_id = coalesce(input.rail_payment_id, operations.rail_payment_id),
      error = input.error,
      expires = input.expires,
      lapse_due_at = input.lapse_due_at,
      split_at = input.split_at,
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
    returning input.*, operations.type, operations.parent_id, operations.amount, operations.takes,
      operations.subscription_id
  ),
  ${giveBackSql('moved')},
  ${postJournalsSql('moved', 'entry', 'settle')},
  ${moreEffects}
  select id from moved`
}

/** Settles each row whose guard still holds; answers per row whether it did. */
export async function writeSettlements(
  { database, ledger }: { readonly database: Database; readonly ledger: Ledger },
  statements: SettleStatements,
  rows: readonly SettledRow[],
): Promise<boolean[]> {
  const entryRows = []
  const besideRows: Parameters<typeof besideSet.parameters>[0][number][] = []
  for (const { settled, journalId, entries, eventsBeside } of rows) {
    for (const event of eventsBeside) besideRows.push({ operation_id: settled.id, ...eventRow(event) })
    if (journalId === undefined) continue
    const { id: operationId, walletId } = settled
    entryRows.push(
      ...(await ledger.entryRows({ id: journalId, walletId, operationId, purpose: 'settle', entries })),
    )
  }
  const settledRows = inOneOrder(rows).map(settledRow)
  const parameters = [...settledSet.parameters(settledRows), ...entrySet.parameters(entryRows)]
  const shares = rows.flatMap(({ sharing }) => sharing.shares)
  const transfers = rows.flatMap(({ sharing }) => sharing.transfers)
  const run = async (): Promise<{ id: string }[]> => {
    const beside = besideSet.parameters(besideRows)
    if (shares.length + transfers.length > 0) {
      const sharing = [...shareSet.parameters(shares), ...transferSet.parameters(transfers)]
      return database.run(statements.divided, [...parameters, ...beside, ...sharing])
    }
    const isPlain = rows.every(({ settled }) => settled.subscriptionId === undefined)
    return isPlain
      ? database.run(statements.plain, parameters)
      : database.run(statements.beside, [...parameters, ...beside])
  }
  const won = new Set((await run()).map(({ id }) => id))
  return rows.map(({ settled }) => won.has(settled.id))
}

/**
 * Processes group the same operations in orders of their own: locked in the order of their ids, none of them waits
 * for what another holds that waits for it.
 */
function inOneOrder(rows: readonly SettledRow[]): SettledRow[] {
  return rows.toSorted((one, other) => (one.settled.id < other.settled.id ? -1 : 1))
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
    split_at: settled.splitAt === undefined ? null : toTimestamp(settled.splitAt),
    at: toTimestamp(at),
    journal_id: journalId ?? null,
    ...eventRow(event),
  }
}
