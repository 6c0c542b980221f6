// Idempotency: a request under a key of the wallet happens once, and gets the same answer for 30 days. How to use it:
// docs/inside/idempotency.md.
import type { Core, Module } from '../module.ts'
import type { Worker } from '../storage/index.ts'
import { createKeyMemory, type KeyMemory } from './recall.ts'
import { type RequestsRoutesDeps, requestsRoutes } from './requests-routes.ts'
import { createPurge } from './store.ts'

export { type IdempotencyKey, requestIdOf } from './key.ts'
export type { FirstAnswer } from './model.ts'
export type { RequestOutcome } from './requests-routes.ts'
export { findRequestsFor, forgetAnswer } from './store.ts'
export {
  type AnswerToKeep,
  type Claim,
  type Created,
  claimOf,
  created,
  createdWithClaim,
  idempotencyClaimCte,
  type KeyedRequest,
  storeAnswerCte,
  withIdempotency,
} from './with-idempotency.ts'

export interface Idempotency extends KeyMemory, Module {
  readonly workers: { readonly requests: Worker }
  readonly routes: NonNullable<Module['routes']>
}

export interface IdempotencyDeps extends RequestsRoutesDeps, Pick<Core, 'clock' | 'keyring' | 'onError'> {}

export function createIdempotency(deps: IdempotencyDeps): Idempotency {
  const memory = createKeyMemory(deps)
  return {
    ...memory,
    routes(app) {
      app.decorate('idempotency', memory)
      requestsRoutes(deps)(app)
    },
    workers: { requests: createPurge(deps) },
  }
}
