// The SQL of settling: status, postings and event in one statement.
import {
  type EventRow,
  eventColumns,
  eventRow,
  type NewEvent,
  recordEventsSql,
} from '../../callbacks/index.ts'
import { type AnswerToKeep, storeAnswerCte } from '../../idempotency/index.ts'
import { type Instant, toTimestamp } from '../../kernel/time.ts'
import { type Ledger, type Posting, type PostingRow, postingColumns, postSql } from '../../ledger/index.ts'
import { rowSet, type Statement, statement } from '../../storage/index.ts'
import { type Operation, operations } from '../model.ts'
import { unreserveSql } from '../open/open.ts'
import type { Sharing } from '../shares/book.ts'
import { hasItsTurnSql, takeTurnsSql, turnColumns } from '../shares/captures-store.ts'
import { postSharesSql, postTransfersSql } from '../shares/store.ts'
import { newShares, newTransfers } from '../shares/table.ts'

/**
 * `attempt`: a rail decided on this attempt, and none came after it. `awaited_attempt`: this attempt waits to be
 * paid, and no rail is deciding.
 */
export type SettleGuard =
  | { readonly kind: 'no_method_chosen' }
  | { readonly kind: 'no_rail_deciding' }
  | { readonly kind: 'attempt'; readonly attemptId: string }
  | { readonly kind: 'awaited_attempt'; readonly attemptId: string }

export interface SettledRow {
  readonly settled: Operation
  readonly guard: SettleGuard
  readonly at: Instant
  readonly event: NewEvent | undefined
  readonly extraEvents: readonly NewEvent[]
  readonly postings: readonly Posting[]
  readonly sharing: Sharing
  readonly answer?: AnswerToKeep | undefined
}

interface WonRow {
  readonly id: string
  readonly is_answered: boolean
}

const settledColumns = operations.pick(
  'id',
  'walletId',
  'status',
  'method',
  'fee',
  'card',
  'railPaymentId',
  'error',
  'expires',
  'splitAt',
)
const settledSet = rowSet({
  ...settledColumns.types,
  guard: 'text',
  attempt_id: 'uuid',
  lapses_at: 'timestamptz',
  at: 'timestamptz',
  ...storeAnswerCte.columns,
  ...eventColumns,
})
const settledParameterCount = settledSet.parameters([]).length
const postingSet = rowSet(postingColumns, settledParameterCount + 1)
const extraEventSet = rowSet(
  { operation_id: 'uuid', ...eventColumns },
  settledParameterCount + postingSet.parameters([]).length + 1,
)
const simpleParameterCount = settledParameterCount + postingSet.parameters([]).length
const extendedParameterCount = simpleParameterCount + extraEventSet.parameters([]).length
const shareSet = rowSet(newShares.types, extendedParameterCount + 1)
const transferSet = rowSet(newTransfers.types, extendedParameterCount + shareSet.parameters([]).length + 1)
const sharedParameterCount =
  extendedParameterCount + shareSet.parameters([]).length + transferSet.parameters([]).length
const turnSet = rowSet(turnColumns, sharedParameterCount + 1)

/** Each kind includes those before it, because even an unused part costs time. */
const settlingKinds = ['simple', 'answered', 'related', 'extended', 'split'] as const
export type SettlingKind = (typeof settlingKinds)[number]

function hasPart(kind: SettlingKind, part: SettlingKind): boolean {
  return settlingKinds.indexOf(kind) >= settlingKinds.indexOf(part)
}

export const parameterCountOf: Readonly<Record<SettlingKind, number>> = {
  simple: simpleParameterCount,
  answered: simpleParameterCount,
  related: simpleParameterCount,
  extended: extendedParameterCount,
  split: sharedParameterCount + turnSet.parameters([]).length,
}

/** CTEs of a higher module. `moved` names a row set of settled operations. */
export type ExtensionSql = (moved: string) => string

interface Settling {
  readonly kind: SettlingKind
  readonly extension?: ExtensionSql | undefined
  readonly funds: string
}

export type SettleStatements = Readonly<Record<SettlingKind, Statement<WonRow>>>

export function settleStatements(
  extension: ExtensionSql | undefined,
  fundsOf: (kind: SettlingKind) => string = () => '',
): SettleStatements {
  const settling = (kind: SettlingKind) =>
    statement<WonRow>(settleSql({ kind, extension, funds: fundsOf(kind) }))
  return {
    simple: settling('simple'),
    answered: settling('answered'),
    related: settling('related'),
    extended: settling('extended'),
    split: settling('split'),
  }
}

const eventList = Object.keys(eventColumns)
const recordAllEventsSql = `
  recorded as (
    select wallet_id, ${eventList.join(', ')} from moved
    union all
    select moved.wallet_id, ${eventList.map((column) => `extra_event.${column}`).join(', ')}
    from extra_event join moved on moved.id = extra_event.operation_id
  ),
  ${recordEventsSql('recorded')}`

function settleSql({ kind, extension, funds }: Settling): string {
  const isExtended = hasPart(kind, 'extended')
  const divided = hasPart(kind, 'split')
  const shares = divided
    ? `share as (${shareSet.source}), transfer as (${transferSet.source}), turn as (${turnSet.source}),
      ${takeTurnsSql('turn')},`
    : ''
  const posted = divided
    ? `${postSharesSql('moved', 'share')}, ${postTransfersSql('moved', 'transfer')},`
    : ''
  const moreInput = isExtended ? `extra_event as (${extraEventSet.source}),${shares}` : ''
  const moreEffects = posted + (isExtended && extension !== undefined ? `${extension('moved')},` : '')
  const events = isExtended ? recordAllEventsSql : recordEventsSql('moved')
  const answers = hasPart(kind, 'answered') ? `${storeAnswerCte.sql('moved')},` : ''
  const isAnswered = hasPart(kind, 'answered') ? 'id in (select resource_id from answered)' : 'false'
  return `
  with input as (${settledSet.source}),
  posting as (${postingSet.source}),
  ${moreInput}
  moved as (
    update operations set
      status = input.status,
      fee = input.fee,
      card = coalesce(input.card, operations.card),
      rail_payment_id = coalesce(input.rail_payment_id, operations.rail_payment_id),
      error = input.error,
      expires = input.expires,
      split_at = input.split_at,
      under_approval = false,
      modified_at = input.at,
      settled_at = input.at
    from input
    where operations.wallet_id = input.wallet_id and operations.id = input.id
      and operations.status in ('NEW', 'PENDING')
      and operations.method is not distinct from input.method
      and case input.guard
        when 'no_method_chosen' then operations.status = 'NEW'
        when 'no_rail_deciding' then not operations.under_approval
        when 'attempt' then operations.under_approval and operations.attempt_id = input.attempt_id
        when 'awaited_attempt' then not operations.under_approval and operations.attempt_id = input.attempt_id
      end
      ${divided ? hasItsTurnSql('turn', 'input') : ''}
      ${funds}
    returning input.*, operations.type, operations.parent_id, operations.amount, operations.share_refunds,
      operations.subscription_id
  ),
  ${hasPart(kind, 'related') ? `${lapsingSql}, ${unreserveSql('moved')},` : ''}
  ${postSql('moved', 'posting', 'settle')},
  ${answers}
  ${moreEffects}
  ${events}
  select id, ${isAnswered} as is_answered from moved`
}

const lapsingSql = `
  lapsing as (
    insert into authorization_timers (due_at, wallet_id, id)
    select lapses_at, wallet_id, id from moved where lapses_at is not null
  )`

export interface SettlementParameters {
  readonly kind: SettlingKind
  readonly values: readonly unknown[]
}

/** Looks accounts up, so call it outside a transaction. */
export async function settlementParameters(
  ledger: Ledger,
  rows: readonly SettledRow[],
  columnsOf: (event: NewEvent | undefined) => EventRow = eventRow,
): Promise<SettlementParameters> {
  const postingRows: PostingRow[] = []
  const extraEventRows: Parameters<typeof extraEventSet.parameters>[0][number][] = []
  for (const { settled, postings, extraEvents } of rows) {
    for (const event of extraEvents) extraEventRows.push({ operation_id: settled.id, ...columnsOf(event) })
    postingRows.push(...(await ledger.postingRows(settled.id, postings)))
  }
  const settledRows = inOneOrder(rows).map((row) => settledRow(row, columnsOf(row.event)))
  const values = [...settledSet.parameters(settledRows), ...postingSet.parameters(postingRows)]
  const shares = rows.flatMap(({ sharing }) => sharing.shares)
  const transfers = rows.flatMap(({ sharing }) => sharing.transfers)
  const withExtraEvents = [...values, ...extraEventSet.parameters(extraEventRows)]
  if (shares.length + transfers.length > 0) {
    const divided = [
      ...withExtraEvents,
      ...shareSet.parameters(shares.map(newShares.write)),
      ...transferSet.parameters(transfers.map(newTransfers.write)),
      ...turnSet.parameters(rows.flatMap(turnRows)),
    ]
    return { kind: 'split', values: divided }
  }
  if (rows.some(({ settled }) => settled.subscriptionId !== undefined))
    return { kind: 'extended', values: withExtraEvents }
  if (rows.some(({ settled }) => concernsOthers(settled))) return { kind: 'related', values }
  return { kind: rows.some(({ answer }) => answer !== undefined) ? 'answered' : 'simple', values }
}

/** An accepted authorization gets its timer; a failed child releases its reservation. */
function concernsOthers({ type, status }: Operation): boolean {
  return status === 'COMPLETED' ? type === 'AUTH' : type !== 'PAYMENT'
}

/** Sorted by id: parallel statements lock in one order, so deadlocks are rare. storage/postgres.ts retries them. */
function inOneOrder(rows: readonly SettledRow[]): SettledRow[] {
  return rows.toSorted((one, other) => (one.settled.id < other.settled.id ? -1 : 1))
}

function turnRows({ settled, sharing: { turn } }: SettledRow) {
  if (turn === undefined) return []
  const { id: operation_id, walletId: wallet_id } = settled
  return [{ operation_id, wallet_id, parent_id: turn.authorizationId, split_revision: turn.revision }]
}

function settledRow({ settled, guard, at, answer }: SettledRow, event: EventRow) {
  const lapses = settled.type === 'AUTH' && settled.status === 'COMPLETED' && settled.expires !== undefined
  return {
    ...settledColumns.write(settled),
    guard: guard.kind,
    attempt_id: 'attemptId' in guard ? guard.attemptId : null,
    lapses_at: lapses ? toTimestamp(settled.expires) : null,
    at: toTimestamp(at),
    ...storeAnswerCte.row(answer),
    ...event,
  }
}
