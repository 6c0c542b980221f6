// The entry point of authorizations: what is reserved on a card, captured in parts, released, and lapses.
import type { Module } from '../module.ts'
import { childrenOf, movementsReadMax } from '../operations/for-movements.ts'
import type { Operation } from '../operations/index.ts'
import { authorizationChecks } from './audit.ts'
import type { AuthorizationsDeps } from './deps.ts'
import { createLapsing, hasEnded, onHoldEnded } from './lapsing.ts'
import { authorizationRoutes } from './routes.ts'

export { decideCapture, decideRelease } from './rules.ts'
export { lapsingSoon } from './store.ts'
export interface Authorizations extends Module {
  /**
   * Something happened to an accepted authorization: its rail is asked what became of captures and releases that it has
   * not answered, and whether the hold still stands.
   */
  onNotice(authorization: Operation): Promise<void>
  readonly routes: NonNullable<Module['routes']>
}

export function createAuthorizations(deps: AuthorizationsDeps): Authorizations {
  return {
    // Ends authorizations whose month or hold is over.
    workers: { authorizations: createLapsing(deps) },
    checks: authorizationChecks,
    async onNotice(authorization) {
      const { database, engine } = deps
      const children = await childrenOf(database, authorization.walletId, [authorization], movementsReadMax)
      for (const child of children) if (child.status === 'PENDING') await engine.inquire(child)
      if (await hasEnded(deps, authorization)) await onHoldEnded(deps, authorization)
    },
    routes: authorizationRoutes(deps),
  }
}
