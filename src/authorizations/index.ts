// The entry point of authorizations: what is reserved on a card, captured in parts, released, and lapses.
import type { App } from '../http/index.ts'
import { childrenOf, movementsReadMax, type Operation } from '../operations/index.ts'
import type { Worker } from '../storage/index.ts'
import type { AuthorizationsDeps } from './deps.ts'
import { createLapsing, hasEnded, onHoldEnded } from './lapsing.ts'
import { authorizationRoutes } from './routes.ts'

export { authorizationChecks } from './audit.ts'
export { decideCapture, decideRelease } from './rules.ts'
export { lapsingSoon } from './store.ts'

export interface Authorizations {
  /** Ends authorizations whose month or hold is over. */
  readonly lapsing: Worker
  /**
   * Something happened to an accepted authorization: its rail is asked what became of captures and releases that it has
   * not answered, and whether the hold still stands.
   */
  onNotice(authorization: Operation): Promise<void>
  readonly routes: (app: App) => void
}

export function createAuthorizations(deps: AuthorizationsDeps): Authorizations {
  return {
    lapsing: createLapsing(deps),
    async onNotice(authorization) {
      const { database, engine } = deps
      const children = await childrenOf(database, authorization.walletId, [authorization], movementsReadMax)
      for (const child of children) if (child.status === 'PENDING') await engine.inquire(child)
      if (await hasEnded(deps, authorization)) await onHoldEnded(deps, authorization)
    },
    routes: authorizationRoutes(deps),
  }
}
