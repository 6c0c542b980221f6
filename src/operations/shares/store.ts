// The SQL of shares.
import { cents } from '../../kernel/money.ts'
import type { BookedShare } from '../../splits/index.ts'
import {
  column,
  type Executor,
  hasRows,
  type StoredRowOf,
  statement,
  storeFunction,
} from '../../storage/index.ts'
import { type Operation, operations } from '../model.ts'
import { countOperationsSql } from '../read/counts.ts'
import { newShares, shares } from './table.ts'

export function postSharesSql(moved: string, given: string): string {
  return `
    posted_shares as (
      insert into shares (wallet_id, ${newShares.list()}, created_at)
      select ${moved}.wallet_id, ${newShares.list(given)}, ${moved}.at
      from ${moved} join ${given} on ${given}.operation_id = ${moved}.id
    )`
}

/** Writes a USERTRANSFER for each sub-merchant. The postings of the divided operation already book it. */
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

const shownShares = shares.with({ operationId: column.uuid(), publicId: column.text() })

const selectShares = statement<StoredRowOf<typeof shownShares>>(`
  select shares.*, wallets.public_id
  from shares join wallets on wallets.id = shares.merchant_wallet_id
  where shares.wallet_id = $1 and shares.operation_id = any($2::uuid[])
  order by shares.operation_id, shares.position`)

export async function findShares(
  db: Executor,
  walletId: bigint,
  operationIds: readonly string[],
): Promise<Map<string, BookedShare[]>> {
  const found = new Map<string, BookedShare[]>()
  if (operationIds.length === 0) return found
  for (const row of await db.run(selectShares, [walletId, operationIds])) {
    const { operationId, ...share } = shownShares.read(row)
    const known = found.get(operationId) ?? []
    known.push(share)
    found.set(operationId, known)
  }
  return found
}

const partsOfRefunds = operations.pick('amount', 'refundSplit')

/** Refunded parts, including pending ones, less returned amounts. */
export const findProportionateRefunds = storeFunction(
  ({ walletId, id }: Operation) => [walletId, id],
  (rows: StoredRowOf<typeof partsOfRefunds>[]) =>
    rows.map(partsOfRefunds.read).map(({ amount, refundSplit }) => ({
      amount: cents(-amount),
      shareRefunds: (refundSplit?.shareRefunds ?? []).map((share) =>
        amount > 0n ? { ...share, amount: cents(-share.amount) } : share,
      ),
    })),
)`
  with refund as (
    select id from operations where wallet_id = $1 and parent_id = $2 and type = 'REFUND'
  )
  select ${partsOfRefunds.list()}
  from operations
  where wallet_id = $1 and (parent_id = $2 or parent_id in (select id from refund)) and type = 'REFUND'
    and refund_source = 'proportion' and status in ('NEW', 'PENDING', 'COMPLETED')`

export const hasPendingRefund = hasRows(({ walletId, id }: Operation) => [walletId, id])`
  select id from operations
  where wallet_id = $1 and parent_id = $2 and type = 'REFUND' and status in ('NEW', 'PENDING')
  limit 1`
