// The SQL of settling from a balance: only while the account holds the amount.
import { type Executor, statement } from '../storage/index.ts'
import { firstFundsParameter, settleSql } from './settle-store.ts'

const settleIfFunded = statement<{ id: string }>(
  settleSql(`and (
        select coalesce(sum(entries.amount), 0) from entries where entries.account_id = $${firstFundsParameter}
      ) >= $${firstFundsParameter + 1}`),
)

/** Settles one row if the account, which must be locked, holds `amount`; false when nothing was written. */
export async function writeFundedSettlement(
  tx: Executor,
  parameters: readonly unknown[],
  funds: { readonly accountId: bigint; readonly amount: bigint },
): Promise<boolean> {
  const moved = await tx.run(settleIfFunded, [...parameters, funds.accountId, funds.amount])
  return moved.length === 1
}
