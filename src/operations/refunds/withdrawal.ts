// A withdrawal: a rail took money of a completed payment back without being asked, and the wallet bears it (decisions 0022, 0113).

import { type Cents, cents } from '../../kernel/money.ts'
import { newId } from '../../kernel/random.ts'
import { unwrap } from '../../kernel/result.ts'
import type { Executor } from '../../storage/index.ts'
import { underApproval } from '../attempts/model.ts'
import type { Operation, reportedChannels } from '../model.ts'
import { insertChildren } from '../open/children.ts'
import { openedOperation } from '../open/open.ts'
import { findReported, lockOperation } from '../read/store.ts'
import type { SettleDeps } from '../settle/settle.ts'
import { planRefundOf, refundSplitOf } from './plan.ts'

/** Who took the money back, and why. */
export interface Withdrawal {
  /** A UUID made of what its rail calls it: a payment has one withdrawal under it, however often it is reported. */
  readonly reportId: string
  readonly channel: (typeof reportedChannels)[number]
  /** In a word of the rail; becomes the `error` of the REFUND. */
  readonly reason: string
  /** In cents; undefined: all that is left of the payment. */
  readonly amount?: Cents | undefined
}

/**
 * Opens the REFUND of what was withdrawn of `payment`, at most what is left of it, to be settled under its own id.
 * Repeated it answers the first one, as it stands; undefined when nothing is left. Those among whom the payment was
 * divided bear it in proportion. Its channel says that no rail has to approve it: the money has moved.
 */
export async function openWithdrawal(
  { clock, random }: Pick<SettleDeps, 'clock' | 'random'>,
  tx: Executor,
  { walletId, id }: Pick<Operation, 'walletId' | 'id'>,
  { reportId, channel, reason, amount }: Withdrawal,
): Promise<Operation | undefined> {
  // Whoever refunds or divides it waits from here on: a refund that came before took its part first.
  const payment = await lockOperation(tx, walletId, id)
  if (payment === undefined) return undefined
  const known = await findReported(tx, payment, 'REFUND', reportId)
  if (known !== undefined) return known
  const left = cents(payment.amount - payment.refunded)
  const taken = amount !== undefined && amount < left ? amount : left
  if (taken <= 0n) return undefined
  const plan = unwrap(await planRefundOf(tx, payment, taken))
  const now = clock.now()
  const { method, currency, extInvoiceId, extEmail, extCustomerId, extEmployee } = payment
  const operation = {
    ...underApproval({
      ...{ walletId, method, currency, extInvoiceId, extEmail, extCustomerId, extEmployee, channel },
      id: newId(now, random),
      type: 'REFUND' as const,
      status: 'PENDING',
      amount: cents(-taken),
      parentId: payment.id,
      railPaymentId: reportId,
      error: reason,
      createdAt: now,
    }),
    ...refundSplitOf(payment, plan),
  }
  const [opening] = await insertChildren(tx, [{ operation, claim: undefined }])
  if (opening !== 'opened') throw new Error(`${taken} cents of ${payment.id} were withdrawn, and cannot be`)
  return openedOperation(operation)
}
