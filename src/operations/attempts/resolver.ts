// The resolver: asks rails about unanswered attempts, reverses late approvals.

import { crashPoint } from '../../kernel/crash-points.ts'
import { derivedId } from '../../kernel/random.ts'
import { after, type Clock } from '../../kernel/time.ts'
import { tracing } from '../../kernel/tracing.ts'
import type { Core } from '../../module.ts'
import { type RailAnswer, startInTime } from '../../rails/index.ts'
import { createWorker, type Database, type Worker } from '../../storage/index.ts'
import type { Operation } from '../model.ts'
import { firstInquiry } from '../open/open.ts'
import { findOperation } from '../read/store.ts'
import { notReached } from '../rules.ts'
import type { AttemptsOf, FollowedAttempts } from './customers/engine.ts'
import {
  type Attempt,
  type ChargeHandler,
  type CustomerAttempt,
  chargeInquiriesMax,
  concurrency,
  inquiriesBeforeGivingUp,
  leaseMs,
  nextInquiry,
  nextLateInquiry,
  nextReversal,
  nextUnknownInquiry,
  pollMs,
  type RailHandler,
  type RailOf,
  type RailRequest,
} from './model.ts'
import {
  type ClaimedAttempt,
  claimDueAttempts,
  endAttempt,
  markGivenUp,
  postponeAttempt,
  recordLateApproval,
  renewAttempt,
  writeDueAttempts,
} from './store.ts'

export interface ResolverDeps extends Pick<Core, 'database' | 'clock' | 'onError'> {
  readonly railOf: RailOf
  readonly customers: AttemptsOf
  readonly charges: ChargeHandler
  readonly giveUp: GiveUp
  inquire(operation: Operation): Promise<RailAnswer>
  conclude(operation: Operation, answer: RailAnswer): Promise<unknown>
}

/** One row holds at most some hundred operations. */
const openedRowsMax = 100

export function createResolver(deps: ResolverDeps): Worker {
  const { database, clock } = deps
  return createWorker<ClaimedAttempt>({
    name: 'attempts',
    database,
    pollMs,
    concurrency,
    claim: async (limit) => {
      const now = clock.now()
      while ((await writeDueAttempts(database, now, openedRowsMax)) === openedRowsMax);
      return claimDueAttempts(database, now, after(now, leaseMs), limit)
    },
    work(claimed) {
      const next = () => (isOfCustomer(claimed) ? advance(deps, claimed) : work(deps, claimed))
      return tracing === undefined ? next() : tracing.within(claimed.operation?.traceparent, next)
    },
    onError: deps.onError,
  })
}

interface ClaimedCustomerAttempt extends ClaimedAttempt {
  readonly attempt: CustomerAttempt
}

function isOfCustomer(claimed: ClaimedAttempt): claimed is ClaimedCustomerAttempt {
  return claimed.attempt.owner !== undefined
}

async function work(deps: ResolverDeps, claimed: ClaimedAttempt): Promise<void> {
  const { attempt, operation } = claimed
  if (attempt.state === 'ASKED') return resolve(deps, claimed)
  const handler = deps.railOf(attempt)
  if (attempt.state !== 'GIVEN_UP') return reverse(deps, attempt, handler)
  if (operation !== undefined && isLeftOpen(operation, attempt)) {
    if (isCharge(operation)) await deps.charges.givenUp(operation)
    await deps.conclude(operation, notReceived)
  }
  await lookAgain(deps, claimed, handler)
}

/** Reports the outcome to the purpose again, because an earlier process may have died before it did. */
async function advance(deps: ResolverDeps, claimed: ClaimedCustomerAttempt): Promise<void> {
  const { attempt, operation } = claimed
  const engine = deps.customers(attempt.method)
  if (engine === undefined) throw new Error(`no engine for the ${attempt.method} attempt ${attempt.key}`)
  const handler = deps.railOf(attempt)
  if (attempt.state === 'GIVEN_UP') {
    await engine.purposeOf(attempt).declined(attempt, attempt.failure ?? '')
    return lookAgain(deps, claimed, handler, engine)
  }
  if (attempt.state !== 'TO_REVERSE') return engine.advance(attempt, operation)
  if ((await engine.purposeOf(attempt).approved(attempt)) === 'late') return reverse(deps, attempt, handler)
  await postponeAttempt(deps.database, attempt, nextReversal(deps.clock.now(), attempt.tries))
}

async function resolve(deps: ResolverDeps, { attempt, operation }: ClaimedAttempt): Promise<void> {
  const { database, clock } = deps
  if (operation === undefined) throw new Error(`attempt ${attempt.key} has no operation`)
  if (operation.settledAt !== undefined) {
    return endAttempt(
      database,
      attempt,
      operation.status === 'COMPLETED' ? 'APPROVED' : 'DECLINED',
      clock.now(),
    )
  }
  if (isCharge(operation)) return resolveCharge(deps, attempt, operation)
  const known = await deps.inquire(operation)
  const isLast = known.kind === 'not_found' && attempt.tries >= inquiriesBeforeGivingUp
  const answer = isLast ? await deps.giveUp(attempt) : known
  if (answer.kind === 'approved' || answer.kind === 'declined') {
    // If another process settled the attempt otherwise, the status of its operation counts.
    await deps.conclude(operation, answer)
    return
  }
  if (isLast && answer.kind === 'not_found') {
    await deps.conclude(operation, notReceived)
    return
  }
  await postponeAttempt(database, attempt, nextInquiry(clock.now(), attempt.tries))
}

async function resolveCharge(deps: ResolverDeps, attempt: Attempt, operation: Operation): Promise<void> {
  const { database, clock, charges } = deps
  const { walletId, key, tries } = attempt
  const later = () => postponeAttempt(database, attempt, nextInquiry(clock.now(), tries))
  const since = clock.now()
  let answer: RailAnswer = await charges.inquire(operation)
  let stopped: string | undefined
  if (answer.kind === 'not_found' && tries <= chargeInquiriesMax) {
    const beforeSend = startInTime(clock, since, (now) =>
      renewAttempt(database, { walletId, id: key }, firstInquiry(now), undefined),
    )
    const sent = await charges.send(operation, beforeSend)
    if (sent.kind === 'stopped') stopped = sent.reason
    else answer = sent.kind === 'not_found' ? { kind: 'unknown' } : sent
    // The charge must not be sent again, but an earlier request may still arrive.
    if (stopped !== undefined && tries < inquiriesBeforeGivingUp) return later()
  }
  if (answer.kind === 'not_found') {
    answer = await deps.giveUp(attempt)
    if (answer.kind === 'not_found') {
      await charges.givenUp(operation)
      answer = { kind: 'declined', reason: stopped ?? notReached }
    }
  }
  await deps.conclude(operation, answer)
  if (answer.kind !== 'approved' && answer.kind !== 'declined') await later()
  await releaseIfFailed(database, operation, charges)
}

/** This process reserved the amount, so it releases it if another process failed the operation. */
export async function releaseIfFailed(
  database: Database,
  { walletId, id }: Operation,
  charges: ChargeHandler,
): Promise<void> {
  const current = await findOperation(database, walletId, id)
  if (current?.status === 'FAIL') await charges.givenUp(current)
}

const notReceived: RailAnswer = { kind: 'declined', reason: notReached }

async function lookAgain(
  deps: ResolverDeps,
  { attempt, operation }: ClaimedAttempt,
  handler: RailHandler | undefined,
  customers?: FollowedAttempts,
): Promise<void> {
  const { database, clock } = deps
  crashPoint('given up and failed, rail not asked again')
  const answer = handler === undefined ? noHandler : await handler.inquire(attempt, operation)
  const { kind } = answer
  const now = clock.now()
  // Only a card was verified. No money moved, and the customer saw the attempt fail.
  if (kind === 'approved' && operation === undefined) return endAttempt(database, attempt, 'CLOSED', now)
  // Do not reverse the late approval if the operation has completed or is about to fail.
  if (kind === 'approved' && (await recordLateApproval(database, attempt, now))) return
  if (answer.kind === 'approved' && customers !== undefined)
    return customers.conclude(attempt as CustomerAttempt, answer)
  if (kind === 'declined') return endAttempt(database, attempt, 'CLOSED', now)
  if (kind === 'unknown')
    return postponeAttempt(database, { ...attempt, tries: attempt.tries - 1 }, nextUnknownInquiry(now))
  const due = attempt.givenUpAt && nextLateInquiry(attempt.givenUpAt, now, attempt.tries)
  return due === undefined
    ? endAttempt(database, attempt, 'CLOSED', now)
    : postponeAttempt(database, attempt, due)
}

/** True if a process gave up the attempt and died before it failed the operation. */
function isLeftOpen({ id, status }: Operation, { key }: Attempt): boolean {
  return id === key && status === 'PENDING'
}

/** Call it only for movements of the engine: a first payment has a `subscriptionId`, but is no charge. */
export function isCharge({ subscriptionId }: Operation): boolean {
  return subscriptionId !== undefined
}

const noHandler: RailAnswer = { kind: 'unknown' }

/** All tries use one key, so the rail reverses nothing twice. */
async function reverse(
  deps: ResolverDeps,
  attempt: Attempt,
  handler: RailHandler | undefined,
): Promise<void> {
  const { database, clock } = deps
  const { key, method, operationId, tries } = attempt
  const answer = await handler?.reverse?.(derivedId(key, 'reversal'), attempt)
  if (answer?.kind === 'approved') return endAttempt(database, attempt, 'REVERSED', clock.now())
  const problem =
    answer === undefined
      ? 'its method cannot reverse'
      : answer.kind === 'declined'
        ? `declined: ${answer.reason}`
        : undefined
  if (problem !== undefined)
    deps.onError(
      new Error(`${method} approved ${key}, but operation ${operationId} ended otherwise; ${problem}`),
    )
  await postponeAttempt(database, attempt, nextReversal(clock.now(), tries))
}

export interface WatchDeps {
  readonly database: Database
  readonly clock: Clock
}

export type Watch = (request: RailRequest) => Promise<void>

export function createWatch({ database, clock }: WatchDeps): Watch {
  return (request) => {
    const now = clock.now()
    return markGivenUp(database, request, now, nextLateInquiry(now, now, 0) ?? now)
  }
}

/** Asks a last time about a request that nobody may send again. After `not_found` its operation may fail. */
export type GiveUp = (request: RailRequest) => Promise<RailAnswer>

export function createGiveUp(deps: WatchDeps & { readonly railOf: RailOf }): GiveUp {
  const watch = createWatch(deps)
  return async (request) => {
    const handler = deps.railOf(request)
    // A method without `cancel` uses our own books, where no request arrives late.
    if (handler?.cancel === undefined) return { kind: 'not_found' }
    const answer = await handler.cancel(request)
    // Write the watch before the operation fails. After a crash in between, both steps are repeated.
    if (answer.kind === 'not_found') await watch(request)
    return answer
  }
}
