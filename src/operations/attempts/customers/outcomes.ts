// Outcomes of customers' attempts: approved, declined, returned, or asked again later.
import { crashPoint } from '../../../kernel/crash-points.ts'
import type { Clock, Instant } from '../../../kernel/time.ts'
import type { Database } from '../../../storage/index.ts'
import { type CustomerAttempt, nextInquiry, nextInquiryOfCustomer, nextLateInquiry } from '../model.ts'
import { markGivenUp } from '../store.ts'
import type { AttemptAnswer, AttemptPurpose, CustomerHandler } from './handler.ts'
import { addDetails, finishAttempt, postponeInquiry } from './store.ts'

export function createOutcomes<Details>(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  handler: CustomerHandler<Details>,
) {
  type Mine = CustomerAttempt<Details>
  const purposeOf = (attempt: Mine) => purposeIn(handler, attempt)

  /** Settles the purpose before the attempt. After a crash in between, both steps are repeated. */
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
        // The rail may lose the cancellation. The resolver therefore asks later, and reverses a late
        // approval.
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
    const outcome = await purposeOf(attempt).approved(attempt, heldUntil)
    if (outcome === 'unknown') return later(attempt, { kind: outcome })
    if (outcome !== 'paid') return
    crashPoint('settled, its attempt still open')
    const now = clock.now()
    const dueAt = handler.nextInquiry?.({ ...attempt, state: 'APPROVED', endedAt: now }, now)
    await finishAttempt(database, attempt, { state: 'APPROVED', reference, dueAt }, now)
  }

  async function takeBack(attempt: Mine, reason: string): Promise<void> {
    if (attempt.state === 'APPROVED') return handler.returned?.(attempt, reason)
    if (await purposeOf(attempt).declined(attempt, reason)) {
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
      // Write this before the operation fails. After a crash in between, both steps are repeated.
      await markGivenUp(database, attempt, now, nextLateInquiry(now, now, 0) ?? now, reason)
      crashPoint('attempt given up, its operation not failed')
    }
    // Another process has recorded an approval. The next inquiry confirms it at the rail.
    if (!(await purposeOf(attempt).declined(attempt, reason))) return later(attempt, { kind: 'unknown' })
    crashPoint('payment failed, its attempt still open')
    if (kind === 'decided') await end(attempt, 'DECLINED', reason, reference)
  }

  async function fail(attempt: Mine, reason: string): Promise<void> {
    await purposeOf(attempt).failed?.(attempt, reason)
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

  function isOver({ expiresAt }: Mine): boolean {
    return expiresAt !== undefined && clock.now() >= expiresAt
  }

  function later(attempt: Mine, answer: AttemptAnswer): Promise<void> {
    return postponeInquiry(database, attempt, inquiryAfter(answer, attempt, handler, clock.now()))
  }

  return { purposeOf, conclude, decline, fail, end, later, isOver }
}

function purposeIn<Details>(
  { purposes, method }: CustomerHandler<Details>,
  { owner, key }: CustomerAttempt<Details>,
): AttemptPurpose<Details> {
  const purpose = purposes[owner]
  if (purpose === undefined) throw new Error(`attempt ${key} by ${method}: no purpose for owner ${owner}`)
  return purpose
}

/** When to ask again without a final answer: at the latest when the attempt expires. Undefined for never. */
function inquiryAfter<Details>(
  { kind }: AttemptAnswer,
  attempt: CustomerAttempt<Details>,
  handler: CustomerHandler<Details>,
  now: Instant,
): Instant | undefined {
  const { tries, expiresAt } = attempt
  if (handler.nextInquiry !== undefined && (kind === 'waiting' || kind === 'approved'))
    return handler.nextInquiry(attempt, now)
  const next = kind === 'waiting' ? nextInquiryOfCustomer(now, tries) : nextInquiry(now, tries)
  const isInTime = expiresAt === undefined || now >= expiresAt || next < expiresAt
  return isInTime ? next : expiresAt
}
