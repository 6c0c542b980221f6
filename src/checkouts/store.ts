// The SQL of hosted checkouts.
import { type Claim, claimParts } from '../idempotency/index.ts'
import type { Instant } from '../kernel/time.ts'
import { toTimestamp } from '../kernel/time.ts'
import {
  type Client,
  type NewOperation,
  type OperationRow,
  openOperationsSql,
  operationColumns,
  operationOf,
  operationRow,
} from '../operations/index.ts'
import { type ColumnType, claimDueSql, type Executor, lookup, rowSet, statement } from '../storage/index.ts'
import { addSubscriberData, findSubscription } from '../subscriptions/index.ts'
import type { Checkout, CheckoutKind, CheckoutMethodCode, PaidCheckout, RequiredFields } from './model.ts'

/** A checkout that does not exist yet, with the operation to open for it, if it pays or reserves. */
export interface NewCheckout extends Omit<PaidCheckout, 'kind' | 'operation' | 'subscription'> {
  readonly kind: CheckoutKind
  readonly operation: NewOperation | undefined
  readonly subscriptionId: string | undefined
  readonly claim?: Claim | undefined
}

const checkoutColumns = {
  kind: 'text',
  url_confirm: 'text',
  url_cancel: 'text',
  exclude: 'jsonb',
  default_method: 'text',
  required_fields: 'jsonb',
  mandate_phone: 'text',
  expires_at: 'timestamptz',
} as const satisfies Record<string, ColumnType>

const newCheckouts = rowSet({
  ...operationColumns,
  ...checkoutColumns,
  checkout_subscription_id: 'uuid',
  ...claimParts.columns,
})

const insertCheckoutRows = statement<{ id: string }>(`
  with input as (${newCheckouts.source}),
  ${claimParts.sql('input')},
  with_operation as (select * from admitted where id is not null),
  ${openOperationsSql('with_operation')}
  insert into checkouts (
    id, wallet_id, kind, operation_id, subscription_id, url_confirm, url_cancel, exclude, default_method, required_fields,
    mandate_phone, expires_at, created_at, due_at
  )
  select checkout_id, wallet_id, kind, id, checkout_subscription_id, url_confirm, url_cancel, exclude, default_method, required_fields,
    mandate_phone, expires_at, created_at, expires_at
  from admitted
  returning id`)

/** Writes checkouts with their operations; answers per row whether it is new (false: its idempotency key was used). */
export async function insertCheckouts(db: Executor, checkouts: readonly NewCheckout[]): Promise<boolean[]> {
  const written = await db.run(insertCheckoutRows, newCheckouts.parameters(checkouts.map(checkoutRow)))
  const ids = new Set(written.map(({ id }) => id))
  return checkouts.map(({ id }) => ids.has(id))
}

function checkoutRow(checkout: NewCheckout) {
  const { id, walletId, createdAt, operation } = checkout
  const own = { wallet_id: walletId, checkout_id: id, created_at: toTimestamp(createdAt) }
  return {
    ...(operation === undefined ? { ...noOperation, ...own } : operationRow(operation)),
    checkout_subscription_id: checkout.subscriptionId ?? null,
    kind: checkout.kind,
    url_confirm: checkout.urlConfirm,
    url_cancel: checkout.urlCancel,
    exclude: checkout.exclude.length === 0 ? null : JSON.stringify(checkout.exclude),
    default_method: checkout.defaultMethod ?? null,
    required_fields: JSON.stringify(checkout.requiredFields),
    mandate_phone: checkout.mandatePhone ?? null,
    expires_at: toTimestamp(checkout.expiresAt),
    ...claimParts.row(checkout.claim),
  }
}

const noOperation = Object.fromEntries(
  Object.keys(operationColumns).map((column) => [column, null]),
) as Record<keyof typeof operationColumns, unknown>

interface CheckoutRow extends Omit<OperationRow, 'id'> {
  /** Of the operation, if there is one. */
  id: string | null
  checkout: string
  checkout_wallet_id: bigint
  checkout_subscription_id: string | null
  kind: CheckoutKind
  url_confirm: string
  url_cancel: string
  exclude: CheckoutMethodCode[] | null
  default_method: CheckoutMethodCode | null
  required_fields: RequiredFields | null
  mandate_phone: string | null
  expires_at: Instant
  checkout_created_at: Instant
}

async function checkoutOf(db: Executor, row: CheckoutRow): Promise<Checkout> {
  const { id: operationId, checkout_wallet_id: walletId, checkout_subscription_id: subscriptionId } = row
  const subscription =
    subscriptionId === null ? undefined : await findSubscription(db, walletId, subscriptionId)
  const operation = operationId === null ? undefined : operationOf(row as OperationRow)
  if (operation === undefined && subscription === undefined) {
    throw new Error(`checkout ${row.checkout} is about nothing`)
  }
  return {
    id: row.checkout,
    walletId,
    kind: row.kind,
    urlConfirm: row.url_confirm,
    urlCancel: row.url_cancel,
    exclude: row.exclude ?? [],
    defaultMethod: row.default_method ?? undefined,
    requiredFields: row.required_fields ?? {},
    mandatePhone: row.mandate_phone ?? undefined,
    expiresAt: row.expires_at,
    createdAt: row.checkout_created_at,
    operation,
    subscription,
  } as Checkout
}

const checkoutWithOperation = `
  select operations.*, checkouts.id as checkout, checkouts.wallet_id as checkout_wallet_id,
    checkouts.subscription_id as checkout_subscription_id, checkouts.kind, checkouts.url_confirm, checkouts.url_cancel,
    checkouts.exclude, checkouts.default_method, checkouts.required_fields, checkouts.mandate_phone, checkouts.expires_at,
    checkouts.created_at as checkout_created_at
  from checkouts
  left join operations on operations.wallet_id = checkouts.wallet_id and operations.id = checkouts.operation_id`

const checkoutByKey = lookup<CheckoutRow>({
  key: { wallet_id: 'bigint', id: 'uuid' },
  sql: `${checkoutWithOperation} where checkouts.id = wanted.id and checkouts.wallet_id = wanted.wallet_id`,
})

/** The wallet's checkout, if it has one with that id. */
export async function findCheckout(
  db: Executor,
  walletId: bigint,
  id: string,
): Promise<Checkout | undefined> {
  const row = await db.find(checkoutByKey, [walletId, id])
  return row === undefined ? undefined : checkoutOf(db, row)
}

const checkoutById = lookup<CheckoutRow>({
  key: { id: 'uuid' },
  sql: `${checkoutWithOperation} where checkouts.id = wanted.id`,
})

/** The checkout as its customer sees it, who knows the id and no wallet. */
export async function findCheckoutForCustomer(db: Executor, id: string): Promise<Checkout | undefined> {
  const row = await db.find(checkoutById, [id])
  return row === undefined ? undefined : checkoutOf(db, row)
}

const completeClient = statement(`
  update operations set
    client = nullif(coalesce(client, '{}'::jsonb) || $3::jsonb, '{}'::jsonb),
    ipaddress = coalesce($4, ipaddress), modified_at = $5
  where wallet_id = $1 and id = $2 and status in ('NEW', 'PENDING') and not under_approval`)

/** Adds what the customer told to what the merchant told, while nothing is being decided. */
export async function addCustomerData(
  db: Executor,
  { walletId, operation, subscription }: Checkout,
  client: Client,
  ip: string | undefined,
  now: Instant,
): Promise<void> {
  if (subscription !== undefined) await addSubscriberData(db, subscription, client, now)
  if (operation === undefined) return
  await db.run(completeClient, [walletId, operation.id, JSON.stringify(client), ip ?? null, toTimestamp(now)])
}

const extendLifetime = statement(`
  update checkouts set
    expires_at = greatest(expires_at, $3::timestamptz), due_at = greatest(due_at, $4::timestamptz)
  where wallet_id = $1 and id = $2 and due_at is not null`)

/** Lets the checkout live until `expiresAt` at least; its own timer stands back until `dueAt`. */
export async function extendCheckout(
  db: Executor,
  { walletId, id }: Checkout,
  expiresAt: Instant,
  dueAt: Instant,
): Promise<void> {
  await db.run(extendLifetime, [walletId, id, toTimestamp(expiresAt), toTimestamp(dueAt)])
}

const closeSettled = statement<{ id: string }>(`
  update checkouts set due_at = null
  where (id, wallet_id) in (
    select checkouts.id, checkouts.wallet_id
    from checkouts
    left join operations
      on operations.wallet_id = checkouts.wallet_id and operations.id = checkouts.operation_id
    left join subscriptions on checkouts.operation_id is null
      and subscriptions.wallet_id = checkouts.wallet_id and subscriptions.id = checkouts.subscription_id
    where checkouts.due_at <= $1
      and (operations.status in ('COMPLETED', 'FAIL', 'VOIDED') or subscriptions.status <> 'NEW')
    limit $2
    for update of checkouts skip locked
  )
  returning id`)

/** Forgets the timers of checkouts that were over in time; answers how many. */
export async function forgetSettledTimers(db: Executor, now: Instant, limit: number): Promise<number> {
  return (await db.run(closeSettled, [toTimestamp(now), limit])).length
}

const claimOverdue = statement<{ id: string; wallet_id: bigint }>(`
  ${claimDueSql('checkouts')}
  returning id, wallet_id`)

/** Checkouts whose lifetime is over, leased until `leasedUntil`. */
export function claimOverdueCheckouts(
  db: Executor,
  now: Instant,
  leasedUntil: Instant,
  limit: number,
): Promise<{ id: string; wallet_id: bigint }[]> {
  return db.run(claimOverdue, [toTimestamp(now), toTimestamp(leasedUntil), limit])
}
