// Ending a checkout without money: voided by the merchant, cancelled by the customer, or out of time.
import { ok, type Result, refuse } from '../kernel/result.ts'
import type { CheckoutsDeps } from './deps.ts'
import type { Checkout } from './model.ts'

/**
 * Voids a checkout whose customer never chose a method (SPEC.md "States and transitions").
 * Refused with `illegal_state` once one was chosen, also when that happens at the same time.
 */
export async function voidCheckout({ settle }: CheckoutsDeps, checkout: Checkout): Promise<Result<Checkout>> {
  const operation = await settle(checkout.operation, {
    status: 'VOIDED',
    guard: { kind: 'untouched' },
    silent: true,
  })
  return operation === undefined
    ? refuse('illegal_state', 'the customer has chosen a payment method, or the checkout is over')
    : ok({ ...checkout, operation })
}

export type CustomerEnd = 'cancelled' | 'expired'

/** Fails the operation of a checkout nobody decides about; false when a rail is deciding, or it is over. */
export async function failCheckout(
  { settle }: CheckoutsDeps,
  { operation }: Checkout,
  error: CustomerEnd,
): Promise<boolean> {
  return (await settle(operation, { status: 'FAIL', guard: { kind: 'idle' }, error })) !== undefined
}
