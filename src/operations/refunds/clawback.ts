// A clawback: a rail takes money of a completed payment back.

import { crashPoint } from '../../kernel/crash-points.ts'
import { type Cents, cents, sumOf } from '../../kernel/money.ts'
import { newId } from '../../kernel/random.ts'
import { unwrap } from '../../kernel/result.ts'
import { type Executor, type StoredRowOf, statement } from '../../storage/index.ts'
import { isReported, type Operation, operations, type reportedChannels } from '../model.ts'
import { insertChildren, openedOperation, underApproval } from '../open/open.ts'
import { findChildren, lockOperation } from '../read/store.ts'
import type { Settle, SettleDeps } from '../settle/model.ts'
import { planRefundOf, refundSplitOf } from './refund.ts'
import { lockUnrecovered, noteUnrecovered } from './unrecovered.ts'

export interface Withdrawal {
  /** A UUID derived from the rail's name for the report, so a repeated report counts once. */
  readonly reportId: string
  readonly channel: (typeof reportedChannels)[number]
  /** One word of the rail, which becomes the `error` of the REFUND. */
  readonly reason: string
  /** The total under this report. Undefined: the whole payment. */
  readonly amount?: Cents | undefined
}

export interface Withdrawn {
  /** REFUNDs, oldest first. The caller settles each PENDING one under its own id. */
  readonly withdrawals: readonly Operation[]
  /** The part that the rail took beyond the rest of the payment. */
  readonly missing: Cents
  /** A pending refund. If it fails, the rest may cover the missing amount: handle the report again later. */
  readonly undecided: Operation | undefined
}

/** Opens a REFUND of at most the rest; settle it under its own id. Repeated reports open the increase. */
export async function openClawback(
  deps: Pick<SettleDeps, 'clock' | 'random'>,
  tx: Executor,
  { walletId, id }: Pick<Operation, 'walletId' | 'id'>,
  withdrawal: Withdrawal,
): Promise<Withdrawn> {
  // The lock keeps out later refunds and splits. An earlier refund has its part already.
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

/** Takes missing amounts after a refund was returned and left a rest. The caller has locked the payment. */
export async function clawBackMissing(
  deps: Pick<SettleDeps, 'clock' | 'random'>,
  tx: Executor,
  payment: Operation,
): Promise<readonly Operation[]> {
  const opened: Operation[] = []
  for (const unrecovered of await lockUnrecovered(tx, payment)) {
    const { reportId, channel, reason, missing } = unrecovered
    const under = (await findChildren(tx, payment, 'REFUND')).filter((refund) => isUnder(reportId, refund))
    const amount = cents(takenBy(under) + missing)
    const taken = await openClawback(deps, tx, payment, { reportId, channel, reason, amount })
    opened.push(...taken.withdrawals.filter(isUndecided))
    await noteUnrecovered(tx, unrecovered, taken.missing)
  }
  return opened
}

const markUnder = statement(`
  update operations set rail_payment_id = $3 where wallet_id = $1 and id = $2`)

/** Counts an unsent REFUND as a part of the bank's return, if both together are at most `amount` cents. */
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
  // Locks in the same order as a return (give-back.ts), to avoid deadlocks.
  const taken = await lockOperation(tx, walletId, refund.id)
  const payment = await lockOperation(tx, walletId, paymentId)
  if (taken === undefined || payment === undefined) return false
  if (isUnder(reportId, taken)) return true
  const under = (await findChildren(tx, payment, 'REFUND')).filter((one) => isUnder(reportId, one))
  if (takenBy(under) - taken.amount > amount || payment.refunded > amount) return false
  await tx.run(markUnder, [walletId, refund.id, reportId])
  return true
}

/** True if the refund belongs to the report, or counts as a part of it ({@link takeAsPart}). */
export function isUnder(reportId: string, { railPaymentId }: Operation): boolean {
  return railPaymentId === reportId
}

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
  if (opening !== 'opened')
    throw new Error(`${taken} cents of ${payment.id} were clawed back, but the refund cannot be opened`)
  return openedOperation(operation)
}

export async function settleReported(
  { settle }: { readonly settle: Settle },
  operation: Operation | undefined,
): Promise<void> {
  if (operation?.status !== 'PENDING') return
  crashPoint('return opened, not settled')
  await settle(operation, { status: 'COMPLETED', guard: { kind: 'attempt', attemptId: operation.id } })
}

const refundsOf = (operation: string, wallet: string, parent: string) => `
  ${operation}.wallet_id = ${wallet} and ${operation}.parent_id = ${parent} and ${operation}.type = 'REFUND'
    and ${operation}.status in ('NEW', 'PENDING', 'COMPLETED')`

const takesOf = (operation: string) =>
  `jsonb_to_recordset(${operation}.share_refunds) as take(position integer, amount bigint)`

const countCameBack = statement<StoredRowOf<typeof operations>>(`
  with refund as (
    select id, share_refunds from operations where ${refundsOf('operations', '$1', '$2')}
  ),
  back as (
    select back.amount, back.share_refunds
    from refund join operations as back on ${refundsOf('back', '$1', 'refund.id')}
  ),
  counted as (
    update operations set
      refunded = operations.refunded + operations.came_back - total.amount,
      came_back = total.amount,
      refund_revision = operations.refund_revision + 1
    from (select coalesce(sum(amount), 0)::bigint as amount from back) as total
    where operations.wallet_id = $1 and operations.id = $2 and operations.came_back <> total.amount
    returning operations.*
  ),
  gives as (
    select position, sum(amount)::bigint as amount
    from (
      select take.position, take.amount from refund cross join ${takesOf('refund')}
      union all
      select take.position, -take.amount from back cross join ${takesOf('back')}
    ) as each
    group by position
  ),
  counted_shares as (
    update shares set refunded = gives.amount
    from counted cross join gives
    where shares.wallet_id = counted.wallet_id and shares.operation_id = counted.id
      and shares.position = gives.position
  )
  select * from counted`)

/** Counts returned refunds on the payment again. The caller has locked it. Can be repeated. */
export async function withCameBack(tx: Executor, payment: Operation): Promise<Operation> {
  const { walletId, id } = payment
  return operations.first(await tx.run(countCameBack, [walletId, id])) ?? payment
}
