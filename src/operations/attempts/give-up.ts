// Giving up a request that the rail has not received.
import type { Clock } from '../../kernel/time.ts'
import type { RailAnswer } from '../../rails/index.ts'
import type { Database } from '../../storage/index.ts'
import type { RailOf } from './model.ts'
import { nextLook, type RailRequest } from './model.ts'
import { markGivenUp } from './store.ts'

export interface WatchDeps {
  readonly database: Database
  readonly clock: Clock
}

export type Watch = (request: RailRequest) => Promise<void>

export function createWatch({ database, clock }: WatchDeps): Watch {
  return (request) => {
    const now = clock.now()
    return markGivenUp(database, request, now, nextLook(now, now, 0) ?? now)
  }
}

/** The last inquiry about a request that nobody may send again. `not_found`: its operation may fail now. */
export type GiveUp = (request: RailRequest) => Promise<RailAnswer>

export function createGiveUp(deps: WatchDeps & { readonly railOf: RailOf }): GiveUp {
  const watch = createWatch(deps)
  return async (request) => {
    const handler = deps.railOf(request)
    // Without `cancel`, our own books are the rail: nothing can arrive late.
    if (handler?.cancel === undefined) return { kind: 'not_found' }
    const answer = await handler.cancel(request)
    // Written before the operation fails: a crash in between repeats both.
    if (answer.kind === 'not_found') await watch(request)
    return answer
  }
}
