// The only door to authorizations: what is reserved on a card, captured in parts, released, and lapses.
import type { App } from '../http/index.ts'
import type { AuthorizationsDeps } from './deps.ts'
import { authorizationRoutes } from './routes.ts'

export interface Authorizations {
  readonly routes: (app: App) => void
}

export function createAuthorizations(deps: AuthorizationsDeps): Authorizations {
  return { routes: authorizationRoutes(deps) }
}
