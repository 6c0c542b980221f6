// The SQL of authorizations: what was captured and released of them.
import { type Operation, type OperationRow, operationOf } from '../operations/index.ts'
import { type Executor, statement } from '../storage/index.ts'

const selectChildren = statement<OperationRow>(`
  select * from operations
  where wallet_id = $1 and parent_id = any($2::uuid[]) and type in ('CAPTURE', 'RELEASE')
    and status in ('PENDING', 'COMPLETED')
  order by id`)

/** Captures and releases that took or are taking of the wallet's `authorizations`, in the order they were asked. */
export async function childrenOf(
  db: Executor,
  walletId: bigint,
  authorizations: readonly Operation[],
): Promise<Operation[]> {
  if (authorizations.length === 0) return []
  const rows = await db.run(selectChildren, [walletId, authorizations.map(({ id }) => id)])
  return rows.map(operationOf)
}
