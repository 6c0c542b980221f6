// The SQL of settling from a balance: only while the account holds the amount.
import { balanceSql } from '../../ledger/index.ts'
import type { Executor } from '../../storage/index.ts'
import {
  type ExtensionSql,
  parameterCountOf,
  type SettlementParameters,
  type SettleStatements,
  settleStatements,
} from './settle-sql.ts'

/** The kinds of settling, each with the condition that the account holds the amount. */
export function fundedStatements(extension: ExtensionSql | undefined): SettleStatements {
  return settleStatements(extension, (kind) => fundsAfter(parameterCountOf[kind]))
}

/** Two parameters more: the account, and what it must hold. */
function fundsAfter(count: number): string {
  return `and ${balanceSql(`$${count + 1}`)} >= $${count + 2}`
}

/** Settles one row if the account, which must be locked, holds `amount`; false when nothing was written. */
export async function writeFundedSettlement(
  tx: Executor,
  statements: SettleStatements,
  { kind, values }: SettlementParameters,
  funds: { readonly accountId: bigint; readonly amount: bigint },
): Promise<boolean> {
  return (await tx.run(statements[kind], [...values, funds.accountId, funds.amount])).length === 1
}
