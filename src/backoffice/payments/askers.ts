// Finds the people who requested operations, by the idempotency key in the action log.
import { findRequestsFor } from '../../idempotency/index.ts'
import { isUuid } from '../../kernel/random.ts'
import { findOperation } from '../../operations/index.ts'
import type { Database } from '../../storage/index.ts'
import { type Asker, askersOf } from '../access/actions-store.ts'

const idsMax = 100

/** People by operation. Operations of programs and schedules are absent. */
export async function askersOfOperations(
  database: Database,
  walletId: bigint,
  ids: readonly string[],
): Promise<Record<string, Asker>> {
  const known = ids.filter(isUuid).slice(0, idsMax)
  const found = await Promise.all(known.map((id) => findOperation(database, walletId, id)))
  const requests = await findRequestsFor(
    database,
    walletId,
    found.flatMap((one) => one ?? []),
  )
  const askers = await askersOf(
    database,
    walletId,
    requests.map(({ requestId }) => requestId),
  )
  return Object.fromEntries(
    requests.flatMap(({ requestId, resourceId }) => {
      const asker = askers.get(requestId)
      return asker === undefined ? [] : [[resourceId, asker]]
    }),
  )
}
