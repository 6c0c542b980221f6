// The SQL of a consumer's top-up: opened, settled and booked by one statement.
import { type EntryRow, entryColumns, postJournalsSql } from '../ledger/index.ts'
import { type Executor, rowSet, statement } from '../storage/index.ts'
import { countOperationsSql } from './counts-store.ts'

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
    returning id, wallet_id, type, created_at as at
  ),
  ${countOperationsSql('opened')},
  moved as (select opened.*, $5::uuid as journal_id from opened),
  ${postJournalsSql('moved', 'entry', 'settle')}
  select`)

/** Writes the operation and its journal; nothing when the operation exists already. */
export async function insertTopUp(
  db: Executor,
  own: readonly unknown[],
  entries: readonly EntryRow[],
): Promise<void> {
  await db.run(topUpOnce, [...own, ...entrySet.parameters(entries)])
}
