// The engine for customers' attempts: begins, sends and follows them.

import { crashPoint } from '../../../kernel/crash-points.ts'
import { RefusalError } from '../../../kernel/result.ts'
import type { Clock, Instant } from '../../../kernel/time.ts'
import type { Method } from '../../../methods/list.ts'
import { startInTime } from '../../../rails/index.ts'
import type { Database } from '../../../storage/index.ts'
import type { Wallet } from '../../../wallets/index.ts'
import type { Operation } from '../../model.ts'
import { firstInquiry } from '../../open/open.ts'
import { findOperation } from '../../read/store.ts'
import { type CustomerAttempt, inquiriesBeforeGivingUp } from '../model.ts'
import type { AttemptAnswer, AttemptPurpose, Begin, CustomerHandler } from './handler.ts'
import { createOutcomes } from './outcomes.ts'
import { insertAttempt, recordAsked, renewCall } from './store.ts'

export interface CustomerEngine<Details = unknown> {
  /** Writes an attempt. Returns undefined if it is too late or its page posted before; nothing is written. */
  begin(
    attempt: CustomerAttempt<Details>,
    begin: Begin<Details>,
  ): Promise<CustomerAttempt<Details> | undefined>
  /** Calls the rail for an attempt that became ASKED at `since`. */
  send(attempt: CustomerAttempt<Details>, since: Instant): Promise<void>
  /** Asks the rail for the money of an OPEN attempt, or abandons an attempt that can no longer count. */
  ask(attempt: CustomerAttempt<Details>): Promise<void>
  /** Ends an OPEN attempt; does nothing in any other state. */
  fail(attempt: CustomerAttempt<Details>, reason: string): Promise<void>
  /** Asks the rail and takes the next step. Parallel calls are safe: the attempt is settled once. */
  advance(attempt: CustomerAttempt<Details>, operation?: Operation): Promise<void>
  /** Cancels before the customer answers. Earlier approvals count, and inquiries find late ones. */
  withdraw(attempt: CustomerAttempt<Details>): Promise<void>
  conclude(attempt: CustomerAttempt<Details>, answer: AttemptAnswer): Promise<void>
  /** The resolver uses this to report an outcome again after a crash. */
  purposeOf(attempt: CustomerAttempt<Details>): AttemptPurpose<Details>
}

export type FollowedAttempts = Pick<CustomerEngine, 'advance' | 'conclude' | 'purposeOf'>
export type AttemptsOf = (method: Method) => FollowedAttempts | undefined

export interface CustomerEngineDeps {
  readonly database: Database
  readonly clock: Clock
  readonly wallets: { get(walletId: bigint): Promise<Wallet> }
}

class PostedBefore extends Error {}
class BegunBefore extends Error {}

export function createCustomerEngine<Details>(
  deps: CustomerEngineDeps,
  handler: CustomerHandler<Details>,
): CustomerEngine<Details> {
  type Mine = CustomerAttempt<Details>
  const { database, clock, wallets } = deps
  const { whenNotReceived, notReceived } = handler
  const outcomes = createOutcomes(deps, handler)
  const { purposeOf, conclude, decline, fail, end, later, isOver } = outcomes

  /** The approval begins before the call, so no other method can be chosen while money moves. */
  async function ask(attempt: Mine): Promise<void> {
    const wallet = await wallets.get(attempt.walletId)
    const now = clock.now()
    let begun: 'begun' | 'replaced' | 'asked before'
    try {
      begun = await beginApproval(database, purposeOf(attempt), attempt, wallet, now)
    } catch (error) {
      if (error instanceof RefusalError && error.refusal.kind === 'limit_reached')
        return fail(attempt, error.refusal.kind)
      throw error
    }
    if (begun === 'begun') return send({ ...attempt, state: 'ASKED', tries: 0 }, now)
    // If another process has asked already, the attempt is ASKED, and this changes nothing.
    if (begun === 'replaced') await end(attempt, 'ABANDONED')
  }

  async function send(attempt: Mine, since: Instant): Promise<void> {
    crashPoint('attempt opened, rail not asked')
    const inquiriesMax = whenNotReceived === 'give up' ? inquiriesBeforeGivingUp : undefined
    const beforeSend = startInTime(clock, since, (now) =>
      renewCall(database, attempt, now, firstInquiry(now), inquiriesMax),
    )
    await conclude(attempt, await handler.ask(attempt, beforeSend))
  }

  async function look(attempt: Mine, operation: Operation | undefined): Promise<void> {
    const isOver =
      operation !== undefined && (operation.status !== 'PENDING' || operation.attemptId !== attempt.key)
    if (isOver || handler.look === undefined) return end(attempt, 'ABANDONED')
    const next = await handler.look(attempt)
    if (next.kind === 'ask') return ask(attempt)
    if (next.kind === 'declined') return fail(attempt, next.reason)
    await later(attempt, { kind: 'waiting' })
  }

  async function inquire(attempt: Mine): Promise<void> {
    if (attempt.withdrawnAt !== undefined) return withdraw(attempt)
    const since = clock.now()
    const answer = await handler.inquire(attempt)
    if (answer.kind !== 'not_found') return conclude(attempt, answer)
    if (whenNotReceived === 'send again' && !isOver(attempt))
      return attempt.tries > 0 ? send(attempt, since) : later(attempt, answer)
    if (whenNotReceived === 'give up' && attempt.tries < inquiriesBeforeGivingUp)
      return later(attempt, answer)
    await giveUp(attempt)
  }

  async function withdraw(attempt: Mine): Promise<void> {
    if (attempt.state !== 'ASKED' || handler.cancel === undefined) return
    const answer = await handler.cancel(attempt)
    if (answer.kind !== 'not_found') return conclude(attempt, answer)
    if (attempt.withdrawnAt === undefined) return
    await (isOver(attempt) ? decline(attempt, notReceived, 'may arrive') : later(attempt, answer))
  }

  async function giveUp(attempt: Mine): Promise<void> {
    const answer = (await handler.cancel?.(attempt)) ?? { kind: 'not_found' }
    if (answer.kind === 'not_found' || answer.kind === 'cancelled')
      return decline(attempt, notReceived, 'may arrive')
    await conclude(attempt, answer)
  }

  return {
    begin: async (attempt, begin) => beginAttempt(deps, purposeOf(attempt), attempt, begin),
    send,
    ask,
    withdraw,
    fail,
    async advance(attempt, known) {
      const isFollowed = attempt.state === 'APPROVED' && handler.nextInquiry !== undefined
      if (attempt.state === 'ASKED' || isFollowed) return inquire(attempt)
      if (attempt.state === 'RETURNED') return handler.returned?.(attempt, attempt.failure ?? '')
      if (attempt.state !== 'OPEN') return
      const { walletId, operationId } = attempt
      await look(attempt, known ?? (await findOperation(database, walletId, operationId)))
    },
    conclude,
    purposeOf,
  }
}

async function beginAttempt<Details>(
  { database, wallets }: CustomerEngineDeps,
  purpose: AttemptPurpose<Details>,
  attempt: CustomerAttempt<Details>,
  { dueAt, insertTarget, prepare, afterInsert }: Begin<Details>,
): Promise<CustomerAttempt<Details> | undefined> {
  const wallet = await wallets.get(attempt.walletId)
  return unless(PostedBefore, () =>
    database.transaction(async (tx) => {
      const isOurs =
        insertTarget !== undefined
          ? await insertTarget(tx)
          : (await purpose.choose(tx, attempt)) &&
            (attempt.state === 'OPEN' || (await purpose.begin(tx, attempt, wallet)))
      if (!isOurs) return undefined
      const whole = (await prepare?.(tx)) ?? attempt
      if (!(await insertAttempt(tx, whole, dueAt))) throw new PostedBefore()
      await afterInsert?.(tx, whole)
      return whole
    }),
  )
}

async function beginApproval<Details>(
  database: Database,
  purpose: AttemptPurpose<Details>,
  attempt: CustomerAttempt<Details>,
  wallet: Wallet,
  now: Instant,
): Promise<'begun' | 'replaced' | 'asked before'> {
  const begun = await unless(BegunBefore, () =>
    database.transaction(async (tx) => {
      // Lock the operation before the attempt. Code that writes a new attempt uses the same order, so there
      // is no deadlock.
      if (!(await purpose.begin(tx, attempt, wallet))) return 'replaced'
      if (!(await recordAsked(tx, attempt, now, firstInquiry(now)))) throw new BegunBefore()
      return 'begun'
    }),
  )
  return begun ?? 'asked before'
}

async function unless<Result>(signal: new () => Error, work: () => Promise<Result>) {
  try {
    return await work()
  } catch (error) {
    if (error instanceof signal) return undefined
    throw error
  }
}
