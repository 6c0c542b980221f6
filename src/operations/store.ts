// The SQL of operations: opening as a fragment for the statement of whoever opens, reading, moving on.
import type { CardSummary } from '../kernel/card-summary.ts'
import type { Cents } from '../kernel/money.ts'
import { type Instant, toTimestamp } from '../kernel/time.ts'
import type { RefundSource } from '../splits/index.ts'
import { type ColumnType, type Executor, lookup } from '../storage/index.ts'
import type {
  Client,
  Method,
  NewOperation,
  Operation,
  OperationStatus,
  OperationType,
  PaymentItem,
} from './model.ts'
import {
  askedShareOf,
  type StoredAskedShare,
  type StoredTake,
  splitAsJson,
  takeOf,
  takesAsJson,
} from './shares/stored-json.ts'

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

const columnList = Object.keys(operationColumns).join(', ')

/** A common table expression that opens the operations of `source`, which has {@link operationColumns}. */
export function openOperationsSql(source: string): string {
  return `
    opened_operations as (
      insert into operations (${columnList}, modified_at)
      select ${columnList}, created_at from ${source}
      returning id
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

/** A row of `operations` as the drivers bring it. */
export interface OperationRow {
  id: string
  wallet_id: bigint
  type: OperationType
  status: OperationStatus
  method: Method | null
  amount: bigint
  fee: bigint
  currency: 'EUR'
  channel: string
  ipaddress: string | null
  parent_id: string | null
  checkout_id: string | null
  subscription_id: string | null
  attempt_id: string | null
  under_approval: boolean
  refunded: bigint
  refund_revision: number
  split: readonly StoredAskedShare[] | null
  split_at: Instant | null
  takes: readonly StoredTake[] | null
  take_source: RefundSource | null
  captured: bigint
  captures: number
  released: bigint
  lapsed_at: Instant | null
  ext_invoiceid: string | null
  ext_email: string | null
  ext_customerid: string | null
  ext_employee: string | null
  notes: string | null
  store: bigint | null
  items: PaymentItem[] | null
  client: Client | null
  card: CardSummary | null
  mb_entity: string | null
  mb_ref: string | null
  phone: string | null
  callback_url: string | null
  cardsecure_url_confirm: string | null
  cardsecure_url_cancel: string | null
  inquiries: number
  instant: boolean | null
  starts: Instant | null
  rail_payment_id: string | null
  error: string | null
  expires: Instant | null
  created_at: Instant
  modified_at: Instant
  settled_at: Instant | null
}

// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one line per column, nothing to decide
export function operationOf(row: OperationRow): Operation {
  return {
    id: row.id,
    walletId: row.wallet_id,
    type: row.type,
    status: row.status,
    method: row.method ?? undefined,
    amount: row.amount as Cents,
    fee: row.fee as Cents,
    currency: row.currency,
    channel: row.channel,
    ipaddress: row.ipaddress ?? undefined,
    parentId: row.parent_id ?? undefined,
    checkoutId: row.checkout_id ?? undefined,
    subscriptionId: row.subscription_id ?? undefined,
    attemptId: row.attempt_id ?? undefined,
    underApproval: row.under_approval,
    refunded: row.refunded as Cents,
    refundRevision: row.refund_revision,
    split: row.split === null ? undefined : row.split.map(askedShareOf),
    splitAt: row.split_at ?? undefined,
    taking: takingOf(row),
    captured: row.captured as Cents,
    captures: row.captures,
    released: row.released as Cents,
    lapsedAt: row.lapsed_at ?? undefined,
    extInvoiceId: row.ext_invoiceid ?? undefined,
    extEmail: row.ext_email ?? undefined,
    extCustomerId: row.ext_customerid ?? undefined,
    extEmployee: row.ext_employee ?? undefined,
    notes: row.notes ?? undefined,
    store: row.store ?? undefined,
    items: row.items ?? undefined,
    client: row.client ?? undefined,
    card: row.card ?? undefined,
    mb:
      row.mb_entity === null || row.mb_ref === null ? undefined : { entity: row.mb_entity, ref: row.mb_ref },
    phone: row.phone ?? undefined,
    callbackUrl: row.callback_url ?? undefined,
    cardSecureUrls: cardSecureUrlsOf(row),
    instant: row.instant ?? undefined,
    starts: row.starts ?? undefined,
    railPaymentId: row.rail_payment_id ?? undefined,
    error: row.error ?? undefined,
    expires: row.expires ?? undefined,
    createdAt: row.created_at,
    modifiedAt: row.modified_at,
    settledAt: row.settled_at ?? undefined,
  }
}

function takingOf({ takes, take_source: source }: OperationRow): Operation['taking'] {
  return takes === null || source === null ? undefined : { source, takes: takes.map(takeOf) }
}

function cardSecureUrlsOf({ cardsecure_url_confirm: confirm, cardsecure_url_cancel: cancel }: OperationRow) {
  return confirm === null || cancel === null ? undefined : { confirm, cancel }
}

const operationByKey = lookup<OperationRow>({
  key: { wallet_id: 'bigint', id: 'uuid' },
  sql: 'select * from operations where wallet_id = wanted.wallet_id and id = wanted.id',
})

/** The wallet's operation, if it has one with that id. */
export async function findOperation(
  db: Executor,
  walletId: bigint,
  id: string,
): Promise<Operation | undefined> {
  const row = await db.find(operationByKey, [walletId, id])
  return row === undefined ? undefined : operationOf(row)
}
