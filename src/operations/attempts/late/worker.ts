// Requests whose operation ended without them: their rail is asked whether they arrived late, and what it moved is reversed.
import { derivedId } from '../../../kernel/ids.ts'
import { after, backoffMs, hour, minute, second } from '../../../kernel/time.ts'
import { createWorker, type Worker } from '../../../storage/index.ts'
import type { LateRail, LateRails } from './rails.ts'
import {
  claimLateRequests,
  endLateRequest,
  type LateRequest,
  noteApproval,
  postponeLateRequest,
} from './store.ts'
import { askedAgainMs, type WatchDeps } from './watch.ts'

const pollMs = 1000
const concurrency = 16
/** Longer than a call to a rail may take. */
const leaseSeconds = 30
/** Until a reversal that was not confirmed is asked for again: doubled each time. */
const reversalSeconds = 5

export interface LateDeps extends WatchDeps {
  readonly rails: LateRails
  readonly onError: (error: unknown) => void
}

/** Works late requests whose time has come; several processes share them. */
export function createLateWorker(deps: LateDeps): Worker {
  const { database, clock } = deps
  return createWorker<LateRequest>({
    name: 'late requests',
    database,
    pollMs,
    concurrency,
    claim: (limit) => {
      const now = clock.now()
      return claimLateRequests(database, now, after(now, leaseSeconds * second), limit)
    },
    async work(request) {
      const rail = deps.rails[request.method]
      if (rail === undefined) return reverseLater(deps, request, 'no rail of its method reverses anything')
      await (request.state === 'WATCHED' ? askAgain(deps, rail, request) : reverse(deps, rail, request))
    },
    onError: deps.onError,
  })
}

async function askAgain(deps: LateDeps, rail: LateRail, request: LateRequest): Promise<void> {
  const { database, clock } = deps
  const { kind } = await rail.inquire(request)
  const now = clock.now()
  if (kind === 'approved') {
    if (await noteApproval(database, request, now)) return
    // It completed after all, or its operation is about to fail: nothing is reversed before that is known.
    return next(deps, request)
  }
  if (kind === 'declined') return endLateRequest(database, request, 'CLOSED', now)
  if (kind === 'unclear') return postponeLateRequest(database, request, request.asked, after(now, minute))
  return next(deps, request)
}

async function next({ database, clock }: LateDeps, request: LateRequest): Promise<void> {
  const now = clock.now()
  const asked = request.asked + 1
  const pause = askedAgainMs[asked]
  if (pause === undefined) return endLateRequest(database, request, 'CLOSED', now)
  const due = after(request.noticedAt, pause)
  await postponeLateRequest(database, request, asked, due > now ? due : after(now, second))
}

/** Asked under one key however often, so that a crash or an unclear answer reverses nothing twice. */
async function reverse(deps: LateDeps, rail: LateRail, request: LateRequest): Promise<void> {
  const answer = await rail.reverse(derivedId(request.key, 'reversal'), request)
  if (answer.kind === 'approved') return endLateRequest(deps.database, request, 'REVERSED', deps.clock.now())
  await reverseLater(
    deps,
    request,
    answer.kind === 'declined' ? `it is declined: ${answer.reason}` : undefined,
  )
}

async function reverseLater(
  deps: LateDeps,
  request: LateRequest,
  problem: string | undefined,
): Promise<void> {
  const { key, method, operationId } = request
  if (problem !== undefined)
    deps.onError(
      new Error(`${method} approved ${key} though operation ${operationId} ended otherwise; ${problem}`),
    )
  const pause = backoffMs(reversalSeconds * second, request.tries, hour)
  await postponeLateRequest(deps.database, request, request.asked, after(deps.clock.now(), pause))
}
