// A direct movement: opened, decided by its rail under the operation's own id, settled; resolved when unclear.
import type { Claim, FirstAnswer } from '../../idempotency/index.ts'
import { after, backoffMs, type Instant, second } from '../../kernel/time.ts'
import { type MayStart, startInTime } from '../../rails/index.ts'
import { createWorker, type Worker } from '../../storage/index.ts'
import { type ChildOperation, type NewOperation, type Operation, openedOperation } from '../model.ts'
import { createOpen, createOpenChild } from '../open/open.ts'
import { findOperation } from '../read/store.ts'
import { answersItself } from '../rules.ts'
import type { AnsweredRequest, SettleAndAnswer, SettleDeps, Settlement } from '../settle/settle.ts'
import type { AskedOfRail } from './late/rails.ts'
import type { GiveUp } from './late/watch.ts'
import {
  claimDueMovements,
  forgetMovement,
  postponeMovement,
  renewMovement,
  unfoldOpenedMovements,
} from './movements-store.ts'
import type { RailAnswer } from './rail-answer.ts'

type Decided =
  | {
      readonly kind: 'settled'
      readonly operation: Operation
      /** What its request is answered, kept when it settled; undefined where nothing was kept. */
      readonly answer?: FirstAnswer | undefined
    }
  /** The rail has not said; the resolver asks until it does. */
  | { readonly kind: 'pending'; readonly operation: Operation }

export type Moved =
  | Decided
  /** Its idempotency key was used before: nothing was opened. */
  | { readonly kind: 'repeated' }

/** Has the rail decide; it asks `mayStart` immediately before it is called. */
export type AskRail = (mayStart: MayStart) => Promise<RailAnswer>

/** The claim of the request that asks for a movement, and what it will be answered. */
export type MovementClaim = Claim & AnsweredRequest

export interface Movements {
  /** Opens `operation` as under approval by its rail, lets `rail` decide, and settles what it says. */
  move(operation: NewOperation, claim: MovementClaim | undefined, rail: AskRail): Promise<Moved>
  /**
   * The same for a capture, release or refund, opened with what it reserves on its parent and given back
   * there should it fail. `refused`: the parent, as it stands now, cannot bear it; nothing was written, so
   * read it and decide again.
   */
  moveChild(
    operation: ChildOperation,
    claim: MovementClaim | undefined,
    rail: AskRail,
  ): Promise<Moved | { readonly kind: 'refused' }>
  /** Asks the rails about movements open for too long. */
  readonly resolver: Worker
}

export interface MovementDeps extends SettleDeps {
  readonly settle: SettleAndAnswer
  /** Asks the rail of the operation's method what it did, whatever its type, under the operation's id. */
  inquire(operation: Operation): Promise<RailAnswer>
  readonly giveUp: GiveUp
  readonly onError: (error: unknown) => void
}

const pollMs = 1000
const concurrency = 16
/** Longer than any call to a rail may take. */
const firstInquirySeconds = 10
const leaseSeconds = 30
/** Rows of one round: each holds what one statement opened, at most some hundred movements. */
const unfoldedMax = 100
/** Until the rail is asked again: doubled each time. */
const inquirySeconds = 5
const inquirySecondsMax = 300
/**
 * A rail that has not received a movement by then is not sent it any more. Claiming the movement for this inquiry
 * takes it over: whoever was held up before calling the rail finds that out (`renewMovement`), and does not call.
 */
const unheardInquiriesMax = 4

function firstInquiry(now: Instant): Instant {
  return after(now, firstInquirySeconds * second)
}

/** The request by which a movement was, or was to be, sent to its rail. */
function askedOf({ walletId, id, type, method }: Operation): AskedOfRail {
  if (method === undefined) throw new Error(`movement ${id} goes by no method`)
  return { walletId, operationId: id, key: id, type, method }
}

export function createMovements(deps: MovementDeps): Movements {
  const { database, clock, settle } = deps
  const open = createOpen(database)
  const openChild = createOpenChild(database)

  async function conclude(
    operation: Operation,
    answer: RailAnswer,
    by: Pick<Settlement, 'silent' | 'request'> = {},
  ): ReturnType<SettleAndAnswer> {
    const guard = { kind: 'attempt', attemptId: operation.id } as const
    if (answer.kind === 'approved') return settle(operation, { status: 'COMPLETED', guard, ...by })
    if (answer.kind === 'declined')
      return settle(operation, { status: 'FAIL', guard, error: answer.reason, ...by })
    return undefined
  }

  /** Marks what is about to be opened as decided by its rail, and looked after should this process die. */
  function underRail<Asked extends NewOperation>(asked: Asked) {
    return {
      ...asked,
      status: 'PENDING',
      attemptId: asked.id,
      underApproval: true,
      dueAt: firstInquiry(asked.createdAt),
    } as const
  }

  async function decide(
    opened: NewOperation,
    claim: MovementClaim | undefined,
    rail: AskRail,
  ): Promise<Decided> {
    const operation = openedOperation(opened)
    const { walletId, id } = operation
    const mayStart = startInTime(clock, opened.createdAt, (now) =>
      renewMovement(database, operation, firstInquiry(now), unheardInquiriesMax),
    )
    const silent = answersItself(operation.type)
    const settled = await conclude(operation, await rail(mayStart), { silent, request: claim })
    if (settled !== undefined) return { kind: 'settled', ...settled }
    // While the rail was asked the resolver, or a callback's sender, may have decided: then that is the answer.
    const standing = await findOperation(database, walletId, id)
    return standing === undefined || standing.status === 'PENDING'
      ? { kind: 'pending', operation }
      : { kind: 'settled', operation: standing }
  }

  async function resolve({
    operation,
    inquiries,
  }: {
    operation: Operation
    inquiries: number
  }): Promise<void> {
    if (operation.settledAt !== undefined) {
      await forgetMovement(database, operation)
      return
    }
    const known = await deps.inquire(operation)
    const isLast = known.kind === 'not_found' && inquiries >= unheardInquiriesMax
    const answer = isLast ? await deps.giveUp(askedOf(operation)) : known
    if (answer.kind === 'approved' || answer.kind === 'declined') {
      await conclude(operation, answer)
      return
    }
    if (isLast && answer.kind === 'not_found') {
      await conclude(operation, { kind: 'declined', reason: 'rail_unavailable' })
      return
    }
    const pause = backoffMs(inquirySeconds * second, inquiries, inquirySecondsMax * second)
    await postponeMovement(database, operation, after(clock.now(), pause))
  }

  return {
    async move(asked, claim, rail) {
      const operation = underRail(asked)
      return (await open(operation, claim)) ? decide(operation, claim, rail) : { kind: 'repeated' }
    },
    async moveChild(asked, claim, rail) {
      const operation = underRail(asked)
      const kind = await openChild(operation, claim)
      return kind === 'opened' ? decide(operation, claim, rail) : { kind }
    },
    resolver: createWorker({
      name: 'movements',
      database,
      pollMs,
      concurrency,
      claim: async (limit) => {
        const now = clock.now()
        while ((await unfoldOpenedMovements(database, now, unfoldedMax)) === unfoldedMax);
        return claimDueMovements(database, now, after(now, leaseSeconds * second), limit)
      },
      work: resolve,
      onError: deps.onError,
    }),
  }
}
