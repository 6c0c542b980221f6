// The end of an authorization's month: what remains is given back to the cardholder, and nothing is taken any more.
import { crashPoint } from '../kernel/crash-points.ts'
import { derivedId } from '../kernel/random.ts'
import { after, second } from '../kernel/time.ts'
import type { Operation } from '../operations/index.ts'
import type { RailAnswer } from '../rails/index.ts'
import { createWorker, type Worker } from '../storage/index.ts'
import type { AuthorizationsDeps } from './deps.ts'
import { remainingOf } from './rules.ts'
import { claimOverdueAuthorizations, closeAuthorization, type OverdueAuthorization } from './store.ts'

const pollMs = 1000
const concurrency = 16
/** Also the pause after which an authorization that could not be closed is looked at again. */
const leaseSeconds = 30
/** A capture of the last moment has been opened by then, and is waited for. */
const graceSeconds = 60

/** Closes authorizations whose month is over; several processes share them. */
export function createLapsing(deps: AuthorizationsDeps): Worker {
  const { database, clock } = deps
  return createWorker<OverdueAuthorization>({
    name: 'authorizations',
    database,
    pollMs,
    concurrency,
    claim: (limit) => {
      const due = after(clock.now(), -graceSeconds * second)
      return claimOverdueAuthorizations(database, due, after(due, leaseSeconds * second), limit)
    },
    async work({ authorization, undecided }) {
      if (undecided) return
      if (remainingOf(authorization) > 0n) {
        const { kind } = await releaseRest(deps, authorization)
        // Also a no closes it: the rail holds nothing that it would still let us have.
        if (kind !== 'approved' && kind !== 'declined') return
        crashPoint('rest of a hold given back, authorization not closed')
      }
      await closeAuthorization(database, authorization, clock.now())
    },
    onError: deps.onError,
  })
}

/** Asked under one key however often, so that a crash or an unclear answer gives nothing back twice. */
function releaseRest({ handlers }: AuthorizationsDeps, authorization: Operation): Promise<RailAnswer> {
  const { id, method } = authorization
  const releaseRest = method === undefined ? undefined : handlers[method]?.releaseRest
  if (releaseRest === undefined) throw new Error(`authorization ${id} is held by no rail`)
  return releaseRest(derivedId(id, 'lapse'), authorization, remainingOf(authorization))
}
