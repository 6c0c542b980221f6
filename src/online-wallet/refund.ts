// Giving a payment back to the online wallet it came from.
import { type Cents, cents } from '../kernel/money.ts'
import type { Operation, RailHandler } from '../operations/index.ts'
import { callRail, type RefundAnswer } from '../rails/index.ts'
import { type OnlineWalletDeps, railTimeoutMs } from './deps.ts'
import { findPaidAttempt } from './store.ts'

type RefundDeps = Pick<OnlineWalletDeps, 'database' | 'rail'>

/** Refunds of the online wallet's payments; a refund's own amount is negative. */
export function onlineWalletHandler(deps: RefundDeps): RailHandler {
  return {
    refund: ({ id, amount }, payment) => requestRefund(deps, payment, id, cents(-amount)),
    async inquire({ key, walletId }, operation) {
      if (operation?.parentId === undefined) return { kind: 'unclear' }
      const { amount, currency, parentId: id } = operation
      return inquireRefund(deps, { id, walletId, currency }, key, cents(-amount))
    },
  }
}

/** Gives `amount` (cents, positive) of a payment back under `key`, once; what is unclear may be asked again. */
async function requestRefund(
  { database, rail }: RefundDeps,
  payment: Pick<Operation, 'id' | 'walletId' | 'currency'>,
  key: string,
  amount: Cents,
): Promise<RefundAnswer> {
  const attempt = await findPaidAttempt(database, payment.walletId, payment.id)
  if (attempt === undefined) return { kind: 'declined', reason: 'unknown_payment' }
  const { currency } = payment
  return callRail((signal) => rail.refund({ key, of: attempt.id, amount, currency }, signal), railTimeoutMs)
}

/** What became of it; what the wallet has not received is sent again, under the same key, until it has. */
async function inquireRefund(
  deps: RefundDeps,
  payment: Pick<Operation, 'id' | 'walletId' | 'currency'>,
  key: string,
  amount: Cents,
): Promise<RefundAnswer> {
  const known = await callRail(() => deps.rail.inquireRefund(key), railTimeoutMs)
  return known.kind === 'not_found' ? requestRefund(deps, payment, key, amount) : known
}
