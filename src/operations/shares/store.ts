// The SQL of shares: written with what divides the payment, read for those who show or refund it.
import { type Cents, cents } from '../../kernel/money.ts'
import type { BookedShare, Take } from '../../splits/index.ts'
import { type ColumnType, type Executor, statement } from '../../storage/index.ts'
import type { Operation } from '../model.ts'
import { countOperationsSql } from '../read/counts-store.ts'
import { type StoredTake, storedRational, takeOf } from './stored-json.ts'

/** Columns of the row set of shares that {@link postSharesSql} reads. */
export const shareColumns = {
  operation_id: 'uuid',
  position: 'integer',
  merchant_wallet_id: 'bigint',
  fraction: 'text',
  fee_fixed: 'bigint',
  fee_variable_bp: 'integer',
  descr: 'text',
  amount: 'bigint',
  transfer_id: 'uuid',
} as const satisfies Record<string, ColumnType>

/** Columns of the row set of transfers that {@link postTransfersSql} reads. */
export const transferColumns = {
  operation_id: 'uuid',
  id: 'uuid',
  wallet_id: 'bigint',
  method: 'text',
  amount: 'bigint',
  parent_id: 'uuid',
  notes: 'text',
  ext_invoiceid: 'text',
} as const satisfies Record<string, ColumnType>

export type ShareRow = Readonly<Record<keyof typeof shareColumns, unknown>>
export type TransferRow = Readonly<Record<keyof typeof transferColumns, unknown>>

/** A common table expression that writes the shares of what a statement `moved`, which has `wallet_id`, `id`, `at`. */
export function postSharesSql(moved: string, shares: string): string {
  const own = Object.keys(shareColumns)
  return `
    posted_shares as (
      insert into shares (wallet_id, ${own.join(', ')}, created_at)
      select ${moved}.wallet_id, ${own.map((column) => `${shares}.${column}`).join(', ')}, ${moved}.at
      from ${moved} join ${shares} on ${shares}.operation_id = ${moved}.id
    )`
}

/**
 * A common table expression that writes what sub-merchants see of what a statement `moved`: USERTRANSFERs in
 * their own wallets, booked by the postings of the operation that divided or refunded the payment.
 */
export function postTransfersSql(moved: string, transfers: string): string {
  return `
    posted_transfers as (
      insert into operations (
        id, wallet_id, type, status, method, amount, currency, channel, parent_id, notes, ext_invoiceid,
        created_at, modified_at, settled_at
      )
      select ${transfers}.id, ${transfers}.wallet_id, 'USERTRANSFER', 'COMPLETED', ${transfers}.method,
        ${transfers}.amount, 'EUR', 'SPLIT', ${transfers}.parent_id, ${transfers}.notes, ${transfers}.ext_invoiceid,
        ${moved}.at, ${moved}.at, ${moved}.at
      from ${moved} join ${transfers} on ${transfers}.operation_id = ${moved}.id
      returning wallet_id, type
    ),
    ${countOperationsSql('posted_transfers')}`
}

interface StoredShare {
  readonly operation_id: string
  readonly position: number
  readonly merchant_wallet_id: bigint
  readonly public_id: string
  readonly fraction: string
  readonly fee_fixed: bigint
  readonly fee_variable_bp: number
  readonly descr: string | null
  readonly amount: bigint
  readonly refunded: bigint
  readonly transfer_id: string
}

const selectShares = statement<StoredShare>(`
  select shares.*, wallets.public_id
  from shares join wallets on wallets.id = shares.merchant_wallet_id
  where shares.wallet_id = $1 and shares.operation_id = any($2::uuid[])
  order by shares.operation_id, shares.position`)

/** The shares of the wallet's divided operations, by operation, each in their order. */
export async function findShares(
  db: Executor,
  walletId: bigint,
  operationIds: readonly string[],
): Promise<Map<string, BookedShare[]>> {
  const found = new Map<string, BookedShare[]>()
  if (operationIds.length === 0) return found
  for (const row of await db.run(selectShares, [walletId, operationIds])) {
    const shares = found.get(row.operation_id) ?? []
    shares.push(shareOf(row))
    found.set(row.operation_id, shares)
  }
  return found
}

function shareOf(row: StoredShare): BookedShare {
  return {
    position: row.position,
    walletId: row.merchant_wallet_id,
    publicId: row.public_id,
    fraction: storedRational(row.fraction),
    feeFixed: cents(row.fee_fixed),
    feeVariableBp: row.fee_variable_bp,
    descr: row.descr ?? undefined,
    amount: cents(row.amount),
    refunded: cents(row.refunded),
    transferId: row.transfer_id,
  }
}

const selectProportionate = statement<{ amount: bigint; takes: readonly StoredTake[] }>(`
  select -amount as amount, takes
  from operations
  where wallet_id = $1 and parent_id = $2 and type = 'REFUND' and take_source = 'proportion'
    and status in ('NEW', 'PENDING', 'COMPLETED')`)

/** What refunds in proportion took or are taking of the wallet's divided payment. */
export async function findProportionateTakes(
  db: Executor,
  { walletId, id }: Operation,
): Promise<{ readonly amount: Cents; readonly takes: readonly Take[] }[]> {
  const rows = await db.run(selectProportionate, [walletId, id])
  return rows.map(({ amount, takes }) => ({ amount: cents(amount), takes: takes.map(takeOf) }))
}

const selectPendingRefund = statement<{ id: string }>(`
  select id from operations
  where wallet_id = $1 and parent_id = $2 and type = 'REFUND' and status in ('NEW', 'PENDING')
  limit 1`)

/** Whether a refund of the wallet's payment waits for its rail. */
export async function hasPendingRefund(db: Executor, { walletId, id }: Operation): Promise<boolean> {
  return (await db.run(selectPendingRefund, [walletId, id])).length > 0
}
