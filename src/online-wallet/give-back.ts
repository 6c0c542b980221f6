// Giving a payment back to the online wallet it came from.
import type { Cents } from '../kernel/money.ts'
import type { Operation } from '../operations/index.ts'
import { callRail, type GivenBack } from '../rails/index.ts'
import { type OnlineWalletDeps, railTimeoutMs } from './deps.ts'
import { findPaidAttempt } from './store.ts'

/** Gives `amount` (cents, positive) of a payment back under `key`, once; what is unclear may be asked again. */
export async function giveBack(
  { database, rail }: OnlineWalletDeps,
  payment: Pick<Operation, 'id' | 'walletId' | 'currency'>,
  key: string,
  amount: Cents,
): Promise<GivenBack> {
  const attempt = await findPaidAttempt(database, payment.walletId, payment.id)
  if (attempt === undefined) return { kind: 'declined', reason: 'unknown_payment' }
  const { currency } = payment
  return callRail((signal) => rail.giveBack({ key, of: attempt.id, amount, currency }, signal), railTimeoutMs)
}

/** What became of it; what the wallet has not received is sent again, under the same key, until it has. */
export async function inquireGivenBack(
  deps: OnlineWalletDeps,
  payment: Pick<Operation, 'id' | 'walletId' | 'currency'>,
  key: string,
  amount: Cents,
): Promise<GivenBack> {
  const known = await callRail(() => deps.rail.inquireGivenBack(key), railTimeoutMs)
  return known.kind === 'not_found' ? giveBack(deps, payment, key, amount) : known
}
