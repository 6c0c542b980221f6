// Putting money that arrived at the bank on a consumer's balance: opened and settled by one statement.
import { newId } from '../kernel/ids.ts'
import type { Cents } from '../kernel/money.ts'
import { cents } from '../kernel/money.ts'
import { toTimestamp } from '../kernel/time.ts'
import { type AccountName, balanced, clearingOf } from '../ledger/index.ts'
import type { SettleDeps } from './settle.ts'
import { insertTopUp } from './top-up-store.ts'

export interface TopUp {
  readonly walletId: bigint
  readonly amount: Cents
  /** Names the transfer: the same one never counts twice. */
  readonly operationId: string
}

/** Credits a consumer with a bank transfer. Repeated under the same id it changes nothing. */
export async function topUpConsumer(
  deps: Pick<SettleDeps, 'database' | 'clock' | 'random' | 'ledger'>,
  topUp: TopUp,
) {
  const { walletId, amount, operationId } = topUp
  const now = deps.clock.now()
  const id = newId(now, deps.random)
  const consumer: AccountName = { walletId, kind: 'consumer' }
  const entries = balanced([
    { account: clearingOf('BANK'), amount: cents(-amount) },
    { account: consumer, amount },
  ])
  const rows = await deps.ledger.entryRows({ id, walletId, operationId, purpose: 'settle', entries })
  const own = [operationId, walletId, amount, toTimestamp(now), id]
  await insertTopUp(deps.database, own, rows)
}
