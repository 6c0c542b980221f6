// Top-up of a consumer's balance from a bank transfer.
import type { Cents } from '../../kernel/money.ts'
import { toTimestamp } from '../../kernel/time.ts'
import { bankClearing, type WalletAccount } from '../../ledger/index.ts'
import type { Method } from '../../methods/list.ts'
import type { SettleDeps } from './settle.ts'
import { insertTopUp } from './top-up-sql.ts'

export interface TopUp {
  readonly walletId: bigint
  readonly amount: Cents
  readonly method: Method
  /** Identifies the transfer, which counts once. */
  readonly operationId: string
}

/** Can be repeated with the same id. */
export async function topUpConsumer(deps: Pick<SettleDeps, 'database' | 'clock' | 'ledger'>, topUp: TopUp) {
  const { walletId, amount, method, operationId } = topUp
  const credit: WalletAccount = { walletId, kind: 'consumer' }
  const rows = await deps.ledger.postingRows(operationId, [{ debit: bankClearing, credit, amount }])
  const own = [operationId, walletId, amount, toTimestamp(deps.clock.now()), method]
  await insertTopUp(deps.database, own, rows)
}
