// Authorizations with their captures and releases.

import type { Database } from '../../storage/index.ts'
import { type Executor, type StoredRowOf, statement } from '../../storage/index.ts'
import type { Wallet } from '../../wallets/index.ts'
import { type Operation, operations } from '../model.ts'
import { operationOnWire } from '../schemas.ts'
import type { ShowOperations } from '../shares/on-wire.ts'

export const movementsListedMax = 30
/** More than any authorization has, unless the merchant releases it cent by cent. */
export const movementsReadMax = 1000

const newestOf = (type: 'CAPTURE' | 'RELEASE') => `(
    select * from operations
    where wallet_id = $1 and parent_id = authorized.id and type = '${type}' and status in ('PENDING', 'COMPLETED')
    order by id desc limit $3
  )`

const selectChildren = statement<StoredRowOf<typeof operations>>(`
  select movement.*
  from unnest($2::uuid[]) as authorized (id)
  cross join lateral (${newestOf('CAPTURE')} union all ${newestOf('RELEASE')}) as movement
  order by movement.id`)

/** The newest `max` children of each type and authorization, pending ones included, in order of request. */
export async function childrenOf(
  db: Executor,
  walletId: bigint,
  authorizations: readonly Operation[],
  max: number,
): Promise<Operation[]> {
  if (authorizations.length === 0) return []
  const rows = await db.run(selectChildren, [walletId, authorizations.map(({ id }) => id), max])
  return rows.map(operations.read)
}

/** Shows authorizations with their captures and releases. A divided capture includes its shares. */
export async function showAuthorizations(
  { database, show }: { readonly database: Database; readonly show: ShowOperations },
  authorizations: readonly Operation[],
  wallet: Wallet,
  max: number,
): Promise<Record<string, unknown>[]> {
  const children = await childrenOf(database, wallet.id, authorizations, max)
  const shown = await show(children, wallet)
  const ofType = (type: Operation['type'], authorizationId: string) =>
    shown.filter((_, index) => {
      const child = children[index]
      return child?.type === type && child.parentId === authorizationId
    })
  return authorizations.map((authorization) => ({
    ...operationOnWire(authorization, wallet),
    captures: ofType('CAPTURE', authorization.id),
    releases: ofType('RELEASE', authorization.id),
  }))
}
