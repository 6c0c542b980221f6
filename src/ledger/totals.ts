// Sums of all accounts of a kind, for the operator.
import { type Executor, storeFunction } from '../storage/index.ts'
import type { AccountKind } from './model.ts'

export interface KindTotal {
  readonly kind: AccountKind
  readonly accounts: number
  /** In cents; the totals of all kinds add up to zero. */
  readonly balance: bigint
}

/** Reads every posting, because the gateway's own accounts have no index. */
export const totalsByKind: (db: Executor) => Promise<KindTotal[]> = storeFunction(
  () => [],
  (rows: KindTotal[]) => rows,
)`
  select accounts.kind, count(distinct accounts.id)::integer as accounts, sum(side.amount)::bigint as balance
  from (
    select credit_account as account_id, amount from postings
    union all
    select debit_account, -amount from postings
  ) as side
  join accounts on accounts.id = side.account_id
  group by accounts.kind
  order by accounts.kind`
