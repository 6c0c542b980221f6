// The SQL of settling: status, journal and event move in one statement, or not at all.
import { eventColumns, eventRow, type NewEvent, recordEventsSql } from '../callbacks/index.ts'
import { type Instant, toTimestamp } from '../kernel/time.ts'
import { type Entry, entryColumns, type Ledger, postJournalsSql } from '../ledger/index.ts'
import { type Database, rowSet, statement } from '../storage/index.ts'
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
const shareSet = rowSet(shareColumns, settledParameterCount + entrySet.parameters([]).length + 1)
const transferSet = rowSet(
  transferColumns,
  settledParameterCount + entrySet.parameters([]).length + shareSet.parameters([]).length + 1,
)

/** How many parameters a settling statement has, by whether it divides: others may follow. */
export const parameterCountOf = {
  plain: settledParameterCount + entrySet.parameters([]).length,
  divided:
    settledParameterCount +
    entrySet.parameters([]).length +
    shareSet.parameters([]).length +
    transferSet.parameters([]).length,
} as const

/** What a statement does beyond the usual, and what else must be true for it to do anything. */
interface Settling {
  /** Divides payments: apart, because few are divided and all would pay for planning it. */
  readonly divided?: boolean
  /** SQL after the guards. */
  readonly funds?: string
}

const settleOperations = statement<{ id: string }>(settleSql())
const settleDivided = statement<{ id: string }>(settleSql({ divided: true }))

/** Settling, which writes operations, journals and events together; parameters are {@link settlementParameters}. */
export function settleSql({ divided = false, funds = '' }: Settling = {}): string {
  const moreInput = divided ? `share as (${shareSet.source}), transfer as (${transferSet.source}),` : ''
  const moreEffects = divided
    ? `${postSharesSql('moved', 'share')}, ${postTransfersSql('moved', 'transfer')},`
    : ''
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
      ${funds}
    returning input.*, operations.type, operations.parent_id, operations.amount, operations.takes
  ),
  ${giveBackSql('moved')},
  ${postJournalsSql('moved', 'entry', 'settle')},
  ${moreEffects}
  ${recordEventsSql('moved')}
  select id from moved`
}

/** The values a settling statement takes, and which of the two takes them. */
export interface SettlementParameters {
  readonly divided: boolean
  readonly values: readonly unknown[]
}

/** The parameters of {@link settleSql}. Looks accounts up, so not inside a transaction. */
export async function settlementParameters(
  ledger: Ledger,
  rows: readonly SettledRow[],
): Promise<SettlementParameters> {
  const entryRows = []
  for (const { settled, journalId, entries } of rows) {
    if (journalId === undefined) continue
    const { id: operationId, walletId } = settled
    entryRows.push(
      ...(await ledger.entryRows({ id: journalId, walletId, operationId, purpose: 'settle', entries })),
    )
  }
  const settledRows = inOneOrder(rows).map(settledRow)
  const values = [...settledSet.parameters(settledRows), ...entrySet.parameters(entryRows)]
  const shares = rows.flatMap(({ sharing }) => sharing.shares)
  const transfers = rows.flatMap(({ sharing }) => sharing.transfers)
  const divided = shares.length + transfers.length > 0
  if (!divided) return { divided, values }
  return {
    divided,
    values: [...values, ...shareSet.parameters(shares), ...transferSet.parameters(transfers)],
  }
}

/** Settles each row whose guard still holds; answers per row whether it did. */
export async function writeSettlements(
  { database, ledger }: { readonly database: Database; readonly ledger: Ledger },
  rows: readonly SettledRow[],
): Promise<boolean[]> {
  const { divided, values } = await settlementParameters(ledger, rows)
  const moved = await database.run(divided ? settleDivided : settleOperations, values)
  const won = new Set(moved.map(({ id }) => id))
  return rows.map(({ settled }) => won.has(settled.id))
}

/**
 * Processes group the same operations in orders of their own: handed over in the order of their ids, they are mostly
 * locked in it, and seldom wait for each other in a circle. What does is repeated (storage/postgres.ts).
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
