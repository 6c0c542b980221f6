// Putting money that arrived at the bank on a consumer's balance: opened and settled by one statement.
import { newId } from '../kernel/ids.ts'
import type { Cents } from '../kernel/money.ts'
import { cents } from '../kernel/money.ts'
import { toTimestamp } from '../kernel/time.ts'
import { type AccountName, balanced, clearingOf, entryColumns, postJournalsSql } from '../ledger/index.ts'
import { rowSet, statement } from '../storage/index.ts'
import type { SettleDeps } from './settle.ts'

export interface TopUp {
  readonly walletId: bigint
  readonly amount: Cents
  /** Names the transfer: the same one never counts twice. */
  readonly operationId: string
}

const ownParameterCount = 5
const entrySet = rowSet(entryColumns, ownParameterCount + 1)

const topUpOnce = statement(`
  with entry as (${entrySet.source}),
  opened as (
    insert into operations (
      id, wallet_id, type, status, method, amount, currency, channel, created_at, modified_at, settled_at
    )
    values ($1, $2, 'PAYMENT', 'COMPLETED', 'BANK', $3, 'EUR', 'BANK', $4, $4, $4)
    on conflict (wallet_id, id) do nothing
    returning id, wallet_id, created_at as at
  ),
  moved as (select opened.*, $5::uuid as journal_id from opened),
  ${postJournalsSql('moved', 'entry', 'settle')}
  select`)

/** Credits a consumer with a bank transfer. Repeated under the same id it changes nothing. */
export async function topUpConsumer(deps: Pick<SettleDeps, 'database' | 'clock' | 'random' | 'ledger'>, topUp: TopUp) {
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
  await deps.database.run(topUpOnce, [...own, ...entrySet.parameters(rows)])
}
