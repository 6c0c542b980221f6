// The engine: opens an operation, asks its rail, settles the answer.
import type { NewEvent } from '../../callbacks/index.ts'
import {
  type Claim,
  type Created,
  claimOf,
  created,
  type FirstAnswer,
  type KeyedRequest,
} from '../../idempotency/index.ts'
import { crashPoint } from '../../kernel/crash-points.ts'
import { deny, ok, type Result, unwrap } from '../../kernel/result.ts'
import type { Instant } from '../../kernel/time.ts'
import { type MayStart, type RailAnswer, startInTime } from '../../rails/index.ts'
import type { Database, Worker } from '../../storage/index.ts'
import type { Wallet } from '../../wallets/index.ts'
import { openAdmitted } from '../limits.ts'
import { type ChildOperation, isReported, type NewOperation, type Operation } from '../model.ts'
import {
  type ChildTerms,
  createOpen,
  createOpenChild,
  firstInquiry,
  insertOperations,
  type OpenedOperation,
  type OpenOperation,
  openedOperation,
  underApproval,
} from '../open/open.ts'
import { findOperation } from '../read/store.ts'
import { answersItself, isLimited, refuseFailed, withinPaymentLimit } from '../rules.ts'
import { operationOnWire } from '../schemas.ts'
import type { AnsweredRequest, SettleAndAnswer, SettleDeps, Settlement } from '../settle/model.ts'
import type { ShowOperations } from '../shares/on-wire.ts'
import type { AttemptsOf } from './customers/engine.ts'
import { type ChargeHandler, inquiriesBeforeGivingUp, type RailOf, requestOf } from './model.ts'
import { createResolver, createWatch, type GiveUp, isCharge, releaseIfFailed } from './resolver.ts'
import { renewAttempt } from './store.ts'

export type Decided =
  | {
      readonly kind: 'settled'
      readonly operation: Operation
      /** The answer to the request, if it was stored with the settlement. */
      readonly answer?: FirstAnswer | undefined
    }
  /** The rail has not decided yet. The resolver asks it until it does. */
  | { readonly kind: 'pending'; readonly operation: Operation }

export type Outcome = Decided | { readonly kind: 'repeated' }

/** The function must call `beforeSend` immediately before it sends the request. */
export type AskRail = (beforeSend: MayStart) => Promise<RailAnswer>

export type AnsweredClaim = Claim & AnsweredRequest

export interface Engine {
  /** Opens `operation` as under approval, asks the rail and settles the answer. Throws limit_reached. */
  run(operation: NewOperation, claim: AnsweredClaim | undefined, rail: AskRail): Promise<Outcome>
  /** The same for a capture, release or refund. `refused`: the parent has changed, so decide again. */
  runChild(
    operation: ChildOperation,
    claim: AnsweredClaim | undefined,
    rail: AskRail,
    terms?: ChildTerms,
  ): Promise<Outcome | { readonly kind: 'refused' }>
  /** Asks the rail and settles, for an operation that was opened with {@link underApproval}. */
  decide(operation: OpenedOperation, rail: AskRail, charge?: ChargeAsked): Promise<Decided>
  inquire(operation: Operation): Promise<void>
  /** Asks the rail after its notice and settles. It also handles the charge of a subscription. */
  onNotice(operation: Operation, charges: ChargeHandler): Promise<void>
  resolver(customers: AttemptsOf, charges: ChargeHandler): Worker
}

export interface ChargeAsked {
  /** Start of the charge. A process that took too long since then does not send it. */
  readonly since: Instant
  extraEvents(status: 'COMPLETED' | 'FAIL', error: string | undefined): Promise<readonly NewEvent[]>
}

export interface EngineDeps extends SettleDeps {
  readonly settle: SettleAndAnswer
  readonly railOf: RailOf
  readonly giveUp: GiveUp
  readonly onError: (error: unknown) => void
}

export function createEngine(deps: EngineDeps): Engine {
  const { database, clock, settle } = deps
  const watch = createWatch({ database, clock })
  const open = createOpen(database)
  const openChild = createOpenChild(database)

  async function conclude(
    operation: Operation,
    answer: RailAnswer,
    by: Pick<Settlement, 'silent' | 'request'> & {
      readonly extraEvents?: ChargeAsked['extraEvents'] | undefined
    } = {},
  ): ReturnType<SettleAndAnswer> {
    crashPoint('rail answered, nothing written')
    if (answer.kind !== 'approved' && answer.kind !== 'declined') return undefined
    // Write the watch before the operation fails. After a crash in between, both steps are repeated.
    if (answer.kind === 'declined' && answer.mayArrive) await watch(requestOf(operation))
    const guard = { kind: 'attempt', attemptId: operation.id } as const
    const [status, error, heldUntil] =
      answer.kind === 'approved'
        ? (['COMPLETED', undefined, answer.heldUntil] as const)
        : (['FAIL', answer.reason] as const)
    const { silent, request } = by
    const extraEvents = await by.extraEvents?.(status, error)
    return settle(operation, { status, guard, error, heldUntil, silent, request, extraEvents })
  }

  async function decide(
    opened: OpenedOperation,
    rail: AskRail,
    {
      claim,
      charge,
    }: { readonly claim?: AnsweredClaim | undefined; readonly charge?: ChargeAsked | undefined },
  ): Promise<Decided> {
    const operation = openedOperation(opened)
    const { walletId, id } = operation
    // The number of inquiries is not limited for a charge, because the resolver sends it again until it gives
    // up.
    const inquiriesMax = charge === undefined ? inquiriesBeforeGivingUp : undefined
    const beforeSend = startInTime(clock, charge?.since ?? opened.createdAt, (now) =>
      renewAttempt(database, operation, firstInquiry(now), inquiriesMax),
    )
    const silent = charge === undefined && answersItself(operation.type)
    crashPoint('attempt opened, rail not asked')
    const answer = await rail(beforeSend)
    const settled = await conclude(operation, answer, {
      silent,
      request: claim,
      extraEvents: charge?.extraEvents,
    })
    if (settled !== undefined) return { kind: 'settled', ...settled }
    const current = await findOperation(database, walletId, id)
    return current === undefined || current.status === 'PENDING'
      ? { kind: 'pending', operation }
      : { kind: 'settled', operation: current }
  }

  return {
    async run(asked, claim, rail) {
      const operation = underApproval(asked)
      const isNew = await openWithinLimits(deps, open, operation, claim)
      return isNew ? decide(operation, rail, { claim }) : { kind: 'repeated' }
    },
    async runChild(asked, claim, rail, terms) {
      const operation = underApproval(asked)
      const kind = await openChild(operation, claim, terms)
      return kind === 'opened' ? decide(operation, rail, { claim }) : { kind }
    },
    decide: (operation, rail, charge) => decide(operation, rail, { charge }),
    async inquire(operation) {
      if (operation.settledAt === undefined) await conclude(operation, await inquire(deps, operation))
    },
    async onNotice(operation, charges) {
      if (operation.settledAt !== undefined) return
      if (!isCharge(operation)) return void (await conclude(operation, await inquire(deps, operation)))
      await conclude(operation, await charges.inquire(operation))
      await releaseIfFailed(database, operation, charges)
    },
    resolver: (customers, charges) =>
      createResolver({
        ...deps,
        customers,
        charges,
        inquire: (operation) => inquire(deps, operation),
        conclude,
      }),
  }
}

/** Asks the rail for the outcome. A reported movement is approved, because its money has already moved. */
async function inquire({ railOf }: EngineDeps, operation: Operation): Promise<RailAnswer> {
  if (isReported(operation)) return { kind: 'approved' }
  const handler = railOf(operation)
  if (handler === undefined) throw new Error(`operation ${operation.id} has no rail`)
  return handler.inquire(requestOf(operation), operation)
}

/** Returns false if its idempotency key was used before. */
async function openWithinLimits(
  deps: EngineDeps,
  open: OpenOperation,
  operation: OpenedOperation,
  claim: AnsweredClaim | undefined,
): Promise<boolean> {
  const { id: operationId, amount, walletId } = operation
  const wallet = await deps.wallets.get(walletId)
  const { dayLimit } = wallet
  if (!isLimited(wallet)) return open(operation, claim)
  const payment = { operationId, amount, field: 'amount' }
  unwrap(withinPaymentLimit(wallet, amount, payment.field))
  if (dayLimit === null) return open(operation, claim)
  const admitted = await openAdmitted(deps, { id: walletId, dayLimit }, payment, async (tx) => {
    const [isNew = false] = await insertOperations(tx, [{ operation, claim }])
    return isNew
  })
  return unwrap(admitted)
}

export function pathOf(operationId: string): string {
  return `/api/v2/operations/${operationId}`
}

export interface AnsweredTo {
  readonly wallet: Wallet
  readonly declined: string
  /** More fields of the answer. Default: none. */
  readonly fieldsOf?: ((operation: Operation) => object) | undefined
}

/** The claim of a request's key. A divided operation's answer is not stored: it needs the booked shares. */
export function answeredClaim(
  key: KeyedRequest | undefined,
  operationId: string,
  to: AnsweredTo,
): AnsweredClaim | undefined {
  const claim = claimOf(key, { resourceId: operationId, href: pathOf(operationId) })
  if (key === undefined || claim === undefined) return undefined
  return {
    ...claim,
    answerOf(operation) {
      const answer = answerAtOnce(operation, to)
      return answer === undefined ? undefined : key.firstAnswer(answer)
    },
  }
}

/** Returns undefined if the key was used before. Refusals: card_declined. */
export async function createdByEngine(
  show: ShowOperations,
  outcome: Outcome,
  to: AnsweredTo,
): Promise<Created | undefined> {
  if (outcome.kind === 'repeated') return undefined
  if (outcome.kind === 'settled' && outcome.answer !== undefined)
    return { answer: outcome.answer, isKept: true }
  return created(await movedAnswerOf(show, outcome.operation, to))
}

/**
 * The answer to a repeated request. Refusals: card_declined.
 * @param mayMove if false, the function returns undefined while the operation is PENDING
 */
export async function rereadOperation(
  { database, show }: { readonly database: Database; readonly show: ShowOperations },
  { operationId, mayMove }: { readonly operationId: string; readonly mayMove: boolean },
  to: AnsweredTo,
): Promise<string | undefined> {
  const operation = await findOperation(database, to.wallet.id, operationId)
  if (operation === undefined) return deny('not_found', `operation ${operationId} does not exist`)
  if (operation.status === 'PENDING' && !mayMove) return undefined
  return movedAnswerOf(show, operation, to)
}

async function movedAnswerOf(show: ShowOperations, operation: Operation, to: AnsweredTo): Promise<string> {
  const answer = answerAtOnce(operation, to)
  if (answer !== undefined) return unwrap(answer)
  const [shown] = await show([operation], to.wallet)
  return JSON.stringify({ ...shown, ...to.fieldsOf?.(operation) })
}

function answerAtOnce(
  operation: Operation,
  { wallet, declined, fieldsOf }: AnsweredTo,
): Result<string> | undefined {
  const { status, error, id, splitAt } = operation
  if (status === 'FAIL') return refuseFailed(error, declined, id)
  return splitAt === undefined
    ? ok(JSON.stringify({ ...operationOnWire(operation, wallet), ...fieldsOf?.(operation) }))
    : undefined
}
