// Giving a payment back to the online wallet it came from.
import type { Cents } from '../kernel/money.ts'
import type { Operation } from '../operations/index.ts'
import { callRail, type GivenBack } from '../rails/index.ts'
import { type OnlineWalletDeps, railTimeoutMs } from './deps.ts'
import { findPaidAttempt } from './store.ts'

/**
 * Gives `amount` (cents, positive) of a payment back under `key`, once. Every unclear answer may be asked about
 * with {@link inquireGivenBack}.
 */
export async function giveBack(
  { database, rail }: OnlineWalletDeps,
  payment: Operation,
  key: string,
  amount: Cents,
): Promise<GivenBack> {
  const attempt = await findPaidAttempt(database, payment.walletId, payment.id)
  if (attempt === undefined) return { kind: 'declined', reason: 'unknown_payment' }
  const { currency } = payment
  return callRail(rail.giveBack({ key, of: attempt.id, amount, currency }), railTimeoutMs)
}

export function inquireGivenBack(
  { rail }: OnlineWalletDeps,
  key: string,
): Promise<GivenBack | { readonly kind: 'not_found' }> {
  return callRail(rail.inquireGivenBack(key), railTimeoutMs)
}
