// Pure decisions about operations: what may be refunded, what a settlement books and tells.
import { type Cents, cents, type FeeRate, feeFor } from '../kernel/money.ts'
import { ok, type Result, refuse } from '../kernel/result.ts'
import type { FeeMethod, FeeSchedule } from '../wallets/index.ts'
import type { Method, Operation, OperationType } from './model.ts'

/** Methods whose payments can be given back (CONTRACT section 6): never bank references. */
const refundableMethods: ReadonlySet<Method> = new Set(['CC', 'MBWAY', 'PAYPAL', 'WALLET', 'SEPA'])
const refundableTypes: ReadonlySet<OperationType> = new Set(['PAYMENT', 'CAPTURE'])

/** Whether something of the operation can still be given back. */
export function isRefundable(
  operation: Pick<Operation, 'status' | 'type' | 'method' | 'amount' | 'refunded'>,
): boolean {
  return (
    operation.status === 'COMPLETED' &&
    refundableTypes.has(operation.type) &&
    operation.method !== undefined &&
    refundableMethods.has(operation.method) &&
    operation.amount > operation.refunded
  )
}

/** Which price of the schedule applies; instant references have one of their own (SPEC.md MB rule 2). */
export function feeMethodOf({
  method,
  instant,
}: Pick<Operation, 'method' | 'instant'>): FeeMethod | undefined {
  return method === 'MB' && instant === true ? 'MB_INSTANT' : method
}

/** The fee of an operation once it completes, in cents, positive. Holds and refunds are free. */
export function feeOf(operation: Pick<Operation, 'type' | 'amount'>, rate: FeeRate): bigint {
  return feeRules[operation.type] === 'charged' ? feeFor(operation.amount, rate) : 0n
}

/** Methods that people pay by on their own time; merchants book the fee when they ask for the payment. */
const methodsPaidLater: ReadonlySet<Method> = new Set(['MB', 'MBWAY'])

/**
 * The fee to show, in cents, zero or negative: what was charged; of a payment that is awaited by MB or MBWAY, what the
 * schedule will charge (CONTRACT section 6).
 */
export function feeToShow(
  operation: Pick<Operation, 'type' | 'status' | 'method' | 'instant' | 'amount' | 'fee'>,
  schedule: FeeSchedule,
): Cents {
  const { status, method, fee } = operation
  const price = feeMethodOf(operation)
  if (status !== 'PENDING' || method === undefined || price === undefined || !methodsPaidLater.has(method))
    return fee
  return cents(-feeOf(operation, schedule[price]))
}

/**
 * Whether its merchant asks for it and is answered at once, so that it sends no callback unless the wallet
 * wants one (CONTRACT section 16). What the resolver ends later is told in any case.
 */
export function answersItself(type: OperationType): boolean {
  return type === 'REFUND'
}

/** Captures of one authorization (SPEC.md "Limits"); those that failed do not count. */
export const capturesPerAuthorizationMax = 10

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

/** Refuses amounts outside the range, naming `field`. */
export function amountWithinRange(amount: Cents, field: string): Result<Cents> {
  if (amount < amountMin) return refuse('below_minimum_amount', `${field} must be at least 0.01`)
  if (amount > amountMax) return refuse('above_maximum_amount', `${field} must be at most 99999.99`)
  return ok(amount)
}
