// Giving a request up: its rail cancels it or says once more what it knows, and is asked again after the operation failed.
import { after, type Clock, day, hour, minute } from '../../../kernel/time.ts'
import type { Database } from '../../../storage/index.ts'
import type { RailAnswer } from '../rail-answer.ts'
import type { AskedOfRail, LateRails } from './rails.ts'
import { watchRequest } from './store.ts'

/** When the rail is asked again whether the request has arrived after all, counted from giving it up. */
export const askedAgainMs = [minute, 10 * minute, hour, day] as const

export interface WatchDeps {
  readonly database: Database
  readonly clock: Clock
}

/** Has the rail asked again about a request, before its operation fails because the rail never received it. */
export type Watch = (asked: AskedOfRail) => Promise<void>

export function createWatch({ database, clock }: WatchDeps): Watch {
  return (asked) => {
    const now = clock.now()
    return watchRequest(database, asked, now, after(now, askedAgainMs[0]))
  }
}

/**
 * The last question about a request that its rail has not received, once nobody may send it any more. `not_found`:
 * its operation may fail now, and what arrives later is declined or found and reversed. Any other answer is the
 * rail's, and decides.
 */
export type GiveUp = (asked: AskedOfRail) => Promise<RailAnswer>

export function createGiveUp(deps: WatchDeps & { readonly rails: LateRails }): GiveUp {
  const watch = createWatch(deps)
  return async (asked) => {
    const rail = deps.rails[asked.method]
    // Our own books are the rail, and say at once what they hold.
    if (rail === undefined) return { kind: 'not_found' }
    const answer = await rail.cancel(asked)
    // Before the operation fails: a crash in between repeats both.
    if (answer.kind === 'not_found') await watch(asked)
    return answer
  }
}
