// The SQL of settling from a balance: only while the account holds the amount.
import { type Executor, statement } from '../storage/index.ts'
import { parameterCountOf, type SettlementParameters, settleSql } from './settle-store.ts'

const settleIfFunded = statement<{ id: string }>(settleSql({ funds: fundsAfter(parameterCountOf.plain) }))
const settleDividedIfFunded = statement<{ id: string }>(
  settleSql({ kind: 'divided', funds: fundsAfter(parameterCountOf.divided) }),
)

/** Two parameters more: the account, and what it must hold. */
function fundsAfter(count: number): string {
  return `and (
        select coalesce(sum(entries.amount), 0) from entries where entries.account_id = $${count + 1}
      ) >= $${count + 2}`
}

/** Settles one row if the account, which must be locked, holds `amount`; false when nothing was written. */
export async function writeFundedSettlement(
  tx: Executor,
  { kind, values }: SettlementParameters,
  funds: { readonly accountId: bigint; readonly amount: bigint },
): Promise<boolean> {
  const settling = kind === 'divided' ? settleDividedIfFunded : settleIfFunded
  return (await tx.run(settling, [...values, funds.accountId, funds.amount])).length === 1
}
