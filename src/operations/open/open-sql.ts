// The SQL of opening operations: as a fragment for the statement of whoever opens, and by themselves.
import { type Claim, claimParts } from '../../idempotency/index.ts'
import { toTimestamp } from '../../kernel/time.ts'
import { type ColumnType, type Executor, rowSet, statement } from '../../storage/index.ts'
import type { NewOperation } from '../model.ts'
import { countOperationsSql } from '../read/counts-store.ts'
import { splitAsJson, takesAsJson } from '../shares/stored-json.ts'

/** Columns of the row set that {@link openOperationsSql} reads. */
export const operationColumns = {
  id: 'uuid',
  wallet_id: 'bigint',
  type: 'text',
  status: 'text',
  method: 'text',
  amount: 'bigint',
  currency: 'text',
  channel: 'text',
  ipaddress: 'text',
  parent_id: 'uuid',
  checkout_id: 'uuid',
  subscription_id: 'uuid',
  ext_invoiceid: 'text',
  ext_email: 'text',
  ext_customerid: 'text',
  ext_employee: 'text',
  notes: 'text',
  store: 'bigint',
  items: 'jsonb',
  client: 'jsonb',
  phone: 'text',
  callback_url: 'text',
  cardsecure_url_confirm: 'text',
  cardsecure_url_cancel: 'text',
  card: 'jsonb',
  attempt_id: 'uuid',
  under_approval: 'boolean',
  due_at: 'timestamptz',
  mb_entity: 'text',
  mb_ref: 'text',
  instant: 'boolean',
  starts: 'timestamptz',
  expires: 'timestamptz',
  split: 'jsonb',
  takes: 'jsonb',
  take_source: 'text',
  created_at: 'timestamptz',
} as const satisfies Record<string, ColumnType>

/** When a movement is looked at belongs to the resolver's tables, so that no update of an operation moves an index. */
const columnList = Object.keys(operationColumns)
  .filter((column) => column !== 'due_at')
  .join(', ')

/**
 * Common table expressions that open the operations of `source`, which has {@link operationColumns}, as
 * `opened_operations`. Those with a due time are handed to the resolver in one row for all of them: nearly every one
 * is settled before it is due, and then nothing has to be removed for it ({@link writeDueAttempts}).
 */
export function openOperationsSql(source: string): string {
  return `
    opened_operations as (
      insert into operations (${columnList}, modified_at)
      select ${columnList}, created_at from ${source}
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

/** The values of {@link operationColumns}. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one line per column, nothing to decide
export function operationRow(operation: NewOperation): Record<keyof typeof operationColumns, unknown> {
  return {
    id: operation.id,
    wallet_id: operation.walletId,
    type: operation.type,
    status: operation.status,
    method: operation.method ?? null,
    amount: operation.amount,
    currency: operation.currency,
    channel: operation.channel,
    ipaddress: operation.ipaddress ?? null,
    parent_id: operation.parentId ?? null,
    checkout_id: operation.checkoutId ?? null,
    subscription_id: operation.subscriptionId ?? null,
    ext_invoiceid: operation.extInvoiceId ?? null,
    ext_email: operation.extEmail ?? null,
    ext_customerid: operation.extCustomerId ?? null,
    ext_employee: operation.extEmployee ?? null,
    notes: operation.notes ?? null,
    store: operation.store ?? null,
    items: operation.items === undefined ? null : JSON.stringify(operation.items),
    client: operation.client === undefined ? null : JSON.stringify(operation.client),
    phone: operation.phone ?? null,
    callback_url: operation.callbackUrl ?? null,
    cardsecure_url_confirm: operation.cardSecureUrls?.confirm ?? null,
    cardsecure_url_cancel: operation.cardSecureUrls?.cancel ?? null,
    card: operation.card === undefined ? null : JSON.stringify(operation.card),
    attempt_id: operation.attemptId ?? null,
    under_approval: operation.underApproval ?? false,
    due_at: operation.dueAt === undefined ? null : toTimestamp(operation.dueAt),
    mb_entity: operation.mb?.entity ?? null,
    mb_ref: operation.mb?.ref ?? null,
    instant: operation.instant ?? null,
    starts: operation.starts === undefined ? null : toTimestamp(operation.starts),
    expires: operation.expires === undefined ? null : toTimestamp(operation.expires),
    split: operation.split === undefined ? null : splitAsJson(operation.split),
    takes: operation.taking === undefined ? null : takesAsJson(operation.taking.takes),
    take_source: operation.taking?.source ?? null,
    created_at: toTimestamp(operation.createdAt),
  }
}

const newOperations = rowSet({ ...operationColumns, ...claimParts.columns })

const openNewOperations = statement<{ id: string }>(`
  with input as (${newOperations.source}),
  ${claimParts.sql('input')},
  ${openOperationsSql('admitted')}
  select id from opened_operations`)

export interface OpenedRow {
  readonly operation: NewOperation
  readonly claim: Claim | undefined
}

/** Writes the operations whose idempotency keys are new; answers per row whether it was written. */
export async function insertOperations(db: Executor, rows: readonly OpenedRow[]): Promise<boolean[]> {
  const values = rows.map(({ operation, claim }) => ({
    ...operationRow(operation),
    ...claimParts.row(claim),
  }))
  const written = await db.run(openNewOperations, newOperations.parameters(values))
  const ids = new Set(written.map(({ id }) => id))
  return rows.map(({ operation }) => ids.has(operation.id))
}
