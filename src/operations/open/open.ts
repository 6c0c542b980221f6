// Opening operations and their children.

import { type Claim, idempotencyClaimCte } from '../../idempotency/index.ts'
import type { Cents } from '../../kernel/money.ts'
import { type Refusal, RefusalError } from '../../kernel/result.ts'
import { after, type Instant, second } from '../../kernel/time.ts'
import { tracing } from '../../kernel/tracing.ts'
import { accountRefundMethods } from '../../methods/list.ts'
import {
  batched,
  codesSql,
  column,
  type Database,
  type Executor,
  rowSet,
  statement,
} from '../../storage/index.ts'
import {
  type ChildOperation,
  type ChildType,
  type MerchantReferences,
  type NewOperation,
  newOperations,
  type Operation,
  reportedChannels,
} from '../model.ts'
import { countOperationsSql } from '../read/counts.ts'
import { capturesPerAuthorizationMax } from '../rules.ts'

/** Returns false and writes nothing if the idempotency key was used before. */
export type OpenOperation = (operation: NewOperation, claim: Claim | undefined) => Promise<boolean>

export function createOpen(database: Database): OpenOperation {
  const write = batched<OpenedRow, boolean>({ database, write: (rows) => insertOperations(database, rows) })
  return (operation, claim) => write({ operation, claim })
}

export function openedOperation(operation: NewOperation): Operation {
  return {
    ...operation,
    fee: 0n as Cents,
    underApproval: operation.underApproval ?? false,
    refunded: 0n as Cents,
    cameBack: 0n as Cents,
    refundRevision: 0,
    captured: 0n as Cents,
    captures: 0,
    released: 0n as Cents,
    modifiedAt: operation.createdAt,
  }
}

/** Due times have tables of their own, so that an update of an operation changes no index of theirs. */
const openedOperations = newOperations.with({ dueAt: column.instant().optional() })

export const operationColumns = openedOperations.types

export const operationRow = openedOperations.write

/** One row holds the due times of a statement, because nearly all operations settle before they are due. */
export function openOperationsSql(source: string): string {
  return `
    opened_operations as (
      insert into operations (${newOperations.list()}, modified_at)
      select ${newOperations.list()}, created_at from ${source}
      returning id, wallet_id, type
    ),
    ${countOperationsSql('opened_operations')},
    movements_to_watch as (
      insert into opened_movements (due_at, id, wallet_ids, operation_ids)
      select max(due_at), (array_agg(id))[1], array_agg(wallet_id), array_agg(id) from ${source}
      where due_at is not null
      having count(*) > 0
    )`
}

const openedSet = rowSet({ ...operationColumns, ...idempotencyClaimCte.columns })

const openNewOperations = statement<{ id: string }>(`
  with input as (${openedSet.source}),
  ${idempotencyClaimCte.sql('input')},
  ${openOperationsSql('admitted')}
  select id from opened_operations`)

export interface OpenedRow {
  readonly operation: NewOperation
  readonly claim: Claim | undefined
}

export async function insertOperations(db: Executor, rows: readonly OpenedRow[]): Promise<boolean[]> {
  const values = rows.map(({ operation, claim }) => ({
    ...operationRow(operation),
    ...idempotencyClaimCte.row(claim),
  }))
  const written = await db.run(openNewOperations, openedSet.parameters(values))
  const ids = new Set(written.map(({ id }) => id))
  return rows.map(({ operation }) => ids.has(operation.id))
}

const newChildren = rowSet({
  ...operationColumns,
  ...idempotencyClaimCte.columns,
  parent_revision: 'integer',
  refunded_max: 'bigint',
})

const reportedList = reportedChannels.map((channel) => `'${channel}'`).join(', ')

/**
 * Locks the parent first, so a refused child claims no idempotency key. Totals are computed from the locked
 * parent, because the snapshot of the statement may be older. A divided refund opens only if the parent still
 * has its revision, so its shares are current.
 */
const openChildren = statement<{ id: string; opened: boolean; beyond: boolean }>(`
  with input as (${newChildren.source}),
  parent as (
    select operations.*
    from operations join input on operations.wallet_id = input.wallet_id and operations.id = input.parent_id
    order by operations.wallet_id, operations.id
    for no key update of operations
  ),
  beyond as (
    select input.id
    from input join parent on parent.wallet_id = input.wallet_id and parent.id = input.parent_id
    where input.type = 'REFUND'
      and parent.refunded - input.amount
        + case when parent.method = any (${codesSql(accountRefundMethods)}) then 0 else parent.came_back end
        > input.refunded_max
  ),
  allowed as (
    select input.*
    from input join parent on parent.wallet_id = input.wallet_id and parent.id = input.parent_id
    where parent.status = 'COMPLETED' and input.id not in (select id from beyond) and case input.type
      when 'CAPTURE' then parent.type = 'AUTH' and parent.lapsed_at is null
        and parent.captures < ${capturesPerAuthorizationMax}
        and parent.captured + parent.released + input.amount <= parent.amount
      when 'RELEASE' then parent.type = 'AUTH' and parent.lapsed_at is null
        and (parent.captures = 0 or input.channel in (${reportedList}))
        and parent.captured + parent.released + input.amount <= parent.amount
      when 'REFUND' then parent.type in ('PAYMENT', 'CAPTURE')
        and parent.refunded - input.amount
          + case
              when input.channel in (${reportedList}) or parent.method = any (${codesSql(accountRefundMethods)}) then 0
              else parent.came_back
            end <= parent.amount
        and (parent.split_at is null) = (input.parent_revision is null)
        and coalesce(parent.refund_revision = input.parent_revision, true)
    end
  ),
  ${idempotencyClaimCte.sql('allowed')},
  reserved as (
    update operations set
      captured = parent.captured + case admitted.type when 'CAPTURE' then admitted.amount else 0 end,
      captures = parent.captures + case admitted.type when 'CAPTURE' then 1 else 0 end,
      released = parent.released + case admitted.type when 'RELEASE' then admitted.amount else 0 end,
      refunded = parent.refunded - case admitted.type when 'REFUND' then admitted.amount else 0 end,
      refund_revision = parent.refund_revision + case admitted.type when 'REFUND' then 1 else 0 end
    from admitted join parent on parent.wallet_id = admitted.wallet_id and parent.id = admitted.parent_id
    where operations.wallet_id = parent.wallet_id and operations.id = parent.id
  ),
  reserved_shares as (
    update shares set refunded = shares.refunded + take.amount
    from admitted cross join jsonb_to_recordset(admitted.share_refunds) as take(position integer, amount bigint)
    where shares.wallet_id = admitted.wallet_id and shares.operation_id = admitted.parent_id
      and shares.position = take.position
  ),
  ${openOperationsSql('admitted')}
  select allowed.id, opened_operations.id is not null as opened, false as beyond
  from allowed left join opened_operations on opened_operations.id = allowed.id
  union all
  select id, false, true from beyond`)

/** The most that may be refunded of one payment, in cents, by a backoffice user with a refund limit. */
export interface RefundCeiling {
  readonly max: bigint
  readonly refusal: Refusal
}

export interface OpenedChildRow {
  readonly operation: ChildOperation
  readonly claim: Claim | undefined
  readonly refundedMax?: bigint | undefined
}

export type ChildOpening = 'opened' | 'repeated' | 'refused'

/** One answer for each row. `beyond`: a refund above its `refundedMax`. Only `opened` was written. */
export async function insertChildren(
  db: Executor,
  rows: readonly OpenedChildRow[],
): Promise<(ChildOpening | 'beyond')[]> {
  const values = rows.map(({ operation, claim, refundedMax }) => ({
    ...operationRow(operation),
    ...idempotencyClaimCte.row(claim),
    parent_revision: operation.parentRevision ?? null,
    refunded_max: refundedMax ?? null,
  }))
  const allowed = await db.run(openChildren, newChildren.parameters(values))
  const answers = new Map(allowed.map((row) => [row.id, row]))
  return rows.map(({ operation: { id } }) => {
    const answer = answers.get(id)
    if (answer === undefined) return 'refused'
    if (answer.beyond) return 'beyond'
    return answer.opened ? 'opened' : 'repeated'
  })
}

/** Releases the amounts that failed children in `moved` had reserved. Several of them may have one parent. */
export function unreserveSql(moved: string): string {
  return `
    unreserved as (
      update operations set
        captured = operations.captured - failed.captured,
        captures = operations.captures - failed.captures,
        released = operations.released - failed.released,
        refunded = operations.refunded - failed.refunded,
        refund_revision = operations.refund_revision + failed.refunds
      from (
        select wallet_id, parent_id,
          coalesce(sum(amount) filter (where type = 'CAPTURE'), 0)::bigint as captured,
          (count(*) filter (where type = 'CAPTURE'))::integer as captures,
          coalesce(sum(amount) filter (where type = 'RELEASE'), 0)::bigint as released,
          coalesce(-sum(amount) filter (where type = 'REFUND'), 0)::bigint as refunded,
          (count(*) filter (where type = 'REFUND'))::integer as refunds
        from ${moved}
        where status in ('FAIL', 'VOIDED') and type in ('CAPTURE', 'RELEASE', 'REFUND')
        group by wallet_id, parent_id
      ) as failed
      where operations.wallet_id = failed.wallet_id and operations.id = failed.parent_id
      returning operations.wallet_id, operations.id
    ),
    unreserved_shares as (
      update shares set refunded = shares.refunded - failed.amount
      from (
        select ${moved}.wallet_id, ${moved}.parent_id, take.position, sum(take.amount)::bigint as amount
        from ${moved} cross join jsonb_to_recordset(${moved}.share_refunds) as take(position integer, amount bigint)
        where ${moved}.status in ('FAIL', 'VOIDED')
        group by ${moved}.wallet_id, ${moved}.parent_id, take.position
      ) as failed
      -- Locks the parent first, as opening does, to avoid deadlocks.
      join unreserved on unreserved.wallet_id = failed.wallet_id and unreserved.id = failed.parent_id
      where shares.wallet_id = failed.wallet_id and shares.operation_id = failed.parent_id
        and shares.position = failed.position
    )`
}

export interface ChildTerms {
  readonly ceiling?: RefundCeiling | undefined
  /** Writes more in the transaction that opens the child. Absent: one statement opens several children. */
  readonly also?: ((tx: Executor) => Promise<void>) | undefined
}

/** Opens a child, or throws the refusal of the ceiling. Parallel refunds wait for each other. */
export type OpenChild = (
  operation: ChildOperation,
  claim: Claim | undefined,
  terms?: ChildTerms,
) => Promise<ChildOpening>

export function createOpenChild(database: Database): OpenChild {
  const write = batched<OpenedChildRow, ChildOpening | 'beyond'>({
    database,
    aggregateOf: ({ operation }) => operation.parentId,
    write: (rows) => insertChildren(database, rows),
  })
  const writeWith = (row: OpenedChildRow, also: (tx: Executor) => Promise<void>) =>
    database.transaction(async (tx) => {
      const [opening = 'refused'] = await insertChildren(tx, [row])
      if (opening === 'opened') await also(tx)
      return opening
    })
  return async (operation, claim, { ceiling, also } = {}) => {
    const row = { operation, claim, refundedMax: ceiling?.max }
    const opening = await (also === undefined ? write(row) : writeWith(row, also))
    if (opening !== 'beyond') return opening
    throw ceiling === undefined
      ? new Error('a refund was beyond a ceiling, but has none')
      : new RefusalError(ceiling.refusal)
  }
}

export type OpenedOperation = NewOperation & ReturnType<typeof underApproval>

/** `at`: when the rail is called. */
export function underApproval<Asked extends NewOperation>(asked: Asked, at = asked.createdAt) {
  return {
    ...asked,
    traceparent: asked.traceparent ?? tracing?.traceparent(),
    status: 'PENDING',
    attemptId: asked.id,
    underApproval: true,
    dueAt: firstInquiry(at),
  } as const
}

/** The first inquiry is later than the end of a call to a rail, which normally brings the answer. */
const firstInquiryMs = 10 * second

export function firstInquiry(now: Instant): Instant {
  return after(now, firstInquiryMs)
}

/** The idempotency key at the rail for the money of an operation. */
export function keyOf({ attemptId, id }: Pick<Operation, 'attemptId' | 'id'>): string {
  return attemptId ?? id
}

/** The fields that a merchant sends for a child. All others are copied from its parent. */
export interface AskedChild<Type extends ChildType> {
  readonly id: string
  readonly type: Type
  /** Negative on refunds. */
  readonly amount: Cents
  readonly merchantReferences: MerchantReferences
  readonly expires?: Instant | undefined
  readonly createdAt: Instant
}

/** The child keeps the card and callback address of `parent`; a capture keeps the split as well. */
export function childOperation<Type extends ChildType>(
  parent: Operation,
  { merchantReferences, ...asked }: AskedChild<Type>,
): ChildOperation & { readonly type: Type } {
  return {
    ...merchantReferences,
    ...asked,
    walletId: parent.walletId,
    status: 'PENDING',
    method: parent.method,
    currency: parent.currency,
    channel: 'API',
    parentId: parent.id,
    checkoutId: parent.checkoutId,
    store: parent.store,
    phone: parent.phone,
    callbackUrl: parent.callbackUrl,
    card: parent.card,
    split: asked.type === 'CAPTURE' ? parent.split : undefined,
  }
}
