// The SQL of balances: who paid what from one, and transfers that arrived.
import { type Instant, toTimestamp } from '../kernel/time.ts'
import type { IncomingTransfer } from '../rails/index.ts'
import { type Executor, type StoredRowOf, statement } from '../storage/index.ts'
import { type BalancePayment, balancePayments, incomingTransfers, type ReceivedTransfer } from './table.ts'

const insertPayment = statement(`
  insert into balance_payments (${balancePayments.whole.list()}) values (${balancePayments.whole.placeholders()})`)

/** Writes who paid, or could not. */
export async function recordBalancePayment(
  db: Executor,
  payment: BalancePayment,
  now: Instant,
): Promise<void> {
  await db.run(insertPayment, balancePayments.whole.values({ ...payment, createdAt: now }))
}

const selectPayer = statement<{ consumer_id: bigint }>(`
  select consumer_id from balance_payments where wallet_id = $1 and operation_id = $2 and failure is null`)

/** Whose balance paid the wallet's operation. */
export async function findPayer(
  db: Executor,
  walletId: bigint,
  operationId: string,
): Promise<bigint | undefined> {
  const [row] = await db.run(selectPayer, [walletId, operationId])
  return row?.consumer_id
}

type TransferRow = StoredRowOf<typeof incomingTransfers>

const newTransfers = incomingTransfers.whole

const insertTransferRow = statement<{ id: string }>(`
  insert into incoming_transfers (${newTransfers.list()}) values (${newTransfers.placeholders()})
  on conflict (id) do nothing
  returning id`)

/** What a transfer is put to; without one it stays with nobody, and `problem` says why. */
export type Assignment =
  | { readonly walletId: bigint; readonly operationId: string }
  | { readonly problem: string }

/** Writes a transfer; false when the bank had told of it before. */
export async function insertTransfer(
  tx: Executor,
  { key, text, iban, amount, currency }: IncomingTransfer,
  to: Assignment,
  now: Instant,
): Promise<boolean> {
  const assignedAt = 'walletId' in to ? now : undefined
  const row = { id: key, text, iban, amount, currency, ...to, createdAt: now, assignedAt }
  return (await tx.run(insertTransferRow, newTransfers.values(row))).length === 1
}

const selectTransfer = statement<TransferRow>('select * from incoming_transfers where id = $1')

export async function findTransfer(db: Executor, id: string): Promise<ReceivedTransfer | undefined> {
  return incomingTransfers.first(await db.run(selectTransfer, [id]))
}

const selectTransfers = statement<TransferRow>(`
  select * from incoming_transfers where not $1 or wallet_id is null order by created_at desc, id desc limit $2`)

/** Newest first; all, or those that belong to nobody yet. */
export async function listTransfers(
  db: Executor,
  onlyUnassigned: boolean,
  limit: number,
): Promise<ReceivedTransfer[]> {
  return (await db.run(selectTransfers, [onlyUnassigned, limit])).map(incomingTransfers.read)
}

const assignTransferRow = statement<{ id: string }>(`
  update incoming_transfers set wallet_id = $2, operation_id = $3, assigned_at = $4
  where id = $1 and wallet_id is null
  returning id`)

/** Puts a transfer to a wallet; false when it belongs to one already. */
export async function assignTransfer(
  tx: Executor,
  id: string,
  to: { readonly walletId: bigint; readonly operationId: string },
  now: Instant,
): Promise<boolean> {
  const values = [id, to.walletId, to.operationId, toTimestamp(now)]
  return (await tx.run(assignTransferRow, values)).length === 1
}
