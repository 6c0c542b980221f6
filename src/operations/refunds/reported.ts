// Reports of rails: failed refunds and disputes.
import { crashPoint } from '../../kernel/crash-points.ts'
import { cents, sumOf } from '../../kernel/money.ts'
import { derivedId } from '../../kernel/random.ts'
import type { Dispute, FailedRefund } from '../../rails/index.ts'
import type { Executor } from '../../storage/index.ts'
import type { Engine } from '../attempts/engine.ts'
import { type Operation, railChannel } from '../model.ts'
import { findChildren, findOperation, findOperationByKey, lockOperation } from '../read/store.ts'
import { isUnder, openClawback, settleReported, takenBy, type Withdrawn } from './clawback.ts'
import { type GiveBackDeps, giveBack, openGiveBack } from './give-back.ts'
import { mostReported, noteReport, type Reported } from './unrecovered.ts'

export interface ReportedDeps extends GiveBackDeps {
  readonly engine: Pick<Engine, 'inquire'>
  readonly onError: (error: unknown) => void
}

/** Makes the rail send its notice again, because the operation is still pending. */
class NotFinalYet extends Error {
  readonly code = 'NOT_FINAL_YET'

  constructor({ type, id }: Operation) {
    super(`${type} ${id} is still PENDING: the report waits for its result`)
    this.name = 'NotFinalYet'
  }
}

/** Books the return of a failed refund, once. If the refund's outcome is unknown, it asks the rail first. */
export async function onRefundFailed(deps: ReportedDeps, { key, reason }: FailedRefund): Promise<void> {
  const refund = await finalOperation(deps, key)
  if (refund?.type === 'REFUND') await giveBack(deps, refund, { channel: railChannel, reason })
}

/** Books a dispute against the payment or its captures, oldest first. Throws while a refund is pending: the rail repeats the notice. */
export async function onDispute(deps: ReportedDeps, dispute: Dispute): Promise<void> {
  const disputed = await finalOperation(deps, dispute.key)
  if (disputed === undefined) return
  const { database, onError } = deps
  const { withdrawals, missing, undecided } = await database.transaction((tx) =>
    openWithdrawals(deps, tx, disputed, dispute),
  )
  for (const withdrawal of withdrawals) await settleReported(deps, withdrawal)
  if (undecided !== undefined) throw new NotFinalYet(undecided)
  if (missing > 0n) {
    const of = `dispute ${dispute.id} of ${disputed.type} ${disputed.id}`
    onError(
      new Error(`${of} took ${missing} cents more than is left of it: wallet ${disputed.walletId} owes them`),
    )
  }
  if (dispute.reinstated === 0n) return
  crashPoint('dispute withdrawn, not reinstated')
  const opened = await database.transaction((tx) => openReinstatements(deps, tx, disputed, dispute))
  for (const operation of opened) await settleReported(deps, operation)
}

/** The locks make notices of a dispute and of returned refunds wait for each other. */
async function lockPaymentsOf(
  tx: Executor,
  { type, walletId, id }: Operation,
): Promise<readonly Operation[]> {
  const locked = await lockOperation(tx, walletId, id)
  if (locked === undefined) return []
  if (type !== 'AUTH') return [locked]
  const captures: Operation[] = []
  for (const capture of await findChildren(tx, locked, 'CAPTURE')) {
    const one = await lockOperation(tx, walletId, capture.id)
    if (one !== undefined) captures.push(one)
  }
  return captures
}

async function openWithdrawals(
  deps: ReportedDeps,
  tx: Executor,
  disputed: Operation,
  dispute: Dispute,
): Promise<Withdrawn> {
  const { reason, withdrawn, reinstated } = dispute
  const about = reportAbout(disputed, dispute)
  const payments = await lockPaymentsOf(tx, disputed)
  const before = await withdrawnBefore(tx, payments, about.reportId)
  const most = await mostReported(tx, about, dispute)
  // If the rail gave an amount back before the wallet had paid it, the wallet does not pay it.
  const wanted = most === undefined ? withdrawn - before.taken : toBear(most) - before.borne
  let left: bigint = wanted
  const withdrawals: Operation[] = []
  let undecided = payments.find(({ status }) => status === 'PENDING')
  for (const payment of payments.filter(({ status }) => status === 'COMPLETED')) {
    const amount = cents(takenBy(before.of(payment)) + (left > 0n ? left : 0n))
    const { reportId } = about
    const result = await openClawback(deps, tx, payment, { reportId, channel: railChannel, reason, amount })
    withdrawals.push(...result.withdrawals)
    if (left > 0n) left = result.missing
    undecided ??= result.undecided
  }
  const taken = before.taken + (wanted > 0n ? wanted - left : 0n)
  const givenBack = before.taken - before.borne
  await noteReport(
    tx,
    { ...about, channel: railChannel, reason, withdrawn, reinstated, taken, givenBack },
    deps.clock.now(),
  )
  const lacks = toBear(most ?? dispute) - (taken - givenBack)
  return {
    withdrawals,
    missing: cents(left > 0n && lacks > 0n ? lacks : 0n),
    undecided: left > 0n && lacks > 0n ? undecided : undefined,
  }
}

/** Reverses clawbacks in their order, at most up to the amount that the wallet has borne. */
async function openReinstatements(
  deps: ReportedDeps,
  tx: Executor,
  disputed: Operation,
  dispute: Dispute,
): Promise<readonly Operation[]> {
  const about = reportAbout(disputed, dispute)
  const before = await withdrawnBefore(tx, await lockPaymentsOf(tx, disputed), about.reportId)
  const most = (await mostReported(tx, about, dispute)) ?? dispute
  const opened: Operation[] = []
  let left: bigint = before.borne - toBear(most)
  for (const { withdrawal, backs } of before.withdrawals) {
    opened.push(...backs)
    const rest = -withdrawal.amount - sumOf(backs.map(({ amount }) => amount))
    if (left <= 0n || rest <= 0n) continue
    const amount = cents(left < rest ? left : rest)
    const back = await openGiveBack(deps, tx, withdrawal, {
      channel: railChannel,
      reason: dispute.reason,
      amount,
    })
    if (back === undefined) continue
    opened.push(back.back, ...back.withdrawals)
    left -= back.back.amount
  }
  return opened
}

function toBear({ withdrawn, reinstated }: Reported): bigint {
  return withdrawn - reinstated
}

function reportAbout({ walletId, id }: Operation, dispute: Dispute) {
  return { walletId, operationId: id, reportId: derivedId(dispute.id, 'dispute') }
}

async function withdrawnBefore(tx: Executor, payments: readonly Operation[], reportId: string) {
  const withdrawals: { readonly withdrawal: Operation; readonly backs: readonly Operation[] }[] = []
  for (const payment of payments)
    for (const withdrawal of await findChildren(tx, payment, 'REFUND'))
      if (isUnder(reportId, withdrawal)) {
        withdrawals.push({ withdrawal, backs: await findChildren(tx, withdrawal, 'REFUND') })
      }
  const taken = takenBy(withdrawals.map(({ withdrawal }) => withdrawal))
  return {
    withdrawals,
    taken,
    borne: taken - sumOf(withdrawals.flatMap(({ backs }) => backs.map(({ amount }) => amount))),
    of: ({ id }: Operation) =>
      withdrawals.flatMap(({ withdrawal }) => (withdrawal.parentId === id ? [withdrawal] : [])),
  }
}

async function finalOperation(deps: ReportedDeps, key: string): Promise<Operation | undefined> {
  const { database, engine } = deps
  const found = await findOperationByKey(database, key)
  if (found?.status !== 'PENDING') return found
  // Ask only about refunds. The customer of a payment may still be deciding, and its rail sends its own
  // notices.
  if (found.type === 'REFUND') await engine.inquire(found)
  const decided = await findOperation(database, found.walletId, found.id)
  if (decided?.status === 'PENDING') throw new NotFinalYet(decided)
  return decided
}
