// The entry point of authorizations: what is reserved on a card, captured in parts, released, and lapses.
import type { App } from '../http/index.ts'
import type { Worker } from '../storage/index.ts'
import type { AuthorizationsDeps } from './deps.ts'
import { createLapsing } from './lapsing.ts'
import { authorizationRoutes } from './routes.ts'

export { authorizationChecks } from './audit.ts'
export { decideCapture, decideRelease } from './rules.ts'
export { lapsingSoon } from './store.ts'

export interface Authorizations {
  /** Ends authorizations whose month is over. */
  readonly lapsing: Worker
  readonly routes: (app: App) => void
}

export function createAuthorizations(deps: AuthorizationsDeps): Authorizations {
  return { lapsing: createLapsing(deps), routes: authorizationRoutes(deps) }
}
