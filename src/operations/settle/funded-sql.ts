// The SQL of settling from a balance with enough money.
import { balanceSql } from '../../ledger/index.ts'
import type { Executor } from '../../storage/index.ts'
import {
  type ExtensionSql,
  parameterCountOf,
  type SettlementParameters,
  type SettleStatements,
  settleStatements,
} from './settle-sql.ts'

export function fundedStatements(extension: ExtensionSql | undefined): SettleStatements {
  return settleStatements(extension, (kind) => fundsAfter(parameterCountOf[kind]))
}

function fundsAfter(count: number): string {
  return `and ${balanceSql(`$${count + 1}`)} >= $${count + 2}`
}

/** The account must be locked. False when nothing was written. */
export async function writeFundedSettlement(
  tx: Executor,
  statements: SettleStatements,
  { kind, values }: SettlementParameters,
  funds: { readonly accountId: bigint; readonly amount: bigint },
): Promise<boolean> {
  return (await tx.run(statements[kind], [...values, funds.accountId, funds.amount])).length === 1
}
