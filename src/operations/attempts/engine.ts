// The engine: opens an operation, has its rail decide under the operation's own id, and settles what it says.
import type { Claim, FirstAnswer } from '../../idempotency/index.ts'
import { crashPoint } from '../../kernel/crash-points.ts'
import { type MayStart, startInTime } from '../../rails/index.ts'
import type { Worker } from '../../storage/index.ts'
import { type ChildOperation, type NewOperation, type Operation, openedOperation } from '../model.ts'
import { createOpen, createOpenChild } from '../open/open.ts'
import { findOperation } from '../read/store.ts'
import { answersItself } from '../rules.ts'
import type { AnsweredRequest, SettleAndAnswer, SettleDeps, Settlement } from '../settle/settle.ts'
import type { GiveUp } from './give-up.ts'
import type { RailHandlers } from './handler.ts'
import type { RailAnswer } from './rail-answer.ts'
import { createResolver } from './resolver.ts'
import { renewAttempt } from './store.ts'
import { firstInquiry, inquiriesBeforeGivingUp } from './timings.ts'

type Decided =
  | {
      readonly kind: 'settled'
      readonly operation: Operation
      /** What its request is answered, kept when it settled; undefined where nothing was kept. */
      readonly answer?: FirstAnswer | undefined
    }
  /** The rail has not said; the resolver asks until it does. */
  | { readonly kind: 'pending'; readonly operation: Operation }

export type Outcome =
  | Decided
  /** Its idempotency key was used before: nothing was opened. */
  | { readonly kind: 'repeated' }

/** Has the rail decide; it asks `mayStart` immediately before it is called. */
export type AskRail = (mayStart: MayStart) => Promise<RailAnswer>

/** The claim of the request that asks for an operation, and what it will be answered. */
export type AnsweredClaim = Claim & AnsweredRequest

export interface Engine {
  /** Opens `operation` as under approval by its rail, has `rail` decide, and settles what it says. */
  run(operation: NewOperation, claim: AnsweredClaim | undefined, rail: AskRail): Promise<Outcome>
  /**
   * The same for a capture, release or refund, opened with what it reserves on its parent and given back
   * there should it fail. `refused`: the parent, as it stands now, does not allow it; nothing was written, so
   * read it and decide again.
   */
  runChild(
    operation: ChildOperation,
    claim: AnsweredClaim | undefined,
    rail: AskRail,
  ): Promise<Outcome | { readonly kind: 'refused' }>
  /** Asks the rails about attempts that were not answered in time, and reverses what was approved too late. */
  readonly resolver: Worker
}

export interface EngineDeps extends SettleDeps {
  readonly settle: SettleAndAnswer
  /** Asks the rail of the operation's method what it did, whatever its type, under the operation's id. */
  inquire(operation: Operation): Promise<RailAnswer>
  readonly handlers: RailHandlers
  readonly giveUp: GiveUp
  readonly onError: (error: unknown) => void
}

export function createEngine(deps: EngineDeps): Engine {
  const { database, clock, settle } = deps
  const open = createOpen(database)
  const openChild = createOpenChild(database)

  async function conclude(
    operation: Operation,
    answer: RailAnswer,
    by: Pick<Settlement, 'silent' | 'request'> = {},
  ): ReturnType<SettleAndAnswer> {
    crashPoint('rail answered, nothing written')
    const guard = { kind: 'attempt', attemptId: operation.id } as const
    if (answer.kind === 'approved') return settle(operation, { status: 'COMPLETED', guard, ...by })
    if (answer.kind === 'declined')
      return settle(operation, { status: 'FAIL', guard, error: answer.reason, ...by })
    return undefined
  }

  /** Marks what is about to be opened as decided by its rail, and looked after should this process die. */
  function underApproval<Asked extends NewOperation>(asked: Asked) {
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
    claim: AnsweredClaim | undefined,
    rail: AskRail,
  ): Promise<Decided> {
    const operation = openedOperation(opened)
    const { walletId, id } = operation
    const mayStart = startInTime(clock, opened.createdAt, (now) =>
      renewAttempt(database, operation, firstInquiry(now), inquiriesBeforeGivingUp),
    )
    const silent = answersItself(operation.type)
    crashPoint('attempt opened, rail not asked')
    const settled = await conclude(operation, await rail(mayStart), { silent, request: claim })
    if (settled !== undefined) return { kind: 'settled', ...settled }
    // While the rail was asked the resolver, or a callback's sender, may have decided: then that is the answer.
    const standing = await findOperation(database, walletId, id)
    return standing === undefined || standing.status === 'PENDING'
      ? { kind: 'pending', operation }
      : { kind: 'settled', operation: standing }
  }

  return {
    async run(asked, claim, rail) {
      const operation = underApproval(asked)
      return (await open(operation, claim)) ? decide(operation, claim, rail) : { kind: 'repeated' }
    },
    async runChild(asked, claim, rail) {
      const operation = underApproval(asked)
      const kind = await openChild(operation, claim)
      return kind === 'opened' ? decide(operation, claim, rail) : { kind }
    },
    resolver: createResolver({ ...deps, conclude }),
  }
}
