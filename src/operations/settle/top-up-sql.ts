// The SQL of a consumer's top-up, in one statement.
import { type PostingRow, postingColumns, postSql } from '../../ledger/index.ts'
import { type Executor, rowSet, statement } from '../../storage/index.ts'
import { bankChannel } from '../model.ts'
import { countOperationsSql } from '../read/counts-store.ts'

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

export async function insertTopUp(
  db: Executor,
  own: readonly unknown[],
  postings: readonly PostingRow[],
): Promise<void> {
  await db.run(topUpOnce, [...own, ...postingSet.parameters(postings)])
}
