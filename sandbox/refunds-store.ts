// SQL of refunds over the sandbox's rails.
import type { RefundRequest } from '../src/rails/index.ts'
import { type Executor, statement } from '../src/storage/index.ts'

/** Without `decline` the refund is approved. */
export interface RefundRow {
  readonly decline: 'unknown_payment' | 'amount_exceeds_remaining' | null
  readonly reference: string
}

const insertRequest = statement<RefundRow>(`
  insert into sandbox.refunds (key, of_key, amount, reference) values ($1, $2, $3, $4)
  on conflict (key) do nothing
  returning decline, reference`)

/** Stores a refund. Undefined if its key is known; it waits until the first decision is made. */
export async function recordRefund(
  tx: Executor,
  { key, of, amount }: RefundRequest,
  reference: string,
): Promise<RefundRow | undefined> {
  const [row] = await tx.run(insertRequest, [key, of, amount, reference])
  return row
}

const lockPaid = {
  'sandbox.wallet_orders': statement<{ key: string }>(
    `select key from sandbox.wallet_orders where key = $1 and state = 'paid' and intent = 'sale' for update`,
  ),
  'sandbox.debits': statement<{ key: string }>(
    `select key from sandbox.debits where key = $1 and state = 'paid' for update`,
  ),
} as const

const takeFrom = {
  'sandbox.wallet_orders': statement<{ key: string }>(`
    update sandbox.wallet_orders set refunded = refunded + $2
    where key = $1 and refunded + $2 <= amount - coalesce((
      select reversals.amount from sandbox.wallet_reversals as reversals where reversals.key = $1
    ), 0)
    returning key`),
  'sandbox.debits': statement<{ key: string }>(`
    update sandbox.debits set refunded = refunded + $2
    where key = $1 and refunded + $2 <= amount
    returning key`),
} as const

export type PaidBook = keyof typeof takeFrom

/** Takes the amount from the payment. Returns the reason of a decline, or null. */
export async function deductRefund(
  tx: Executor,
  book: PaidBook,
  { of, amount }: RefundRequest,
): Promise<RefundRow['decline']> {
  // The lock is a separate statement. In one statement, the update would not see reversals that committed while it
  // waited.
  if ((await tx.run(lockPaid[book], [of])).length === 0) return 'unknown_payment'
  return (await tx.run(takeFrom[book], [of, amount])).length === 1 ? null : 'amount_exceeds_remaining'
}

const updateDecline = statement('update sandbox.refunds set decline = $2 where key = $1')

export async function declineRefund(tx: Executor, key: string, decline: RefundRow['decline']): Promise<void> {
  await tx.run(updateDecline, [key, decline])
}

const selectRefund = statement<RefundRow>('select decline, reference from sandbox.refunds where key = $1')

export async function findRefund(db: Executor, key: string): Promise<RefundRow | undefined> {
  const [row] = await db.run(selectRefund, [key])
  return row
}
