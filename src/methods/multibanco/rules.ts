// Rules of references: times of payment, and decisions about payments.

import { endOfLisbonDay, lisbonDayOf } from '../../kernel/lisbon.ts'
import { type Cents, decimalText } from '../../kernel/money.ts'
import { ok, type Result, refuse } from '../../kernel/result.ts'
import { after, day, hour, type Instant, instant, minute, second } from '../../kernel/time.ts'
import type { PaymentRefusal, ReferenceLimits, ReferencePayment } from '../../rails/index.ts'
import type { BankReference, PaidOperation, PayableWindow, ReferenceState } from './model.ts'

const validityDefaultMinutes = 1000
const expiryAheadDaysMin = 2
/** In this time the network may not know the limits of a reference (SPEC.md MB rule 3). */
const parameterizationHours = 24
/** A number is not used again for this time, because it may still be on paper (CONTRACT section 11). */
const numberReuseDays = 366

function endOfReferenceDay(moment: Instant): Instant {
  return endOfLisbonDay(lisbonDayOf(moment))
}

export function defaultExpiry(now: Instant): Instant {
  return endOfReferenceDay(after(now, validityDefaultMinutes * minute))
}

/**
 * The end of a reference. An instant one keeps the merchant's exact time, others last to the end of that day. Default: the
 * later of the page's end and the usual time. A new reference keeps the end of the one that it replaces.
 */
export function offeredExpiry(
  {
    instant: isInstant,
    expires,
  }: { readonly instant?: boolean | undefined; readonly expires?: Instant | undefined },
  pageEnds: Instant,
  now: Instant,
): Instant {
  if (expires !== undefined && isInstant === true) return expires
  const end = expires === undefined ? undefined : endOfReferenceDay(expires)
  if (end !== undefined && overAt(end) > now) return end
  return instant(Math.max(endOfReferenceDay(pageEnds), defaultExpiry(now)))
}

export interface AskedTimes {
  readonly instant: boolean
  readonly starts: Instant | undefined
  readonly expires: Instant | undefined
}

export function payableWindow(asked: AskedTimes, now: Instant): Result<PayableWindow> {
  return asked.instant ? instantWindow(asked, now) : timeLimitedWindow(asked, now)
}

function timeLimitedWindow({ starts, expires }: AskedTimes, now: Instant): Result<PayableWindow> {
  if (starts !== undefined) return refuse('invalid_parameter', 'starts requires instant: true')
  if (expires === undefined) return ok({ expires: defaultExpiry(now) })
  if (expires < after(now, expiryAheadDaysMin * day)) {
    return refuse(
      'invalid_parameter',
      `expires must be at least ${expiryAheadDaysMin} days ahead, or send instant: true`,
    )
  }
  return ok({ expires: endOfReferenceDay(expires) })
}

function instantWindow({ starts, expires }: AskedTimes, now: Instant): Result<PayableWindow> {
  if (expires === undefined) {
    return refuse('missing_parameter', 'expires is required with instant')
  }
  if (expires <= now) return refuse('invalid_parameter', 'expires must be in the future')
  if (starts !== undefined && starts <= now) {
    return refuse('invalid_parameter', 'starts must be in the future; omit it to start now')
  }
  if (starts !== undefined && starts >= expires) {
    return refuse('invalid_parameter', 'starts must be earlier than expires')
  }
  return ok(starts === undefined ? { expires } : { expires, starts })
}

/** The Lisbon day of `expires`, which must not be over. */
export function recurringExpiry(expires: Instant, now: Instant): Result<PayableWindow> {
  const end = endOfReferenceDay(expires)
  if (isAfter(now, end)) return refuse('invalid_parameter', 'expires must be in the future')
  return ok({ expires: end })
}

function isAfter(moment: Instant, last: Instant): boolean {
  return moment >= after(last, second)
}

export function overAt(expires: Instant): Instant {
  return after(expires, second)
}

export function numberFreeAt(over: Instant): Instant {
  return after(over, numberReuseDays * day)
}

/** When the network knows the limits of a reference: at once for an instant one, one day after creation for others. */
export function limitsFrom({ kind, createdAt }: Pick<BankReference, 'kind' | 'createdAt'>): Instant {
  return kind === 'instant' ? createdAt : after(createdAt, parameterizationHours * hour)
}

/** Pauses between inquiries, because notices can be lost. */
const inquiryHours = 6
const lateInquiryDays = 8

/** Own references are due at once, to be published. A provider's reference is due at its first inquiry. */
export function firstDueAt(reference: BankReference): Instant {
  const { number, createdAt } = reference
  return number === undefined ? nextInquiry(reference, createdAt) : createdAt
}

function nextInquiry({ expires }: Pick<BankReference, 'expires'>, at: Instant): Instant {
  const next = after(at, inquiryHours * hour)
  return expires === undefined ? next : instant(Math.min(next, overAt(expires)))
}

export function nextDueAt(reference: BankReference, state: ReferenceState, at: Instant): Instant | undefined {
  const { number, expires, deletedAt } = reference
  const end = expires === undefined ? undefined : overAt(expires)
  if (number !== undefined) return state === 'open' ? end : undefined
  if (state === 'open') return nextInquiry(reference, at)
  const over = deletedAt ?? end
  if (state === 'paid' || over === undefined) return undefined
  const last = after(over, lateInquiryDays * day)
  return at < last ? last : undefined
}

export interface AskedReference {
  readonly payableOnce: boolean
  readonly amountMin: Cents
  readonly amountMax: Cents
  readonly starts?: Instant | undefined
  readonly expires?: Instant | undefined
}

export function withinLimits(limits: ReferenceLimits, asked: AskedReference, now: Instant): Result<void> {
  const { amountMin, amountMax, starts, expires } = asked
  if (!asked.payableOnce && !limits.payableManyTimes) {
    return refuse(
      'access_denied',
      'this wallet’s provider supports references for one payment only: use mb/pay',
    )
  }
  if (amountMin !== amountMax && !limits.openAmount) {
    return refuse(
      'invalid_parameter',
      'min_amount must equal max_amount: this wallet’s provider supports fixed amounts only',
    )
  }
  if (limits.amountMax !== undefined && amountMax > limits.amountMax) {
    const field = asked.payableOnce ? 'amount' : 'max_amount'
    return refuse(
      'above_maximum_amount',
      `${field} must be at most ${decimalText(limits.amountMax)}: the limit of this wallet’s provider`,
    )
  }
  if (starts !== undefined && !limits.startsLater) {
    return refuse(
      'invalid_parameter',
      'starts must be left out: references of this wallet’s provider start at once',
    )
  }
  const latest = latestExpiry(limits, now)
  if (latest !== undefined && (expires === undefined || expires > latest)) {
    return refuse(
      'invalid_parameter',
      `expires must be at most ${limits.validityDaysMax} days ahead: the limit of this wallet’s provider`,
    )
  }
  return ok(undefined)
}

export function latestExpiry(
  { validityDaysMax }: Pick<ReferenceLimits, 'validityDaysMax'>,
  now: Instant,
): Instant | undefined {
  return validityDaysMax === undefined ? undefined : after(now, validityDaysMax * day)
}

export function stateOf(
  reference: BankReference,
  operation: PaidOperation | undefined,
  at: Instant,
): ReferenceState {
  const own = stateByOperation(reference, operation)
  if (own !== 'open') return own
  if (reference.deletedAt !== undefined) return 'deleted'
  return reference.expires !== undefined && isAfter(at, reference.expires) ? 'expired' : 'open'
}

function stateByOperation(reference: BankReference, operation: PaidOperation | undefined): ReferenceState {
  if (operation === undefined) return 'open'
  if (operation.attemptId !== reference.id) return 'deleted'
  if (operation.status === 'COMPLETED') return 'paid'
  if (operation.status === 'FAIL') return operation.error === 'expired' ? 'expired' : 'deleted'
  return operation.status === 'VOIDED' ? 'deleted' : 'open'
}

export type Judgement =
  | { readonly kind: 'accept' }
  | { readonly kind: 'repeated' }
  | {
      readonly kind: 'refuse'
      readonly reason: PaymentRefusal
      /** True on the first day, before the network knows the limits: the merchant gets a USERERROR event. */
      readonly isUserError: boolean
    }

/** Decides about a payment (CONTRACT section 11). The time of the payment counts, not that of the notice. */
export function judgePayment(
  reference: BankReference,
  operation: PaidOperation | undefined,
  payment: Pick<ReferencePayment, 'id' | 'amount' | 'paidAt'>,
): Judgement {
  if (operation?.railPaymentId === payment.id) return { kind: 'repeated' }
  const isUserError = reference.kind !== 'instant' && payment.paidAt < limitsFrom(reference)
  const state = stateOf(reference, operation, payment.paidAt)
  if (state === 'paid') return { kind: 'refuse', reason: 'duplicatepayment', isUserError }
  if (state !== 'open') return { kind: 'refuse', reason: state, isUserError: false }
  if (reference.starts !== undefined && payment.paidAt < reference.starts) {
    return { kind: 'refuse', reason: 'not_started', isUserError: false }
  }
  const { amountMin, amountMax } = reference
  if (payment.amount < amountMin || payment.amount > amountMax) {
    return { kind: 'refuse', reason: 'badamount', isUserError }
  }
  return { kind: 'accept' }
}
