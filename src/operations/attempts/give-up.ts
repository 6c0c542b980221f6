// Giving a request up: its rail cancels it or says once more what it knows, and is asked again after the operation failed.
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

/** Has the rail asked again about a request, before its operation fails because the rail never received it. */
export type Watch = (request: RailRequest) => Promise<void>

export function createWatch({ database, clock }: WatchDeps): Watch {
  return (request) => {
    const now = clock.now()
    return markGivenUp(database, request, now, nextLook(now, now, 0) ?? now)
  }
}

/**
 * The last question about a request that its rail has not received, once nobody may send it any more. `not_found`:
 * its operation may fail now, and what arrives later is declined or found and reversed. Any other answer is the
 * rail's, and decides.
 */
export type GiveUp = (request: RailRequest) => Promise<RailAnswer>

export function createGiveUp(deps: WatchDeps & { readonly railOf: RailOf }): GiveUp {
  const watch = createWatch(deps)
  return async (request) => {
    const handler = deps.railOf(request)
    // Our own books are the rail, and say at once what they hold.
    if (handler?.cancel === undefined) return { kind: 'not_found' }
    const answer = await handler.cancel(request)
    // Before the operation fails: a crash in between repeats both.
    if (answer.kind === 'not_found') await watch(request)
    return answer
  }
}
