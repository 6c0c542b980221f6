// How a refund is taken from the shares of a divided payment: in proportion or as listed.
import type { Cents } from '../../kernel/money.ts'
import type { Result } from '../../kernel/result.ts'
import { planRefund, type RefundPlan } from '../../splits/index.ts'
import type { Executor } from '../../storage/index.ts'
import type { ChildOperation, Operation } from '../model.ts'
import { findProportionateRefunds, findShares } from '../shares/store.ts'

/**
 * Whose money `amount` of `payment` is (CONTRACT section 10).
 *
 * @param listed as {@link planRefund} takes it; undefined: in proportion, which is never refused
 *
 * Refusals: invalid_split.
 */
export async function planRefundOf(
  db: Executor,
  payment: Operation,
  amount: Cents,
  listed?: Parameters<typeof planRefund>[2],
): Promise<Result<RefundPlan>> {
  const { walletId, id, splitAt, refunded } = payment
  const shares = splitAt === undefined ? [] : (await findShares(db, walletId, [id])).get(id)
  const proportionate = splitAt === undefined ? [] : await findProportionateRefunds(db, payment)
  const divided = { amount: payment.amount, refunded, shares: shares ?? [], proportionate }
  return planRefund(divided, amount, listed)
}

/** The fields by which a refund of a divided payment is opened; none for any other payment. */
export function refundSplitOf(
  { splitAt, refundRevision }: Operation,
  { source, shareRefunds }: RefundPlan,
): Pick<ChildOperation, 'refundSplit' | 'parentRevision'> {
  return splitAt === undefined
    ? {}
    : { refundSplit: { source, shareRefunds }, parentRevision: refundRevision }
}
