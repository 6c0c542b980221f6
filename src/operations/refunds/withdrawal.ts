// A withdrawal: a rail took money of a completed payment back without being asked, and the wallet bears it (decisions 0022, 0113, 0198).

import { type Cents, cents, sumOf } from '../../kernel/money.ts'
import { newId } from '../../kernel/random.ts'
import { unwrap } from '../../kernel/result.ts'
import type { Executor } from '../../storage/index.ts'
import { underApproval } from '../attempts/model.ts'
import { isReported, type Operation, type reportedChannels } from '../model.ts'
import { insertChildren } from '../open/children.ts'
import { openedOperation } from '../open/open.ts'
import { findChildren, lockOperation } from '../read/store.ts'
import type { SettleDeps } from '../settle/settle.ts'
import { withCameBack } from './came-back.ts'
import { planRefundOf, refundSplitOf } from './plan.ts'

/** Who took the money back, and why. */
export interface Withdrawal {
  /** A UUID made of what its rail calls it: however often it is reported, what was withdrawn under it counts. */
  readonly reportId: string
  readonly channel: (typeof reportedChannels)[number]
  /** In a word of the rail; becomes the `error` of the REFUND. */
  readonly reason: string
  /** In cents, all that the rail took under this report; undefined: all of the payment. */
  readonly amount?: Cents | undefined
}

export interface Withdrawn {
  /** The REFUNDs of this report, oldest first, each to be settled under its own id while it is PENDING. */
  readonly withdrawals: readonly Operation[]
  /** What the rail took and nothing was left for, in cents, zero or above. */
  readonly missing: Cents
  /** Where something is missing: a refund that may fail, and then leaves it. The report is to be worked again. */
  readonly undecided: Operation | undefined
}

/**
 * Opens the REFUND of what was withdrawn of `payment`, at most what is left of it, to be settled under its own id.
 * Repeated it opens only what the report has grown by, or what was missing and is left by now. Those among whom the
 * payment was divided bear it in proportion. Its channel says that no rail has to approve it: the money has moved.
 */
export async function openWithdrawal(
  deps: Pick<SettleDeps, 'clock' | 'random'>,
  tx: Executor,
  { walletId, id }: Pick<Operation, 'walletId' | 'id'>,
  withdrawal: Withdrawal,
): Promise<Withdrawn> {
  // Whoever refunds or divides it waits from here on: a refund that came before took its part first.
  const locked = await lockOperation(tx, walletId, id)
  if (locked === undefined) return { withdrawals: [], missing: cents(0), undecided: undefined }
  const payment = await withCameBack(tx, locked)
  const refunds = await findChildren(tx, payment, 'REFUND')
  const withdrawals = refunds.filter((refund) => isUnder(withdrawal.reportId, refund))
  const wanted = (withdrawal.amount ?? payment.amount) - takenBy(withdrawals)
  const left = payment.amount - payment.refunded
  const taken = wanted < left ? cents(wanted) : cents(left)
  if (taken > 0n) withdrawals.push(await open(deps, tx, payment, withdrawal, taken))
  const missing = cents(wanted <= 0n ? 0n : taken > 0n ? wanted - taken : wanted)
  const undecided = refunds.find((refund) => isUndecided(refund) && !isReported(refund))
  return { withdrawals, missing, undecided: missing > 0n ? undecided : undefined }
}

/** Whether a REFUND is what was withdrawn under a report. */
export function isUnder(reportId: string, { railPaymentId }: Operation): boolean {
  return railPaymentId === reportId
}

/** What REFUNDs took, in cents. */
export function takenBy(refunds: readonly Operation[]): Cents {
  return cents(-sumOf(refunds.map(({ amount }) => amount)))
}

function isUndecided({ status }: Operation): boolean {
  return status === 'NEW' || status === 'PENDING'
}

async function open(
  { clock, random }: Pick<SettleDeps, 'clock' | 'random'>,
  tx: Executor,
  payment: Operation,
  { reportId, channel, reason }: Withdrawal,
  taken: Cents,
): Promise<Operation> {
  const plan = unwrap(await planRefundOf(tx, payment, taken))
  const now = clock.now()
  const { walletId, method, currency, extInvoiceId, extEmail, extCustomerId, extEmployee } = payment
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
