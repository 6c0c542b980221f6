// Pure decisions about references: until when they can be paid, and what becomes of a payment.

import { endOfLisbonDay, lisbonDayOf } from '../../kernel/lisbon.ts'
import { type Cents, decimalText } from '../../kernel/money.ts'
import { ok, type Result, refuse } from '../../kernel/result.ts'
import { after, day, hour, type Instant, instant, minute, second } from '../../kernel/time.ts'
import type { PaymentRefusal, ReferenceLimits, ReferencePayment } from '../../rails/index.ts'
import type { BankReference, PaidOperation, PayableWindow, ReferenceState } from './model.ts'

const validityDefaultMinutes = 1000
const expiryAheadDaysMin = 2
/** For so long the network may not know the limits of a reference (SPEC.md MB rule 3). */
const parameterizationHours = 24
/** A number that somebody may still have on paper is not given to another reference (CONTRACT section 11). */
const numberReuseDays = 366

/** The last second in which a reference without exact times can be paid. */
function endOfReferenceDay(moment: Instant): Instant {
  return endOfLisbonDay(lisbonDayOf(moment))
}

/** The end of a reference for which none was asked: 1000 minutes, and on to the end of that Lisbon day. */
export function defaultExpiry(now: Instant): Instant {
  return endOfReferenceDay(after(now, validityDefaultMinutes * minute))
}

/**
 * The end of a reference that is offered on a page which can be paid until `pageEnds`. An instant one keeps the
 * merchant's exact moment, others the end of its day; where the merchant named none, the page's end or the usual time,
 * whichever is later. A reference that was given up leaves its end on the operation, and the next one keeps it.
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

/** Times as the merchant sent them, already read. */
export interface AskedTimes {
  readonly instant: boolean
  readonly starts: Instant | undefined
  readonly expires: Instant | undefined
}

/**
 * When a reference for one payment is payable (SPEC.md MB rules 1 and 2).
 *
 * Refusals: missing_parameter for an instant reference without `expires`; invalid_parameter, naming the field.
 */
export function payableWindow(asked: AskedTimes, now: Instant): Result<PayableWindow> {
  return asked.instant ? instantWindow(asked, now) : timeLimitedWindow(asked, now)
}

function timeLimitedWindow({ starts, expires }: AskedTimes, now: Instant): Result<PayableWindow> {
  if (starts !== undefined) return refuse('invalid_parameter', 'starts needs instant: true as well')
  if (expires === undefined) return ok({ expires: defaultExpiry(now) })
  if (expires < after(now, expiryAheadDaysMin * day)) {
    return refuse(
      'invalid_parameter',
      `expires must be at least ${expiryAheadDaysMin} days ahead (or send instant: true)`,
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
    return refuse('invalid_parameter', 'starts must be in the future, or left out for now')
  }
  if (starts !== undefined && starts >= expires) {
    return refuse('invalid_parameter', 'starts must be earlier than expires')
  }
  return ok(starts === undefined ? { expires } : { expires, starts })
}

/** The end of a recurring reference: the Lisbon day of `expires`, which must not be over. */
export function recurringExpiry(expires: Instant, now: Instant): Result<PayableWindow> {
  const end = endOfReferenceDay(expires)
  if (isAfter(now, end)) return refuse('invalid_parameter', 'expires must not lie in the past')
  return ok({ expires: end })
}

/** Whether `moment` lies after the whole second that `last` names. */
function isAfter(moment: Instant, last: Instant): boolean {
  return moment >= after(last, second)
}

/** The first moment at which the reference cannot be paid any more. */
export function overAt(expires: Instant): Instant {
  return after(expires, second)
}

/** When the number of a reference may be given to another one. */
export function numberFreeAt(over: Instant): Instant {
  return after(over, numberReuseDays * day)
}

/** From when the network knows the limits: instant ones at once, others a day later. */
export function limitsFrom({ kind, createdAt }: Pick<BankReference, 'kind' | 'createdAt'>): Instant {
  return kind === 'instant' ? createdAt : after(createdAt, parameterizationHours * hour)
}

/** How often a provider is asked about open references: notices may be lost. */
const inquiryHours = 6
/** For so long after its end a payment may still become known: confirmations take days, and notices are lost. */
const lateInquiryDays = 8

/** When a new reference is due: ours at once to be published, a provider's to be asked about. */
export function firstDueAt(reference: BankReference): Instant {
  const { number, createdAt } = reference
  return number === undefined ? nextInquiry(reference, createdAt) : createdAt
}

function nextInquiry({ expires }: Pick<BankReference, 'expires'>, at: Instant): Instant {
  const next = after(at, inquiryHours * hour)
  return expires === undefined ? next : instant(Math.min(next, overAt(expires)))
}

/** When a reference in `state` that was worked `at` is due again; undefined: nothing is left to do. */
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

/** What is asked of a provider. */
export interface AskedReference {
  readonly payableOnce: boolean
  readonly amountMin: Cents
  readonly amountMax: Cents
  readonly starts?: Instant | undefined
  readonly expires?: Instant | undefined
}

/**
 * Whether a provider can make such a reference.
 *
 * Refusals: access_denied where it makes none of the kind; invalid_parameter and above_maximum_amount, naming the field.
 */
export function withinLimits(limits: ReferenceLimits, asked: AskedReference, now: Instant): Result<void> {
  const { amountMin, amountMax, starts, expires } = asked
  if (!asked.payableOnce && !limits.payableManyTimes) {
    return refuse(
      'access_denied',
      'the provider of this wallet makes references for one payment alone: mb/pay',
    )
  }
  if (amountMin !== amountMax && !limits.openAmount) {
    return refuse(
      'invalid_parameter',
      'min_amount must equal max_amount: the provider of this wallet makes references for one amount alone',
    )
  }
  if (limits.amountMax !== undefined && amountMax > limits.amountMax) {
    const field = asked.payableOnce ? 'amount' : 'max_amount'
    return refuse(
      'above_maximum_amount',
      `${field} must be at most ${decimalText(limits.amountMax)}: the provider of this wallet takes no more`,
    )
  }
  if (starts !== undefined && !limits.startsLater) {
    return refuse(
      'invalid_parameter',
      'starts must be left out: references of the provider of this wallet can be paid at once',
    )
  }
  const latest = latestExpiry(limits, now)
  if (latest !== undefined && (expires === undefined || expires > latest)) {
    return refuse(
      'invalid_parameter',
      `expires must be at most ${limits.validityDaysMax} days ahead: the provider of this wallet ends references then`,
    )
  }
  return ok(undefined)
}

/** The latest end that a reference of a provider may have; undefined: there is none. */
export function latestExpiry(
  { validityDaysMax }: Pick<ReferenceLimits, 'validityDaysMax'>,
  now: Instant,
): Instant | undefined {
  return validityDaysMax === undefined ? undefined : after(now, validityDaysMax * day)
}

/** The state of a reference at the moment `at`. */
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

/** The state as far as the operation decides it: once the customer chose another attempt, the reference is over. */
function stateByOperation(reference: BankReference, operation: PaidOperation | undefined): ReferenceState {
  if (operation === undefined) return 'open'
  if (operation.attemptId !== reference.id) return 'deleted'
  if (operation.status === 'COMPLETED') return 'paid'
  if (operation.status === 'FAIL') return operation.error === 'expired' ? 'expired' : 'deleted'
  return operation.status === 'VOIDED' ? 'deleted' : 'open'
}

export type Judgement =
  | { readonly kind: 'accept' }
  /** The payment that was accepted before; its notice came again. */
  | { readonly kind: 'repeated' }
  | {
      readonly kind: 'refuse'
      readonly reason: PaymentRefusal
      /** Whether the merchant gets a USERERROR event: in the first day, when the network does not know the limits yet. */
      readonly isUserError: boolean
    }

/** What becomes of a payment (CONTRACT section 11). What counts is when the payer paid, not when the notice came. */
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
