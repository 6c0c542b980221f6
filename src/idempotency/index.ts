// Idempotency: what a wallet asks for under a key of its own happens once, and is answered alike for 30 days.
//
//  - The key is `request_id`, or the header Idempotency-Key (key.ts). Its fingerprint says what was asked for, in
//    whatever way that was written.
//  - A route hands its verb to withIdempotency (answer-once.ts). The verb makes a claim (claimOf), and the
//    statement that makes what is asked for writes it (idempotencyClaimCte): both are there, or neither.
//  - The first answer is kept by the claim where it is known by then; by the statement that settles (storeAnswerCte)
//    where a rail decides; else by itself, in groups (store.ts).
//  - Whoever comes with a key that was used gets the first answer; with another meaning, 10015; while the first
//    request is being worked on, 10014. What is older than a minute without an answer lost its process: what was
//    made is read again, and that becomes the first answer (recall.ts).
//  - Keys are forgotten after 30 days (purge.ts). Until then a wallet may ask what became of one (requests-routes.ts).
//
// How to use it: docs/inside/idempotency.md.

import type { Core, Module } from '../module.ts'
import type { Worker } from '../storage/index.ts'
import { createPurge } from './purge.ts'
import { createKeyMemory, type KeyMemory } from './recall.ts'
import { type RequestsRoutesDeps, requestsRoutes } from './requests-routes.ts'

export { type IdempotencyKey, requestIdOf } from './key.ts'
export type { FirstAnswer } from './model.ts'
export type { RequestOutcome } from './requests-routes.ts'
export { findRequestsFor } from './store.ts'
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
