// Pure decisions about a merchant's limits.
import { type Cents, decimalText } from '../../kernel/money.ts'
import { ok, type Result, refuse } from '../../kernel/result.ts'
import type { Wallet } from '../../wallets/index.ts'

export type PaymentLimits = Pick<Wallet, 'id' | 'paymentLimit' | 'dayLimit'>

/** Refuses with limit_reached, naming `field`. */
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
