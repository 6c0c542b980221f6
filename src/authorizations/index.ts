// The entry point of authorizations: holds on cards, their captures, releases and end.
import type { Module } from '../module.ts'
import { childrenOf, movementsReadMax } from '../operations/for-movements.ts'
import type { Operation } from '../operations/index.ts'
import { authorizationChecks } from './audit.ts'
import { type AuthorizationsDeps, createLapsing, hasEnded, onHoldEnded } from './lapsing.ts'
import { authorizationRoutes } from './routes.ts'

export { decideCapture, decideRelease } from './rules.ts'
export { lapsingSoon } from './store.ts'
export interface Authorizations extends Module {
  /** Asks the rail about undecided captures and releases, and whether the hold is still valid. */
  onNotice(authorization: Operation): Promise<void>
  readonly routes: NonNullable<Module['routes']>
}

export function createAuthorizations(deps: AuthorizationsDeps): Authorizations {
  return {
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
