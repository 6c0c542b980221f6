// The SQL of payouts, which never overdraw an account.
import { type Claim, idempotencyClaimCte } from '../idempotency/index.ts'
import { type Instant, toTimestamp } from '../kernel/time.ts'
import { balanceSql } from '../ledger/index.ts'
import { accountRefundMethods } from '../methods/list.ts'
import { type NewOperation, openOperationsSql, operationColumns, operationRow } from '../operations/index.ts'
import { codesSql, hasRows, rowSet, storeFunction } from '../storage/index.ts'

/** The part of a refund that its owner pays. Sub-merchants give back the rest. */
const ownPart =
  'amount + coalesce((select sum(take.amount) from jsonb_to_recordset(share_refunds) as take(amount bigint)), 0)'

/** Payouts, and refunds to an account. Two queries, because each has its own partial index. */
function outgoingSql(wallet: string, where: string, refunded = 'amount'): string {
  return `(
    select sum(amount) as amount from operations
    where wallet_id = ${wallet} and type = 'WALLETFUNDS' and amount < 0 and ${where}
    union all
    select sum(${refunded}) from operations
    where wallet_id = ${wallet} and type = 'REFUND' and method = any (${codesSql(accountRefundMethods)})
      and amount < 0 and ${where}
  )`
}

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
        select coalesce(sum(pending.amount), 0)
        from ${outgoingSql('input.wallet_id', "status = 'PENDING'", ownPart)} as pending
      )
      + input.amount >= 0
  ),
  ${idempotencyClaimCte.sql('funded')},
  ${openOperationsSql('admitted')}
  select id from opened_operations`

/** Total of pending payouts and refunds to an account in cents, positive. */
export const findPendingPayouts = storeFunction(
  (walletId: bigint) => [walletId],
  ([row]: { total: bigint }[]) => row?.total ?? 0n,
)`
  select coalesce(-sum(amount), 0)::bigint as total
  from ${outgoingSql('$1', "status = 'PENDING'", ownPart)} as pending`

/** Total of payouts and refunds to an account since then in cents, positive, without failed ones. */
export const findPayoutsSince = storeFunction(
  (walletId: bigint, since: Instant) => [walletId, toTimestamp(since)],
  ([row]: { total: bigint }[]) => row?.total ?? 0n,
)`
  select coalesce(-sum(amount), 0)::bigint as total
  from ${outgoingSql('$1', "status in ('PENDING', 'COMPLETED') and created_at >= $2")} as ordered`

export const findWalletOfOrder = storeFunction(
  (key: string) => [key],
  ([row]: { wallet_id: bigint }[]) => row?.wallet_id,
)`
  select wallet_id from bank_orders where id = $1 and kind = 'transfer'`
