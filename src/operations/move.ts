// A direct movement: opened, decided by its rail under the operation's own id, settled; resolved when unclear.
import { after, second } from '../kernel/time.ts'
import { createWorker, type RequestClaim, type Worker } from '../storage/index.ts'
import { type NewOperation, type Operation, openedOperation } from './model.ts'
import { claimDueMovements, postponeMovement } from './move-store.ts'
import { createOpen } from './open.ts'
import type { Settle, SettleDeps } from './settle.ts'

/** What a rail said about a movement. Only the first two are final. */
export type RailAnswer =
  | { readonly kind: 'approved' }
  | { readonly kind: 'declined'; readonly reason: string }
  | { readonly kind: 'unclear' }
  | { readonly kind: 'not_found' }

export type Moved =
  | { readonly kind: 'settled'; readonly operation: Operation }
  /** The rail has not said; the resolver asks until it does. */
  | { readonly kind: 'pending'; readonly operation: Operation }
  /** Its request id was used before: nothing was opened. */
  | { readonly kind: 'repeated' }

export interface Movements {
  /** Opens `operation` as under approval by its rail, lets `rail` decide, and settles what it says. */
  move(
    operation: NewOperation,
    request: RequestClaim | undefined,
    rail: () => Promise<RailAnswer>,
  ): Promise<Moved>
  /** Asks the rails about movements open for too long. */
  readonly resolver: Worker
}

export interface MovementDeps extends SettleDeps {
  readonly settle: Settle
  /** Asks the rail of the operation's method what it did under the operation's id. */
  inquire(operation: Operation): Promise<RailAnswer>
  readonly onError: (error: unknown) => void
}

const pollMs = 1000
const concurrency = 16
/** Longer than any call to a rail may take. */
const firstInquirySeconds = 10
const leaseSeconds = 30
const inquirySecondsMax = 300
/** A rail that has never heard of a movement after this will not hear of it any more. */
const unheardInquiriesMax = 4

export function createMovements(deps: MovementDeps): Movements {
  const { database, clock, settle } = deps
  const open = createOpen(database)

  async function conclude(operation: Operation, answer: RailAnswer): Promise<Operation | undefined> {
    const guard = { kind: 'attempt', attemptId: operation.id } as const
    if (answer.kind === 'approved') return settle(operation, { status: 'COMPLETED', guard })
    if (answer.kind === 'declined') return settle(operation, { status: 'FAIL', guard, error: answer.reason })
    return undefined
  }

  async function resolve({
    operation,
    inquiries,
  }: {
    operation: Operation
    inquiries: number
  }): Promise<void> {
    const answer = await deps.inquire(operation)
    if (answer.kind === 'approved' || answer.kind === 'declined') {
      await conclude(operation, answer)
      return
    }
    if (answer.kind === 'not_found' && inquiries >= unheardInquiriesMax) {
      await conclude(operation, { kind: 'declined', reason: 'rail_unavailable' })
      return
    }
    const seconds = Math.min(inquirySecondsMax, 5 * 2 ** Math.min(inquiries, 10))
    await postponeMovement(database, operation, after(clock.now(), seconds * second))
  }

  return {
    async move(asked, request, rail) {
      const underRail = {
        ...asked,
        status: 'PENDING',
        attemptId: asked.id,
        underApproval: true,
        dueAt: after(asked.createdAt, firstInquirySeconds * second),
      } as const
      if (!(await open(underRail, request))) return { kind: 'repeated' }
      const operation = openedOperation(underRail)
      const settled = await conclude(operation, await rail())
      return settled === undefined ? { kind: 'pending', operation } : { kind: 'settled', operation: settled }
    },
    resolver: createWorker({
      name: 'movements',
      database,
      pollMs,
      concurrency,
      claim: (limit) => {
        const now = clock.now()
        return claimDueMovements(database, now, after(now, leaseSeconds * second), limit)
      },
      work: resolve,
      onError: deps.onError,
    }),
  }
}
