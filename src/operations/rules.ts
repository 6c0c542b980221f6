// Pure decisions about operations: what may be refunded, what it costs and books, who may divide it and how.

import { addLisbonMonths } from '../kernel/lisbon.ts'
import { type Cents, cents } from '../kernel/money.ts'
import { ok, type RefusalKind, type Result, refuse } from '../kernel/result.ts'
import type { Instant } from '../kernel/time.ts'
import type { Caller } from '../kernel/values/permissions.ts'
import { type AccountName, type Posting, paidPostings } from '../ledger/index.ts'
import type { FeeRate } from '../methods/facts.ts'
import {
  type FeeMethod,
  type FeeSchedule,
  factsOf,
  instantPrices,
  type Method,
  methods,
} from '../methods/list.ts'
import { type AskedShare, resolveSplit } from '../splits/index.ts'
import type { Wallet } from '../wallets/index.ts'
import type { Operation, OperationType } from './model.ts'

const refundableMethods: ReadonlySet<Method> = new Set(methods.filter((method) => factsOf(method).refundable))
const refundableTypes: ReadonlySet<OperationType> = new Set(['PAYMENT', 'CAPTURE'])

/** Whether something of the operation can still be given back. */
export function isRefundable(
  operation: Pick<Operation, 'status' | 'type' | 'method' | 'amount' | 'refunded' | 'cameBack'>,
): boolean {
  return (
    operation.status === 'COMPLETED' &&
    refundableTypes.has(operation.type) &&
    operation.method !== undefined &&
    refundableMethods.has(operation.method) &&
    leftToRefund(operation) > 0n
  )
}

/**
 * How much a merchant may still refund, in cents; not above zero: nothing. What came back of a refund is not refunded
 * again: the account or card takes no money (decision 0011).
 */
export function leftToRefund({
  amount,
  refunded,
  cameBack,
}: Pick<Operation, 'amount' | 'refunded' | 'cameBack'>): bigint {
  return amount - refunded - cameBack
}

/** Which price applies; instant payments may have one of their own (SPEC.md MB rule 2). */
export function priceOf(method: Method, instant: boolean | undefined): FeeMethod {
  return instant === true ? instantPrices[method] : method
}

/** The fee of an operation once it completes, in cents, positive. Holds and refunds are free. */
export function feeOf(operation: Pick<Operation, 'type' | 'amount'>, rate: FeeRate): bigint {
  return feeRules[operation.type] === 'charged' ? feeFor(operation.amount, rate) : 0n
}

const partsPerMillion = 1_000_000n

/**
 * The fee on `amount`: rate plus fixed part, rounded half up to the cent, never above the amount.
 * Returned positive; an operation shows it negative (CONTRACT section 6).
 */
export function feeFor(amount: Cents, rate: FeeRate): Cents {
  const exact = amount * BigInt(rate.ratePpm) + BigInt(rate.fixedCents) * partsPerMillion
  const rounded = roundHalfUp(exact, partsPerMillion)
  return (rounded > amount ? amount : rounded) as Cents
}

/** `numerator / denominator` (both positive) to the nearest whole, halves upwards. */
function roundHalfUp(numerator: bigint, denominator: bigint): bigint {
  return (2n * numerator + denominator) / (2n * denominator)
}

/**
 * The fee to show, in cents, zero or negative: what was charged; of a payment that is awaited by MB or MBWAY, what the
 * schedule will charge (CONTRACT section 6).
 */
export function feeToShow(
  operation: Pick<Operation, 'type' | 'status' | 'method' | 'instant' | 'amount' | 'fee'>,
  schedule: FeeSchedule,
): Cents {
  const { status, method, fee } = operation
  if (status !== 'PENDING' || method === undefined || !factsOf(method).paidLater) return fee
  return cents(-feeOf(operation, schedule[priceOf(method, operation.instant)]))
}

/**
 * Whether its merchant asks for it and is answered at once, so that it sends no callback unless the wallet
 * wants one (CONTRACT section 16). What the resolver ends later causes an event in any case.
 */
export function answersItself(type: OperationType): boolean {
  return type === 'REFUND'
}

/** Captures of one authorization (SPEC.md "Limits"); those that failed do not count. */
export const capturesPerAuthorizationMax = 10

/** The end of an authorization's month, which its captures and releases show (SPEC.md "Authorization rules" 4). */
export function monthEndOf({ createdAt }: Pick<Operation, 'createdAt'>): Instant {
  return addLisbonMonths(createdAt, 1)
}

/** Until when an accepted authorization can be captured: its month, or less where its provider holds the money for less. */
export function holdEndOf(
  authorization: Pick<Operation, 'createdAt'>,
  { heldUntil }: { readonly heldUntil?: Instant | undefined },
): Instant {
  const monthEnd = monthEndOf(authorization)
  return heldUntil !== undefined && heldUntil < monthEnd ? heldUntil : monthEnd
}

/** The `error` of a capture or release whose hold had ended at its provider. */
export const holdEnded = 'hold_ended'
export const whyHoldEnded = 'the hold has ended at its provider, and what remained was released'
/** The `error` of what never reached its rail. */
export const notReached = 'rail_unavailable'

/** Failures that no issuer decided: what the request for the operation is answered. */
const failures: Readonly<Record<string, readonly [RefusalKind, string]>> = {
  amount_too_small: [
    'card_declined',
    'the provider takes no payment of so small an amount: amount_too_small',
  ],
  amount_too_large: [
    'card_declined',
    'the provider takes no payment of so large an amount: amount_too_large',
  ],
  [holdEnded]: ['illegal_state', whyHoldEnded],
  [notReached]: [
    'rail_unavailable',
    'the payment network could not be reached: the same may be tried again, with a new request_id',
  ],
}

/**
 * Refuses the request for an operation that failed.
 *
 * @param declined who said no where its rail did, such as `the issuer declined`
 */
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

/** A payment or authorization is between 0.01 and 99 999.99 EUR (CONTRACT section 2). */
const amountMin: Cents = cents(1)
const amountMax: Cents = cents(9_999_999)

/** Whether the operator bounds what the wallet takes; of others nothing is asked. */
export function isLimited({ paymentLimit, dayLimit }: Pick<Wallet, 'paymentLimit' | 'dayLimit'>): boolean {
  return paymentLimit !== null || dayLimit !== null
}

/** Refuses amounts outside the range, naming `field`. */
export function amountWithinRange(amount: Cents, field: string): Result<Cents> {
  if (amount < amountMin) return refuse('below_minimum_amount', `${field} must be at least 0.01`)
  if (amount > amountMax) return refuse('above_maximum_amount', `${field} must be at most 99999.99`)
  return ok(amount)
}

/** Between which two accounts an operation moves money. */
interface Accounts {
  readonly rail: AccountName
  readonly own: AccountName
}

/** What each type books when it completes. A card hold is the issuer's money, so it books nothing. */
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

/** The amount is negative, and leaves the wallet whole; what a bank sent back is positive. */
function outgo({ amount }: Operation, accounts: () => Accounts): Posting[] {
  const { rail, own } = accounts()
  return amount < 0n
    ? paidPostings(own, rail, cents(-amount), cents(0))
    : paidPostings(rail, own, amount, cents(0))
}

function unbooked(operation: Operation): never {
  throw new Error(`nothing settles a ${operation.type} yet`)
}

/** Looks up a wallet by the public id that a descriptor names. */
export type FindWallet = (publicId: string) => Promise<Wallet | undefined>

export interface SplitOfPayment {
  /** Anything that was sent in the field `split`. */
  readonly value: unknown
  /** Its name in the request, such as `payment.split`. */
  readonly field: string
  readonly amount: Cents
  readonly wallet: Wallet
  readonly caller: Pick<Caller, 'permissions' | 'rights'>
  /** The prices at which it may be paid: none of them may make a share negative. */
  readonly prices: readonly FeeMethod[]
}

/**
 * Reads the split of a payment or authorization; undefined where none was sent.
 *
 * Refusals: access_denied without the right or the permission; invalid_split naming the descriptor and the rule.
 */
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

/** Lists of PHP are empty where nobody is named. */
function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0
}

/** Refusals: access_denied for who may not say how money is divided. */
export function maySplit(
  { permissions, rights }: Pick<Caller, 'permissions' | 'rights'>,
  field: string,
): Result<undefined> {
  return permissions.has('split') && rights.has('marketplace')
    ? ok(undefined)
    : refuse('access_denied', `${field} needs the right marketplace and a key with split`)
}

/** What is left of `amount` at the dearest price, in cents. */
function leastNetOf(amount: Cents, { feeSchedule }: Wallet, prices: readonly FeeMethod[]): Cents {
  let least: bigint = amount
  for (const price of prices) {
    const net = amount - feeFor(amount, feeSchedule[price])
    if (net < least) least = net
  }
  return cents(least)
}
