// Pure decisions about operations: what may be refunded, what a settlement books and tells.
import { type FeeRate, feeFor } from '../kernel/money.ts'
import type { Method, Operation, OperationType } from './model.ts'

/** Methods whose payments can be given back (CONTRACT section 6): never bank references. */
const refundableMethods: ReadonlySet<Method> = new Set(['CC', 'MBWAY', 'PAYPAL', 'WALLET', 'SEPA'])
const refundableTypes: ReadonlySet<OperationType> = new Set(['PAYMENT', 'CAPTURE'])

/** Whether something of the operation can still be given back. */
export function isRefundable(operation: Operation): boolean {
  return (
    operation.status === 'COMPLETED' &&
    refundableTypes.has(operation.type) &&
    operation.method !== undefined &&
    refundableMethods.has(operation.method) &&
    operation.amount > operation.refunded
  )
}

/** The fee of an operation once it completes, in cents, positive. Holds and refunds are free. */
export function feeOf(operation: Pick<Operation, 'type' | 'amount'>, rate: FeeRate): bigint {
  return feeRules[operation.type] === 'charged' ? feeFor(operation.amount, rate) : 0n
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
