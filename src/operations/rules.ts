// Pure decisions about operations: refunds, fees, postings, splits.
import { addLisbonMonths } from '../kernel/lisbon.ts'
import { type Cents, cents, decimalText } from '../kernel/money.ts'
import { ok, type RefusalKind, type Result, refuse } from '../kernel/result.ts'
import type { Instant } from '../kernel/time.ts'
import type { Caller } from '../kernel/values/permissions.ts'
import { type AccountName, type Posting, paidPostings } from '../ledger/index.ts'
import type { FeeRate } from '../methods/facts.ts'
import {
  accountRefundMethods,
  type FeeMethod,
  type FeeSchedule,
  factsOf,
  instantPrices,
  type Method,
  methods,
  refundRailOf,
} from '../methods/list.ts'
import { type AskedShare, resolveSplit } from '../splits/index.ts'
import type { Wallet } from '../wallets/index.ts'
import type { Operation, OperationType } from './model.ts'

const refundableMethods: ReadonlySet<Method> = new Set(methods.filter((method) => factsOf(method).refundable))
const refundableTypes: ReadonlySet<OperationType> = new Set(['PAYMENT', 'CAPTURE'])

type RefundSettings = Pick<Wallet, 'mbRefunds'>

export function isRefundable(
  operation: Pick<Operation, 'status' | 'type' | 'method' | 'amount' | 'refunded' | 'cameBack'>,
  wallet: RefundSettings,
): boolean {
  return (
    operation.status === 'COMPLETED' &&
    refundableTypes.has(operation.type) &&
    operation.method !== undefined &&
    (refundableMethods.has(operation.method) ||
      (wallet.mbRefunds && isRefundedToAccount(operation.method))) &&
    leftToRefund(operation) > 0n
  )
}

const toAccount: ReadonlySet<Method> = new Set(accountRefundMethods)

/** Whether refunds go to an account that somebody names. */
function isRefundedToAccount(method: Method): boolean {
  return toAccount.has(method)
}

/** The rail on whose clearing account the operation is booked. A provider takes disputes from its own rail. */
export function railMethodOf({
  id,
  type,
  channel,
  method,
}: Pick<Operation, 'id' | 'type' | 'channel' | 'method'>): Method {
  if (method === undefined) throw new Error(`operation ${id} completed without a method`)
  return type === 'REFUND' && channel !== 'RAIL' ? refundRailOf(method) : method
}

/**
 * Without returned refunds, because the card or account takes no money. A refund to an account can be tried again with
 * another account. Can be below zero.
 */
function leftToRefund({
  method,
  amount,
  refunded,
  cameBack,
}: Pick<Operation, 'method' | 'amount' | 'refunded' | 'cameBack'>): bigint {
  const isLost = method === undefined || !isRefundedToAccount(method)
  return amount - refunded - (isLost ? cameBack : 0n)
}

/** Instant payments can have their own price (SPEC.md MB rule 2). */
export function priceOf(method: Method, instant: boolean | undefined): FeeMethod {
  return instant === true ? instantPrices[method] : method
}

/** The fee of a completed operation in cents, positive. Holds and refunds are free. */
export function feeOf(operation: Pick<Operation, 'type' | 'amount'>, rate: FeeRate): bigint {
  return feeRules[operation.type] === 'charged' ? feeFor(operation.amount, rate) : 0n
}

const partsPerMillion = 1_000_000n

/** Rounded half up to the cent, at most the amount, positive (CONTRACT section 6). */
export function feeFor(amount: Cents, rate: FeeRate): Cents {
  const exact = amount * BigInt(rate.ratePpm) + BigInt(rate.fixedCents) * partsPerMillion
  const rounded = roundHalfUp(exact, partsPerMillion)
  return (rounded > amount ? amount : rounded) as Cents
}

/** `numerator / denominator` (both positive), halves upwards. */
function roundHalfUp(numerator: bigint, denominator: bigint): bigint {
  return (2n * numerator + denominator) / (2n * denominator)
}

/** The fee charged, or expected of a pending MB or MBWAY payment (CONTRACT section 6): zero or negative. */
export function feeToShow(
  operation: Pick<Operation, 'type' | 'status' | 'method' | 'instant' | 'amount' | 'fee'>,
  schedule: FeeSchedule,
): Cents {
  const { status, method, fee } = operation
  if (status !== 'PENDING' || method === undefined || !factsOf(method).paidLater) return fee
  return cents(-feeOf(operation, schedule[priceOf(method, operation.instant)]))
}

/** True if the merchant's request gets the result, so no callback is sent (CONTRACT section 16). */
export function answersItself(type: OperationType): boolean {
  return type === 'REFUND'
}

/** SPEC.md "Limits"; failed captures do not count. */
export const capturesPerAuthorizationMax = 10

/** SPEC.md "Authorization rules" 4. */
export function monthEndOf({ createdAt }: Pick<Operation, 'createdAt'>): Instant {
  return addLisbonMonths(createdAt, 1)
}

/** Last moment to capture: the month's end, or the provider's if earlier. */
export function holdEndOf(
  authorization: Pick<Operation, 'createdAt'>,
  { heldUntil }: { readonly heldUntil?: Instant | undefined },
): Instant {
  const monthEnd = monthEndOf(authorization)
  return heldUntil !== undefined && heldUntil < monthEnd ? heldUntil : monthEnd
}

/** The `error` of a capture or release that came after the provider had ended the hold. */
export const holdEnded = 'hold_ended'
export const whyHoldEnded = 'the provider has ended the hold and released the rest'
/** The `error` of a request that never reached its rail. */
export const notReached = 'rail_unavailable'

const failures: Readonly<Record<string, readonly [RefusalKind, string]>> = {
  amount_too_small: ['card_declined', 'amount_too_small: the provider does not accept so small an amount'],
  amount_too_large: ['card_declined', 'amount_too_large: the provider does not accept so large an amount'],
  [holdEnded]: ['illegal_state', whyHoldEnded],
  [notReached]: [
    'rail_unavailable',
    'the payment network could not be reached: try again with a new request_id',
  ],
}

/** `declined` names the party that declined, such as `the issuer declined`. */
export function refuseFailed(
  error: string | undefined,
  declined: string,
  operationId: string,
): Result<never> {
  const [kind, reason] = failures[error ?? ''] ?? [
    'card_declined',
    `${declined}: ${error ?? 'no reason given'}`,
  ]
  return refuse(kind, reason, operationId)
}

const feeRules: Record<OperationType, 'charged' | 'free'> = {
  PAYMENT: 'charged',
  CAPTURE: 'charged',
  AUTH: 'free',
  RELEASE: 'free',
  REFUND: 'free',
  USERTRANSFER: 'free',
  WALLETFUNDS: 'free',
}

interface Accounts {
  readonly rail: AccountName
  readonly own: AccountName
}

/** Postings of each completed type. A card hold is the issuer's money, so it books nothing. */
export const settlePostings: Record<
  OperationType,
  (operation: Operation, accounts: () => Accounts) => Posting[]
> = {
  PAYMENT: income,
  CAPTURE: income,
  AUTH: () => [],
  RELEASE: () => [],
  REFUND: outgo,
  USERTRANSFER: unbooked,
  WALLETFUNDS: outgo,
}

function income({ amount, fee }: Operation, accounts: () => Accounts): Posting[] {
  const { rail, own } = accounts()
  return paidPostings(rail, own, amount, cents(-fee))
}

function outgo({ amount }: Operation, accounts: () => Accounts): Posting[] {
  const { rail, own } = accounts()
  return amount < 0n
    ? paidPostings(own, rail, cents(-amount), cents(0))
    : paidPostings(rail, own, amount, cents(0))
}

function unbooked(operation: Operation): never {
  throw new Error(`operations of type ${operation.type} have no postings`)
}

export type FindWallet = (publicId: string) => Promise<Wallet | undefined>

export interface SplitOfPayment {
  readonly value: unknown
  readonly field: string
  readonly amount: Cents
  readonly wallet: Wallet
  readonly caller: Pick<Caller, 'permissions' | 'rights'>
  /** The prices that the payment may get. No share may be negative under any of them. */
  readonly prices: readonly FeeMethod[]
}

/** The split of a request. Refusals: access_denied, or invalid_split naming the descriptor and the rule. */
export async function askedSplit(
  findWallet: FindWallet,
  { value, field, amount, wallet, caller, prices }: SplitOfPayment,
): Promise<Result<readonly AskedShare[] | undefined>> {
  if (value === undefined || value === null || isEmptyList(value)) return ok(undefined)
  const allowed = maySplit(caller, field)
  if (!allowed.ok) return allowed
  const leastNet = leastNetOf(amount, wallet, prices)
  return resolveSplit({ value, field, amount, leastNet, ownerId: wallet.id }, findWallet)
}

/** PHP clients send an empty list if there is no split. */
function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0
}

export function maySplit(
  { permissions, rights }: Pick<Caller, 'permissions' | 'rights'>,
  field: string,
): Result<undefined> {
  return permissions.has('split') && rights.has('marketplace')
    ? ok(undefined)
    : refuse('access_denied', `${field} needs the wallet right marketplace and the permission split`)
}

function leastNetOf(amount: Cents, { feeSchedule }: Wallet, prices: readonly FeeMethod[]): Cents {
  let least: bigint = amount
  for (const price of prices) {
    const net = amount - feeFor(amount, feeSchedule[price])
    if (net < least) least = net
  }
  return cents(least)
}

/** CONTRACT section 10. Refusals: not_refundable, below_minimum_amount, amount_exceeds_remaining. */
export function decideRefund(
  operation: Operation,
  asked: Cents | undefined,
  wallet: RefundSettings,
): Result<Cents> {
  if (asked !== undefined && asked < amountMin) {
    return refuse('below_minimum_amount', 'amount must be at least 0.01')
  }
  if (!isRefundable(operation, wallet)) return refuse('not_refundable', whyNot(operation))
  const left = cents(leftToRefund(operation))
  if (asked !== undefined && asked > left) {
    return refuse('amount_exceeds_remaining', `amount must be at most ${decimalText(left)}`)
  }
  return ok(asked ?? left)
}

function whyNot(operation: Operation): string {
  const { type, status, method } = operation
  if (type !== 'PAYMENT' && type !== 'CAPTURE')
    return `only a PAYMENT or CAPTURE is refundable; the operation is of type ${type}`
  if (status !== 'COMPLETED') return `the operation must be COMPLETED; it is ${status}`
  if (leftToRefund(operation) <= 0n) return 'nothing is left to refund'
  return `${method === undefined ? 'a payment without a method' : `payments by ${method}`} cannot be refunded`
}

/** Each share's part of a return in cents, rounded down; the last part completes the share. */
export function sharesOfReturn(
  { amount, refundSplit }: Pick<Operation, 'amount' | 'refundSplit'>,
  back: Cents,
  before = cents(0),
): Operation['refundSplit'] {
  if (refundSplit === undefined) return undefined
  const partOf = (share: Cents, whole: bigint) => (share * whole) / -amount
  const shareRefunds = refundSplit.shareRefunds
    .map((share) => ({
      ...share,
      amount: cents(partOf(share.amount, before + back) - partOf(share.amount, before)),
    }))
    .filter((share) => share.amount > 0n)
  return { ...refundSplit, shareRefunds }
}

export type PaymentLimits = Pick<Wallet, 'id' | 'paymentLimit' | 'dayLimit'>

export function withinPaymentLimit(
  { paymentLimit, dayLimit }: Pick<PaymentLimits, 'paymentLimit' | 'dayLimit'>,
  amount: Cents,
  field: string,
): Result<undefined> {
  if (paymentLimit !== null && amount > paymentLimit)
    return refuse(
      'limit_reached',
      `${field} must be at most ${decimalText(paymentLimit)}, the largest payment that the operator allows; it is ${decimalText(amount)}`,
    )
  return dayLimit !== null && amount > dayLimit ? overDay(dayLimit, 0n, amount, field) : ok(undefined)
}

export function overDay(dayLimit: Cents, taken: bigint, amount: Cents, field: string): Result<never> {
  const left = taken < dayLimit ? dayLimit - taken : 0n
  return refuse(
    'limit_reached',
    `${field} must be at most ${decimalText(left)}, which is left today of the ${decimalText(dayLimit)} a day that the operator allows; it is ${decimalText(amount)}`,
  )
}

const amountMin: Cents = cents(1)

const amountMax: Cents = cents(9_999_999)

export function amountWithinRange(amount: Cents, field: string): Result<Cents> {
  if (amount < amountMin) return refuse('below_minimum_amount', `${field} must be at least 0.01`)
  if (amount > amountMax) return refuse('above_maximum_amount', `${field} must be at most 99999.99`)
  return ok(amount)
}

/** Most wallets have no limit and skip the checks. */
export function isLimited({ paymentLimit, dayLimit }: Pick<Wallet, 'paymentLimit' | 'dayLimit'>): boolean {
  return paymentLimit !== null || dayLimit !== null
}
