// Ends a checkout without payment: voided, cancelled or expired.
import { ok, type Result, refuse } from '../kernel/result.ts'
import { after, second } from '../kernel/time.ts'
import { createWorker, type Worker } from '../storage/index.ts'
import type { CheckoutsDeps } from './deps.ts'
import type { Checkout } from './model.ts'
import { claimOverdueCheckouts, findCheckout, forgetSettledTimers } from './store.ts'

/** Voids the checkout if no method is chosen yet (SPEC.md "States and transitions"). Refusals: illegal_state. */
export async function voidCheckout(deps: CheckoutsDeps, checkout: Checkout): Promise<Result<Checkout>> {
  const voided = await voidUntouched(deps, checkout)
  return voided === undefined
    ? refuse('illegal_state', 'the customer has chosen a payment method, or the checkout has ended')
    : ok(voided)
}

async function voidUntouched(
  { settle, subscriptions }: CheckoutsDeps,
  checkout: Checkout,
): Promise<Checkout | undefined> {
  if (checkout.kind === 'subscription') {
    const subscription = await subscriptions.voidUntouched(checkout.subscription)
    return subscription && { ...checkout, subscription }
  }
  const guard = { kind: 'no_method_chosen' } as const
  const operation = await settle(checkout.operation, { status: 'VOIDED', guard, silent: true })
  if (operation === undefined) return undefined
  const { subscription } = checkout
  return { ...checkout, operation, subscription: subscription && { ...subscription, status: 'VOIDED' } }
}

export type CustomerEnd = 'cancelled' | 'expired'

/** Returns false if a rail is deciding or the checkout has ended. */
export async function failCheckout(
  { settle, subscriptions }: CheckoutsDeps,
  { operation, subscription }: Checkout,
  error: CustomerEnd,
): Promise<boolean> {
  const failed =
    operation === undefined
      ? await subscriptions.fail(subscription, error)
      : await settle(operation, { status: 'FAIL', guard: { kind: 'no_rail_deciding' }, error })
  return failed !== undefined
}

const pollMs = 1000
const concurrency = 32
/** Lease of a timer. It is also the pause before the next try while a network decides the payment. */
const leaseSeconds = 30
const settledTimersPerStatementMax = 1000

export function createExpiry(deps: CheckoutsDeps): Worker {
  const { database, clock, onError } = deps.core
  return createWorker<{ id: string; wallet_id: bigint }>({
    name: 'checkout expiry',
    database,
    pollMs,
    concurrency,
    async claim(limit) {
      const now = clock.now()
      while ((await forgetSettledTimers(database, now, settledTimersPerStatementMax)) > 0);
      return claimOverdueCheckouts(database, now, after(now, leaseSeconds * second), limit)
    },
    async work({ id, wallet_id: walletId }) {
      const checkout = await findCheckout(database, walletId, id)
      if (checkout !== undefined) await failCheckout(deps, checkout, 'expired')
    },
    onError,
  })
}
