// The engine for customers' attempts.

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
import {
  type CustomerAttempt,
  inquiriesBeforeGivingUp,
  nextInquiry,
  nextInquiryOfCustomer,
  nextLook,
} from '../model.ts'
import { markGivenUp } from '../store.ts'
import type { AttemptAnswer, AttemptPurpose, Begin, CustomerHandler } from './handler.ts'
import { addDetails, finishAttempt, insertAttempt, postponeLook, recordAsked, renewCall } from './store.ts'

export interface CustomerEngine<Details = unknown> {
  /** Writes an attempt. Undefined, with nothing written, if it is too late or its page posted before. */
  begin(
    attempt: CustomerAttempt<Details>,
    begin: Begin<Details>,
  ): Promise<CustomerAttempt<Details> | undefined>
  /** Calls the rail for an attempt that was written as ASKED at `since`. */
  send(attempt: CustomerAttempt<Details>, since: Instant): Promise<void>
  /** Asks for the money of an OPEN attempt. Abandons it if it was replaced or its operation is over. */
  ask(attempt: CustomerAttempt<Details>): Promise<void>
  /** Ends an OPEN attempt; does nothing in any other state. */
  fail(attempt: CustomerAttempt<Details>, reason: string): Promise<void>
  /** Takes the next step. Safe at any time and in parallel: it asks the rail, and settles once. */
  advance(attempt: CustomerAttempt<Details>, operation?: Operation): Promise<void>
  /** Cancels before the customer answers. An earlier approval counts, and a late arrival is inquired about. */
  withdraw(attempt: CustomerAttempt<Details>): Promise<void>
  conclude(attempt: CustomerAttempt<Details>, answer: AttemptAnswer): Promise<void>
  /** The resolver notifies the purpose again after a crash. */
  subjectOf(attempt: CustomerAttempt<Details>): AttemptPurpose<Details>
}

export type FollowedAttempts = Pick<CustomerEngine, 'advance' | 'conclude' | 'subjectOf'>
export type AttemptsOf = (method: Method) => FollowedAttempts | undefined

export interface CustomerEngineDeps {
  readonly database: Database
  readonly clock: Clock
  readonly wallets: { get(walletId: bigint): Promise<Wallet> }
}

class PostedBefore extends Error {}
class BegunBefore extends Error {}

export function createCustomerEngine<Details>(
  { database, clock, wallets }: CustomerEngineDeps,
  handler: CustomerHandler<Details>,
): CustomerEngine<Details> {
  type Mine = CustomerAttempt<Details>
  const { method, subjects, whenNotReceived, notReceived } = handler

  function subjectOf({ owner, key }: Mine): AttemptPurpose<Details> {
    const subject = subjects[owner]
    if (subject === undefined) throw new Error(`attempt ${key} by ${method}: no purpose for owner ${owner}`)
    return subject
  }

  async function begin(
    attempt: Mine,
    { dueAt, open, complete, also }: Begin<Details>,
  ): Promise<Mine | undefined> {
    const subject = subjectOf(attempt)
    const wallet = await wallets.get(attempt.walletId)
    return unless(PostedBefore, () =>
      database.transaction(async (tx) => {
        const isOurs =
          open !== undefined
            ? await open(tx)
            : (await subject.choose(tx, attempt)) &&
              (attempt.state === 'OPEN' || (await subject.begin(tx, attempt, wallet)))
        if (!isOurs) return undefined
        const whole = (await complete?.(tx)) ?? attempt
        if (!(await insertAttempt(tx, whole, dueAt))) throw new PostedBefore()
        await also?.(tx, whole)
        return whole
      }),
    )
  }

  /** The approval begins first, so that no other method can be chosen while money moves. */
  async function take(attempt: Mine): Promise<void> {
    const wallet = await wallets.get(attempt.walletId)
    const now = clock.now()
    let isOurs = true
    const begin = () =>
      database.transaction(async (tx) => {
        // Locks the operation before the attempt, in the order of a new attempt, to avoid deadlocks.
        isOurs = await subjectOf(attempt).begin(tx, attempt, wallet)
        if (!isOurs) return false
        if (!(await recordAsked(tx, attempt, now, firstInquiry(now)))) throw new BegunBefore()
        return true
      })
    let begun: boolean | undefined
    try {
      begun = await unless(BegunBefore, begin)
    } catch (error) {
      if (error instanceof RefusalError && error.refusal.kind === 'limit_reached')
        return fail(attempt, error.refusal.kind)
      throw error
    }
    if (begun) return send({ ...attempt, state: 'ASKED', tries: 0 }, now)
    // If another process asks, the attempt is ASKED and this changes nothing.
    if (!isOurs) await end(attempt, 'ABANDONED')
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
    if (next.kind === 'ask') return take(attempt)
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

  function isOver({ expiresAt }: Mine): boolean {
    return expiresAt !== undefined && clock.now() >= expiresAt
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

  /** Settles the purpose first, so that a crash in between repeats both. */
  async function conclude(attempt: Mine, answer: AttemptAnswer): Promise<void> {
    crashPoint('rail answered, nothing written')
    switch (answer.kind) {
      case 'approved':
        return approve(attempt, answer)
      case 'declined':
        return decline(attempt, answer.reason, 'decided', answer.reference)
      case 'returned':
        return takeBack(attempt, answer.reason)
      case 'cancelled':
        // The rail may lose the cancellation: the resolver asks later, and reverses a late approval.
        return decline(attempt, answer.reason, 'may arrive')
      case 'waiting':
        if (answer.details !== undefined)
          await addDetails(database, attempt, answer.details as Partial<Details>)
        return later(attempt, answer)
      case 'unknown':
      case 'not_found':
        return later(attempt, answer)
    }
  }

  async function approve(
    attempt: Mine,
    { reference, heldUntil }: Omit<Extract<AttemptAnswer, { kind: 'approved' }>, 'kind'> = {},
  ): Promise<void> {
    if (attempt.state === 'APPROVED') return later(attempt, { kind: 'approved' })
    const outcome = await subjectOf(attempt).approved(attempt, heldUntil)
    if (outcome === 'unknown') return later(attempt, { kind: outcome })
    if (outcome !== 'paid') return
    crashPoint('settled, its attempt still open')
    const now = clock.now()
    const dueAt = handler.nextInquiry?.({ ...attempt, state: 'APPROVED', endedAt: now }, now)
    await finishAttempt(database, attempt, { state: 'APPROVED', reference, dueAt }, now)
  }

  async function takeBack(attempt: Mine, reason: string): Promise<void> {
    if (attempt.state === 'APPROVED') return handler.returned?.(attempt, reason)
    if (await subjectOf(attempt).declined(attempt, reason)) {
      crashPoint('payment failed, its attempt still open')
      return end(attempt, 'DECLINED', reason)
    }
    await approve(attempt)
    await handler.returned?.({ ...attempt, state: 'APPROVED' }, reason)
  }

  async function decline(
    attempt: Mine,
    reason: string,
    kind: 'decided' | 'may arrive',
    reference?: string,
  ): Promise<void> {
    if (kind === 'may arrive') {
      const now = clock.now()
      // Written before the operation fails: a crash in between repeats both.
      await markGivenUp(database, attempt, now, nextLook(now, now, 0) ?? now, reason)
      crashPoint('attempt given up, its operation not failed')
    }
    // Another process recorded an approval first: the rail confirms it at the next inquiry.
    if (!(await subjectOf(attempt).declined(attempt, reason))) return later(attempt, { kind: 'unknown' })
    crashPoint('payment failed, its attempt still open')
    if (kind === 'decided') await end(attempt, 'DECLINED', reason, reference)
  }

  async function fail(attempt: Mine, reason: string): Promise<void> {
    await subjectOf(attempt).failed?.(attempt, reason)
    crashPoint('payment failed, its attempt still open')
    await end(attempt, 'DECLINED', reason)
  }

  async function end(
    attempt: Mine,
    state: 'DECLINED' | 'ABANDONED',
    failure?: string,
    reference?: string,
  ): Promise<void> {
    await finishAttempt(database, attempt, { state, failure, reference }, clock.now())
  }

  function later(attempt: Mine, answer: AttemptAnswer): Promise<void> {
    const { tries, expiresAt } = attempt
    const now = clock.now()
    if (handler.nextInquiry !== undefined && (answer.kind === 'waiting' || answer.kind === 'approved'))
      return postponeLook(database, attempt, handler.nextInquiry(attempt, now))
    const next = answer.kind === 'waiting' ? nextInquiryOfCustomer(now, tries) : nextInquiry(now, tries)
    const isInTime = expiresAt === undefined || isOver(attempt) || next < expiresAt
    return postponeLook(database, attempt, isInTime ? next : expiresAt)
  }

  return {
    begin,
    send,
    ask: take,
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
    subjectOf,
  }
}

async function unless<Result>(signal: new () => Error, work: () => Promise<Result>) {
  try {
    return await work()
  } catch (error) {
    if (error instanceof signal) return undefined
    throw error
  }
}
