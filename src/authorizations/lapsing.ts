// The end of an authorization: its rest goes back to the cardholder.
import { crashPoint } from '../kernel/crash-points.ts'
import { derivedId, newId } from '../kernel/random.ts'
import { after, second } from '../kernel/time.ts'
import type { Core } from '../module.ts'
import {
  childOperation,
  type Engine,
  holdEnded,
  insertChildren,
  monthEndOf,
  type PreviewSettlement,
  railChannel,
  type ShowPostings,
  settleReported,
  underApproval,
} from '../operations/for-movements.ts'
import {
  type Operation,
  openedOperation,
  type RailOf,
  type Settle,
  type ShowOperations,
} from '../operations/index.ts'
import type { RailAnswer } from '../rails/index.ts'
import { createWorker, type Worker } from '../storage/index.ts'
import type { Wallet } from '../wallets/index.ts'
import { endsBeforeMonth, remainingOf } from './rules.ts'
import {
  claimOverdueAuthorizations,
  closeAuthorization,
  endHold,
  type OverdueAuthorization,
} from './store.ts'

const pollMs = 1000
const concurrency = 16
/** How long a process holds an authorization. A failed try is repeated after the same time. */
const leaseSeconds = 30
/** Time between the month's end and the release, so that a capture of the last moment can open first. */
const graceSeconds = 60

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

/** Returns false if the provider does not say. */
export async function hasEnded({ railOf }: AuthorizationsDeps, authorization: Operation): Promise<boolean> {
  return (await railOf(authorization)?.hasEnded?.(authorization)) === true
}

/** Ends an authorization whose provider has ended the hold. Undecided captures end first. */
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
    // If the rail declines, it holds nothing for us any more either.
    if (kind !== 'approved' && kind !== 'declined') return
    crashPoint('rest of a hold given back, authorization not closed')
    if (endsBeforeMonth(authorization)) await bookRelease(deps, authorization)
  }
  await closeAuthorization(deps.database, authorization, deps.clock.now())
}

function releaseRest({ railOf }: AuthorizationsDeps, authorization: Operation): Promise<RailAnswer> {
  const { id } = authorization
  const releaseRest = railOf(authorization)?.releaseRest
  if (releaseRest === undefined) throw new Error(`authorization ${id} has no rail`)
  return releaseRest(derivedId(id, 'lapse'), authorization, remainingOf(authorization))
}

/** Books a release. Its callback reports the end of the hold to the merchant. */
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
  // If the release does not open, another process has released the rest.
  if (opening === 'opened') await settleReported({ settle }, openedOperation(release))
}

export interface AuthorizationsDeps extends Pick<Core, 'database' | 'clock' | 'random' | 'onError'> {
  readonly wallets: { get(walletId: bigint): Promise<Wallet> }
  readonly engine: Engine
  readonly settle: Settle
  readonly show: ShowOperations
  readonly preview: PreviewSettlement
  readonly showPostings: ShowPostings
  readonly railOf: RailOf
}
