// The SQL of settling: status, postings and event in one statement.
import { eventColumns, recordEventsSql } from '../../callbacks/index.ts'
import { storeAnswerCte } from '../../idempotency/index.ts'
import { postingColumns, postSql } from '../../ledger/index.ts'
import { rowSet, type Statement, statement } from '../../storage/index.ts'
import { operations } from '../model.ts'
import { unreserveSql } from '../open/open.ts'
import { claimRevisionsSql, hasRevisionSql, revisionColumns } from '../shares/captures.ts'
import { postSharesSql, postTransfersSql } from '../shares/store.ts'
import { newShares, newTransfers } from '../shares/table.ts'
import type { ExtensionSql } from './model.ts'

interface WonRow {
  readonly id: string
  readonly is_answered: boolean
}

export const settledColumns = operations.pick(
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
export const settledSet = rowSet({
  ...settledColumns.types,
  guard: 'text',
  attempt_id: 'uuid',
  lapses_at: 'timestamptz',
  at: 'timestamptz',
  ...storeAnswerCte.columns,
  ...eventColumns,
})
const settledParameterCount = settledSet.parameters([]).length
export const postingSet = rowSet(postingColumns, settledParameterCount + 1)
export const extraEventSet = rowSet(
  { operation_id: 'uuid', ...eventColumns },
  settledParameterCount + postingSet.parameters([]).length + 1,
)
const simpleParameterCount = settledParameterCount + postingSet.parameters([]).length
const extendedParameterCount = simpleParameterCount + extraEventSet.parameters([]).length
export const shareSet = rowSet(newShares.types, extendedParameterCount + 1)
export const transferSet = rowSet(
  newTransfers.types,
  extendedParameterCount + shareSet.parameters([]).length + 1,
)
const sharedParameterCount =
  extendedParameterCount + shareSet.parameters([]).length + transferSet.parameters([]).length
export const revisionSet = rowSet(revisionColumns, sharedParameterCount + 1)

/** Each kind includes the kinds before it. A statement has only needed parts, because each one costs time. */
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
  split: sharedParameterCount + revisionSet.parameters([]).length,
}

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
    ? `share as (${shareSet.source}), transfer as (${transferSet.source}), turn as (${revisionSet.source}),
      ${claimRevisionsSql('turn')},`
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
      ${divided ? hasRevisionSql('turn', 'input') : ''}
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
