// SQL of checkouts.
import { type Claim, idempotencyClaimCte } from '../idempotency/index.ts'
import { crashPoint } from '../kernel/crash-points.ts'
import { type Instant, toTimestamp } from '../kernel/time.ts'
import { keepLanguageSql } from '../mail/index.ts'
import {
  type Client,
  type NewOperation,
  openOperationsSql,
  operationColumns,
  operationRow,
  operations,
} from '../operations/index.ts'
import type { CheckoutKind, Locale } from '../pages/index.ts'
import {
  claimDueSql,
  type Executor,
  execute,
  lookup,
  rowSet,
  type StoredRowOf,
  statement,
} from '../storage/index.ts'
import { addSubscriberData, findSubscription } from '../subscriptions/index.ts'
import { type Checkout, checkouts, type PaidCheckout } from './model.ts'

export type NewCheckout = Omit<PaidCheckout, 'kind' | 'operation' | 'subscription'> & {
  readonly kind: CheckoutKind
  readonly operation: NewOperation | undefined
  readonly subscriptionId: string | undefined
  readonly claim?: Claim | undefined
}

/** The columns have a prefix, because the row also has the columns of an operation. */
const hosted = checkouts.prefixed('hosted_')
const newCheckouts = rowSet({ ...operationColumns, ...hosted.types, ...idempotencyClaimCte.columns })

const insertCheckoutRows = statement<{ id: string }>(`
  with input as (${newCheckouts.source}),
  ${idempotencyClaimCte.sql('input')},
  with_operation as (select * from admitted where id is not null),
  ${openOperationsSql('with_operation')}
  insert into checkouts (${checkouts.list()}, due_at)
  select ${hosted.list()}, hosted_expires_at from admitted
  returning id`)

export async function insertCheckouts(db: Executor, fresh: readonly NewCheckout[]): Promise<boolean[]> {
  const written = await db.run(insertCheckoutRows, newCheckouts.parameters(fresh.map(checkoutRow)))
  const ids = new Set(written.map(({ id }) => id))
  return fresh.map(({ id }) => ids.has(id))
}

function checkoutRow({ operation, claim, ...checkout }: NewCheckout) {
  const own = { wallet_id: checkout.walletId, created_at: toTimestamp(checkout.createdAt) }
  return {
    ...(operation === undefined ? { ...noOperation, ...own } : operationRow(operation)),
    ...hosted.write({ ...checkout, operationId: operation?.id }),
    ...idempotencyClaimCte.row(claim),
  }
}

const noOperation = Object.fromEntries(
  Object.keys(operationColumns).map((column) => [column, null]),
) as Record<keyof typeof operationColumns, unknown>

type CheckoutRow = StoredRowOf<typeof hosted> & StoredRowOf<typeof operations>

async function checkoutOf(db: Executor, row: CheckoutRow): Promise<Checkout> {
  const { operationId, subscriptionId, ...checkout } = hosted.read(row)
  const subscription =
    subscriptionId === undefined ? undefined : await findSubscription(db, checkout.walletId, subscriptionId)
  const operation = operationId === undefined ? undefined : operations.read(row)
  if (operation === undefined && subscription === undefined) {
    throw new Error(`checkout ${checkout.id} has no subject`)
  }
  return { ...checkout, operation, subscription } as Checkout
}

const checkoutWithOperation = `
  select operations.*, ${hosted.aliased('checkouts')}
  from checkouts
  left join operations on operations.wallet_id = checkouts.wallet_id and operations.id = checkouts.operation_id`

const checkoutByKey = lookup<CheckoutRow>({
  key: { wallet_id: 'bigint', id: 'uuid' },
  sql: `${checkoutWithOperation} where checkouts.id = wanted.id and checkouts.wallet_id = wanted.wallet_id`,
})

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

export async function findCheckoutForCustomer(db: Executor, id: string): Promise<Checkout | undefined> {
  const row = await db.find(checkoutById, [id])
  return row === undefined ? undefined : checkoutOf(db, row)
}

const completeClient = statement(`
  with ${keepLanguageSql('$1', '$2', '$6')}
  update operations set
    client = nullif(coalesce(client, '{}'::jsonb) || $3::jsonb, '{}'::jsonb),
    ipaddress = coalesce($4, ipaddress), modified_at = $5
  where wallet_id = $1 and id = $2 and status in ('NEW', 'PENDING') and not under_approval`)

/** Adds the customer's data, unless a rail is deciding. */
export async function addCustomerData(
  db: Executor,
  { walletId, operation, subscription }: Checkout,
  client: Client,
  { ip, locale }: { readonly ip: string | undefined; readonly locale: Locale },
  now: Instant,
): Promise<void> {
  if (subscription !== undefined) {
    await addSubscriberData(db, subscription, client, now)
    crashPoint('customer data kept, nothing begun')
  }
  if (operation === undefined) return
  await db.run(completeClient, [
    walletId,
    operation.id,
    JSON.stringify(client),
    ip ?? null,
    toTimestamp(now),
    locale,
  ])
  crashPoint('customer data kept, nothing begun')
}

export const extendCheckout = execute(({ walletId, id }: Checkout, expiresAt: Instant, dueAt: Instant) => [
  walletId,
  id,
  toTimestamp(expiresAt),
  toTimestamp(dueAt),
])`
  update checkouts set
    expires_at = greatest(expires_at, $3::timestamptz), due_at = greatest(due_at, $4::timestamptz)
  where wallet_id = $1 and id = $2 and due_at is not null`

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

export async function forgetSettledTimers(db: Executor, now: Instant, limit: number): Promise<number> {
  return (await db.run(closeSettled, [toTimestamp(now), limit])).length
}

const claimOverdue = statement<{ id: string; wallet_id: bigint }>(`
  ${claimDueSql('checkouts')}
  returning id, wallet_id`)

export function claimOverdueCheckouts(
  db: Executor,
  now: Instant,
  leasedUntil: Instant,
  limit: number,
): Promise<{ id: string; wallet_id: bigint }[]> {
  return db.run(claimOverdue, [toTimestamp(now), toTimestamp(leasedUntil), limit])
}
