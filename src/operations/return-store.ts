// The SQL of a payment that its rail takes back.
import { type Executor, statement } from '../storage/index.ts'
import type { Operation } from './model.ts'

const takeRest = statement<{ rest: bigint }>(`
  with before as (
    select wallet_id, id, amount - refunded as rest from operations
    where wallet_id = $1 and id = $2 and status = 'COMPLETED' and refunded < amount
    for update
  )
  update operations set refunded = operations.amount
  from before
  where operations.wallet_id = before.wallet_id and operations.id = before.id
  returning before.rest`)

/** Counts everything that is left of a completed payment as given back; answers how much, undefined for nothing. */
export async function takeWhatIsLeft(tx: Executor, { walletId, id }: Operation): Promise<bigint | undefined> {
  const [row] = await tx.run(takeRest, [walletId, id])
  return row?.rest
}
