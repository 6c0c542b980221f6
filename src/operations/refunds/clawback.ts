// A withdrawal: a rail took money of a completed payment back without being asked, and the wallet bears it (decisions 0011, 0012).

import { type Cents, cents, sumOf } from '../../kernel/money.ts'
import { newId } from '../../kernel/random.ts'
import { unwrap } from '../../kernel/result.ts'
import { type Executor, statement } from '../../storage/index.ts'
import { underApproval } from '../attempts/model.ts'
import { isReported, type Operation, type reportedChannels } from '../model.ts'
import { insertChildren, openedOperation } from '../open/open.ts'
import { findChildren, lockOperation } from '../read/store.ts'
import type { SettleDeps } from '../settle/settle.ts'
import { withCameBack } from './came-back.ts'
import { planRefundOf, refundSplitOf } from './refund.ts'
import { lockUnrecovered, noteUnrecovered } from './unrecovered.ts'

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
  const under = refunds.filter((refund) => isUnder(withdrawal.reportId, refund))
  const wanted = (withdrawal.amount ?? payment.amount) - takenBy(under)
  const left = payment.amount - payment.refunded
  const taken = wanted < left ? cents(wanted) : cents(left)
  if (taken > 0n) under.push(await open(deps, tx, payment, withdrawal, taken))
  const missing = cents(wanted <= 0n ? 0n : taken > 0n ? wanted - taken : wanted)
  const undecided = refunds.find(
    (refund) => isUndecided(refund) && !isReported(refund) && !under.includes(refund),
  )
  return {
    withdrawals: under.filter(isReported),
    missing,
    undecided: missing > 0n ? undecided : undefined,
  }
}

/**
 * Withdraws what was missing under earlier reports about `payment`, now that something of it has come back; the caller
 * has locked the payment. Answers what is to be settled, each under its own id.
 */
export async function withdrawShortfalls(
  deps: Pick<SettleDeps, 'clock' | 'random'>,
  tx: Executor,
  payment: Operation,
): Promise<readonly Operation[]> {
  const opened: Operation[] = []
  for (const unrecovered of await lockUnrecovered(tx, payment)) {
    const { reportId, channel, reason, missing } = unrecovered
    const under = (await findChildren(tx, payment, 'REFUND')).filter((refund) => isUnder(reportId, refund))
    const amount = cents(takenBy(under) + missing)
    const taken = await openWithdrawal(deps, tx, payment, { reportId, channel, reason, amount })
    opened.push(...taken.withdrawals.filter(isUndecided))
    await noteUnrecovered(tx, unrecovered, taken.missing)
  }
  return opened
}

const markUnder = statement(`
  update operations set rail_payment_id = $3 where wallet_id = $1 and id = $2`)

/**
 * Makes a REFUND whose rail has sent nothing a part of what the bank took back of `payment`, where the refunds and
 * withdrawals under the report then are at most `amount`; decided under the lock of the payment, and once.
 *
 * @param amount in cents, all that was taken back under the report
 * @returns whether it is a part of it
 */
export async function takeAsPart(
  tx: Executor,
  refund: Pick<Operation, 'walletId' | 'id'>,
  {
    reportId,
    paymentId,
    amount,
  }: { readonly reportId: string; readonly paymentId: string; readonly amount: Cents },
): Promise<boolean> {
  const { walletId } = refund
  // In the order of what comes back of a refund (give-back.ts).
  const taken = await lockOperation(tx, walletId, refund.id)
  const payment = await lockOperation(tx, walletId, paymentId)
  if (taken === undefined || payment === undefined) return false
  if (isUnder(reportId, taken)) return true
  const under = (await findChildren(tx, payment, 'REFUND')).filter((one) => isUnder(reportId, one))
  if (takenBy(under) - taken.amount > amount || payment.refunded > amount) return false
  await tx.run(markUnder, [walletId, refund.id, reportId])
  return true
}

/** Whether a REFUND is what was withdrawn under a report, or a part of it ({@link takeAsPart}). */
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
