// The SQL of payouts, which never overdraw an account.
import { type Claim, idempotencyClaimCte } from '../idempotency/index.ts'
import { type Instant, toTimestamp } from '../kernel/time.ts'
import { balanceSql } from '../ledger/index.ts'
import { type NewOperation, openOperationsSql, operationColumns, operationRow } from '../operations/index.ts'
import { hasRows, rowSet, storeFunction } from '../storage/index.ts'

const newPayout = rowSet({ ...operationColumns, ...idempotencyClaimCte.columns })
const accountParameter = newPayout.parameters([]).length + 1

/** Writes nothing if the balance less pending payouts is too small. The caller has locked the account. */
export const openPayout = hasRows((payout: NewOperation, accountId: bigint, claim: Claim | undefined) => [
  ...newPayout.parameters([{ ...operationRow(payout), ...idempotencyClaimCte.row(claim) }]),
  accountId,
])`
  with input as (${newPayout.source}),
  funded as (
    select input.* from input
    where ${balanceSql(`$${accountParameter}`)}
      + (
        select coalesce(sum(pending.amount), 0) from operations as pending
        where pending.wallet_id = input.wallet_id and pending.type = 'WALLETFUNDS' and pending.status = 'PENDING'
          and pending.amount < 0
      )
      + input.amount >= 0
  ),
  ${idempotencyClaimCte.sql('funded')},
  ${openOperationsSql('admitted')}
  select id from opened_operations`

/** Total of pending payouts in cents, positive. */
export const findPendingPayouts = storeFunction(
  (walletId: bigint) => [walletId],
  ([row]: { total: bigint }[]) => row?.total ?? 0n,
)`
  select coalesce(-sum(amount), 0)::bigint as total from operations
  where wallet_id = $1 and type = 'WALLETFUNDS' and status = 'PENDING' and amount < 0`

/** Total of payouts since then in cents, positive, without failed ones. */
export const findPayoutsSince = storeFunction(
  (walletId: bigint, since: Instant) => [walletId, toTimestamp(since)],
  ([row]: { total: bigint }[]) => row?.total ?? 0n,
)`
  select coalesce(-sum(amount), 0)::bigint as total from operations
  where wallet_id = $1 and type = 'WALLETFUNDS' and status in ('PENDING', 'COMPLETED') and amount < 0 and created_at >= $2`

export const findWalletOfOrder = storeFunction(
  (key: string) => [key],
  ([row]: { wallet_id: bigint }[]) => row?.wallet_id,
)`
  select wallet_id from bank_orders where id = $1 and kind = 'transfer'`
