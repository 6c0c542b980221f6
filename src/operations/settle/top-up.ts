// Top-up of a consumer's balance from a bank transfer.
import type { Cents } from '../../kernel/money.ts'
import { toTimestamp } from '../../kernel/time.ts'
import {
  bankClearing,
  type PostingRow,
  postingColumns,
  postSql,
  type WalletAccount,
} from '../../ledger/index.ts'
import type { Method } from '../../methods/list.ts'
import { type Executor, rowSet, statement } from '../../storage/index.ts'
import { bankChannel } from '../model.ts'
import { countOperationsSql } from '../read/counts.ts'
import type { SettleDeps } from './model.ts'

export interface TopUp {
  readonly walletId: bigint
  readonly amount: Cents
  readonly method: Method
  /** Id of the top-up, so that a repeated transfer counts once. */
  readonly operationId: string
}

/** Books a top-up. A repeated call with the same id changes nothing. */
export async function topUpConsumer(deps: Pick<SettleDeps, 'database' | 'clock' | 'ledger'>, topUp: TopUp) {
  const { walletId, amount, method, operationId } = topUp
  const credit: WalletAccount = { walletId, kind: 'consumer' }
  const rows = await deps.ledger.postingRows(operationId, [{ debit: bankClearing, credit, amount }])
  const own = [operationId, walletId, amount, toTimestamp(deps.clock.now()), method]
  await insertTopUp(deps.database, own, rows)
}

const ownParameterCount = 5

const postingSet = rowSet(postingColumns, ownParameterCount + 1)

const topUpOnce = statement(`
  with posting as (${postingSet.source}),
  opened as (
    insert into operations (
      id, wallet_id, type, status, method, amount, currency, channel, created_at, modified_at, settled_at
    )
    values ($1, $2, 'PAYMENT', 'COMPLETED', $5, $3, 'EUR', '${bankChannel}', $4, $4, $4)
    on conflict (wallet_id, id) do nothing
    returning id, wallet_id, type, created_at as at
  ),
  ${countOperationsSql('opened')},
  ${postSql('opened', 'posting', 'settle')}
  select`)

async function insertTopUp(
  db: Executor,
  own: readonly unknown[],
  postings: readonly PostingRow[],
): Promise<void> {
  await db.run(topUpOnce, [...own, ...postingSet.parameters(postings)])
}
