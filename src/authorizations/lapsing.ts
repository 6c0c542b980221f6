// The end of an authorization: what remains is given back to the cardholder, and nothing is taken any more.
import { crashPoint } from '../kernel/crash-points.ts'
import { derivedId, newId } from '../kernel/random.ts'
import { after, second } from '../kernel/time.ts'
import {
  childOperation,
  holdEnded,
  insertChildren,
  monthEndOf,
  railChannel,
  settleReported,
  underApproval,
} from '../operations/for-movements.ts'
import { type Operation, openedOperation } from '../operations/index.ts'
import type { RailAnswer } from '../rails/index.ts'
import { createWorker, type Worker } from '../storage/index.ts'
import type { AuthorizationsDeps } from './deps.ts'
import { endsBeforeMonth, remainingOf } from './rules.ts'
import {
  claimOverdueAuthorizations,
  closeAuthorization,
  endHold,
  type OverdueAuthorization,
} from './store.ts'

const pollMs = 1000
const concurrency = 16
/** Also the pause after which an authorization that could not be closed is looked at again. */
const leaseSeconds = 30
/** A capture of the last moment has been opened by then, and is waited for. */
const graceSeconds = 60

/** Closes authorizations whose month, or whose hold, is over; several processes share them. */
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
    work: (overdue) => close(deps, overdue),
    onError: deps.onError,
  })
}

/** Whether the provider of an authorization has ended its hold; false where it does not say. */
export async function hasEnded({ railOf }: AuthorizationsDeps, authorization: Operation): Promise<boolean> {
  return (await railOf(authorization)?.hasEnded?.(authorization)) === true
}

/** Ends an authorization whose provider has ended its hold. A capture that is being decided is waited for. */
export async function onHoldEnded(deps: AuthorizationsDeps, authorization: Operation): Promise<void> {
  const ended = await endHold(deps.database, authorization, deps.clock.now())
  if (ended === undefined) return
  await close(deps, ended)
}

async function close(
  deps: AuthorizationsDeps,
  { authorization, undecided }: OverdueAuthorization,
): Promise<void> {
  if (undecided) return
  if (remainingOf(authorization) > 0n) {
    const { kind } = await releaseRest(deps, authorization)
    // Also a no closes it: the rail holds nothing that it would still let us have.
    if (kind !== 'approved' && kind !== 'declined') return
    crashPoint('rest of a hold given back, authorization not closed')
    if (endsBeforeMonth(authorization)) await bookRelease(deps, authorization)
  }
  await closeAuthorization(deps.database, authorization, deps.clock.now())
}

/** Asked under one key however often, so that a crash or an unknown answer gives nothing back twice. */
function releaseRest({ railOf }: AuthorizationsDeps, authorization: Operation): Promise<RailAnswer> {
  const { id } = authorization
  const releaseRest = railOf(authorization)?.releaseRest
  if (releaseRest === undefined) throw new Error(`authorization ${id} is held by no rail`)
  return releaseRest(derivedId(id, 'lapse'), authorization, remainingOf(authorization))
}

/** A RELEASE that no merchant asked for: its callback says that the money is not held any more. */
async function bookRelease(deps: AuthorizationsDeps, authorization: Operation): Promise<void> {
  const { database, clock, random, settle } = deps
  const now = clock.now()
  const release = underApproval({
    ...childOperation(authorization, {
      id: newId(now, random),
      type: 'RELEASE',
      amount: remainingOf(authorization),
      merchantReferences: {},
      expires: monthEndOf(authorization),
      createdAt: now,
    }),
    channel: railChannel,
    error: holdEnded,
  })
  const [opening] = await insertChildren(database, [{ operation: release, claim: undefined }])
  // Refused: a process that came first has released it.
  if (opening === 'opened') await settleReported({ settle }, openedOperation(release))
}
