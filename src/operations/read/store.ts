// The SQL of operations: rows and the look-up by key.
import type { CardSummary } from '../../kernel/card-summary.ts'
import type { Cents } from '../../kernel/money.ts'
import type { Instant } from '../../kernel/time.ts'
import type { RefundSource } from '../../splits/index.ts'
import { type Executor, lookup } from '../../storage/index.ts'
import type { Client, Method, Operation, OperationStatus, OperationType, PaymentItem } from '../model.ts'
import { askedShareOf, type StoredAskedShare, type StoredTake, takeOf } from '../shares/stored-json.ts'

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
  instant: boolean | null
  starts: Instant | null
  rail_payment_id: string | null
  error: string | null
  expires: Instant | null
  created_at: Instant
  modified_at: Instant
  settled_at: Instant | null
}

/** The columns of what a merchant is shown of an operation. */
export const shownColumns = [
  'id',
  'type',
  'status',
  'method',
  'amount',
  'fee',
  'currency',
  'channel',
  'ipaddress',
  'parent_id',
  'refunded',
  'split_at',
  'ext_invoiceid',
  'ext_email',
  'ext_customerid',
  'ext_employee',
  'notes',
  'items',
  'client',
  'card',
  'mb_entity',
  'mb_ref',
  'phone',
  'callback_url',
  'cardsecure_url_confirm',
  'cardsecure_url_cancel',
  'instant',
  'starts',
  'expires',
  'created_at',
  'modified_at',
] as const satisfies readonly (keyof OperationRow)[]

type ShownRow = Pick<OperationRow, (typeof shownColumns)[number]>

/** What a merchant is shown of an operation. */
export type ShownOperation = Pick<Operation, keyof ReturnType<typeof shownOf>>

export function operationOf(row: OperationRow): Operation {
  return {
    ...shownOf(row),
    walletId: row.wallet_id,
    checkoutId: row.checkout_id ?? undefined,
    subscriptionId: row.subscription_id ?? undefined,
    attemptId: row.attempt_id ?? undefined,
    underApproval: row.under_approval,
    refundRevision: row.refund_revision,
    split: row.split === null ? undefined : row.split.map(askedShareOf),
    taking: takingOf(row),
    captured: row.captured as Cents,
    captures: row.captures,
    released: row.released as Cents,
    lapsedAt: row.lapsed_at ?? undefined,
    store: row.store ?? undefined,
    railPaymentId: row.rail_payment_id ?? undefined,
    error: row.error ?? undefined,
    settledAt: row.settled_at ?? undefined,
  }
}

export function shownOf(row: ShownRow) {
  return {
    id: row.id,
    type: row.type,
    status: row.status,
    method: row.method ?? undefined,
    amount: row.amount as Cents,
    fee: row.fee as Cents,
    currency: row.currency,
    channel: row.channel,
    ipaddress: row.ipaddress ?? undefined,
    parentId: row.parent_id ?? undefined,
    refunded: row.refunded as Cents,
    splitAt: row.split_at ?? undefined,
    extInvoiceId: row.ext_invoiceid ?? undefined,
    extEmail: row.ext_email ?? undefined,
    extCustomerId: row.ext_customerid ?? undefined,
    extEmployee: row.ext_employee ?? undefined,
    notes: row.notes ?? undefined,
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
    expires: row.expires ?? undefined,
    createdAt: row.created_at,
    modifiedAt: row.modified_at,
  }
}

function takingOf({ takes, take_source: source }: OperationRow): Operation['taking'] {
  return takes === null || source === null ? undefined : { source, takes: takes.map(takeOf) }
}

function cardSecureUrlsOf({ cardsecure_url_confirm: confirm, cardsecure_url_cancel: cancel }: ShownRow) {
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
