// SQL of the online wallet's orders.
import { type Instant, toTimestamp } from '../../src/kernel/time.ts'
import type { OnlineWalletDecline } from '../../src/rails/index.ts'
import { type Executor, type StoredRowOf, statement } from '../../src/storage/index.ts'
import { type Order, type OrderState, orders } from './model.ts'

const newOrders = orders.omit('payer', 'decline')

const insertOrderRow = statement(`
  insert into sandbox.wallet_orders (${newOrders.list()}) values (${newOrders.placeholders()})
  on conflict (key) do nothing`)

export async function insertOrder(db: Executor, order: Omit<Order, 'state' | 'payer' | 'decline'>) {
  await db.run(insertOrderRow, newOrders.values({ ...order, state: 'open' }))
}

const expireOrder = statement(`
  update sandbox.wallet_orders set state = 'declined', decline = 'expired'
  where key = $1 and state in ('open', 'agreed') and expires_at <= $2`)
const selectOrder = statement<StoredRowOf<typeof orders>>(
  'select * from sandbox.wallet_orders where key = $1',
)

/** Finds an order. If its time is over, it counts as declined. */
export async function findOrder(db: Executor, key: string, now: Instant): Promise<Order | undefined> {
  const order = orders.first(await db.run(selectOrder, [key]))
  const undecided = order?.state === 'open' || order?.state === 'agreed'
  if (!undecided || order.expiresAt > now) return order
  await db.run(expireOrder, [key, toTimestamp(now)])
  return orders.first(await db.run(selectOrder, [key]))
}

const decideOrder = statement<{ key: string }>(`
  update sandbox.wallet_orders set state = $2, payer = coalesce($3, payer), decline = $4
  where key = $1 and state = $5
  returning key`)

/** False if another request has changed the state first. */
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

export async function findLatestKey(db: Executor, reference: string): Promise<string | undefined> {
  const [row] = await db.run(selectLatest, [reference])
  return row?.key
}
