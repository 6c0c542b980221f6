// Authorizations as they are shown: each with its captures and releases, and divided captures with their shares.
import { type Operation, operationOnWire } from '../operations/index.ts'
import type { Wallet } from '../wallets/index.ts'
import type { AuthorizationsDeps } from './deps.ts'
import { childrenOf } from './store.ts'

/**
 * Authorizations of the wallet with what was captured and released of each, or is about to be: the newest of both, in
 * the order they were asked (decision 0047).
 */
export async function showAuthorizations(
  { database, show }: Pick<AuthorizationsDeps, 'database' | 'show'>,
  authorizations: readonly Operation[],
  wallet: Wallet,
): Promise<Record<string, unknown>[]> {
  const children = await childrenOf(database, wallet.id, authorizations)
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
