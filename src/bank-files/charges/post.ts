// The SQL of what a bank charges for orders: from its clearing account to the account of bank charges.
import { type Instant, toTimestamp } from '../../kernel/time.ts'
import { type Executor, rowSet, statement } from '../../storage/index.ts'
import type { SuspenseAccounts } from '../incoming/store.ts'

/** What a bank charged for an order of a wallet. */
export interface OrderCharge {
  /** Under which it is posted: of the entry of the bank, or of the settlement by hand. */
  readonly id: string
  /** In cents; nothing is posted for 0. */
  readonly amount: bigint
}

const charged = rowSet({ id: 'uuid', amount: 'bigint' }, 4)

const insertPostings = statement(`
  with input as (${charged.source})
  insert into postings (wallet_id, operation_id, purpose, debit_account, credit_account, amount, created_at)
  select 0, id, 'charge', $2::bigint, $3::bigint, amount, $1::timestamptz from input where amount > 0`)

/** Books charges, each once; the caller knows that they are new. */
export async function postCharges(
  tx: Executor,
  charges: readonly OrderCharge[],
  { bank, charges: account }: SuspenseAccounts,
  now: Instant,
): Promise<void> {
  if (charges.length === 0) return
  const rows = charges.map(({ id, amount }) => ({ id, amount }))
  await tx.run(insertPostings, [toTimestamp(now), account, bank, ...charged.parameters(rows)])
}
