// The SQL of the online wallet's books.
import { type Instant, toTimestamp } from '../../src/kernel/time.ts'
import type { OnlineWalletDecline } from '../../src/rails/index.ts'
import { type Executor, statement } from '../../src/storage/index.ts'
import type { Language } from '../issuer/words.ts'
import type { Order, OrderState } from './model.ts'

interface OrderRow {
  key: string
  reference: string
  merchant_name: string
  amount: bigint
  currency: string
  return_url: string
  language: Language
  state: OrderState
  payer: string | null
  decline: OnlineWalletDecline | null
  transaction: string
  created_at: Instant
  expires_at: Instant
}

function orderOf(row: OrderRow): Order {
  return {
    key: row.key,
    reference: row.reference,
    merchantName: row.merchant_name,
    amount: row.amount,
    currency: row.currency,
    returnUrl: row.return_url,
    language: row.language,
    state: row.state,
    payer: row.payer ?? undefined,
    decline: row.decline ?? undefined,
    transaction: row.transaction,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  }
}

const insertOrderRow = statement(`
  insert into sandbox.wallet_orders (
    key, reference, merchant_name, amount, currency, return_url, language, state, transaction, created_at, expires_at
  )
  values ($1, $2, $3, $4, $5, $6, $7, 'open', $8, $9, $10)
  on conflict (key) do nothing`)

/** Writes an order; a known key changes nothing. */
export async function insertOrder(db: Executor, order: Omit<Order, 'state' | 'payer' | 'decline'>) {
  const { key, reference, merchantName, amount, currency, returnUrl, language, transaction } = order
  await db.run(insertOrderRow, [
    key,
    reference,
    merchantName,
    amount,
    currency,
    returnUrl,
    language,
    transaction,
    toTimestamp(order.createdAt),
    toTimestamp(order.expiresAt),
  ])
}

const expireOrder = statement(`
  update sandbox.wallet_orders set state = 'declined', decline = 'expired'
  where key = $1 and state in ('open', 'agreed') and expires_at <= $2`)
const selectOrder = statement<OrderRow>('select * from sandbox.wallet_orders where key = $1')

/** The order as it stands now: one whose time is over is declined. */
export async function findOrder(db: Executor, key: string, now: Instant): Promise<Order | undefined> {
  const [row] = await db.run(selectOrder, [key])
  if (row === undefined) return undefined
  const undecided = row.state === 'open' || row.state === 'agreed'
  if (!undecided || row.expires_at > now) return orderOf(row)
  await db.run(expireOrder, [key, toTimestamp(now)])
  const [ended] = await db.run(selectOrder, [key])
  return ended && orderOf(ended)
}

const decideOrder = statement<{ key: string }>(`
  update sandbox.wallet_orders set state = $2, payer = coalesce($3, payer), decline = $4
  where key = $1 and state = $5
  returning key`)

/** Moves an order on from the state it is in; false when it was not in that state. */
export async function moveOrder(
  db: Executor,
  key: string,
  move: {
    readonly from: OrderState
    readonly to: OrderState
    readonly payer?: string
    readonly decline?: OnlineWalletDecline
  },
): Promise<boolean> {
  const { from, to, payer, decline } = move
  return (await db.run(decideOrder, [key, to, payer ?? null, decline ?? null, from])).length === 1
}

const selectLatest = statement<{ key: string }>(`
  select key from sandbox.wallet_orders where reference = $1 order by created_at desc, key desc limit 1`)

/** The latest order for one of the gateway's operations. */
export async function findLatestKey(db: Executor, reference: string): Promise<string | undefined> {
  const [row] = await db.run(selectLatest, [reference])
  return row?.key
}
