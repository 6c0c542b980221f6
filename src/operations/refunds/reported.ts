// What rails report after an operation was final: refunds that failed, payments that are disputed (decision 0011).
import { crashPoint } from '../../kernel/crash-points.ts'
import { cents, sumOf } from '../../kernel/money.ts'
import { derivedId } from '../../kernel/random.ts'
import type { Dispute, FailedRefund } from '../../rails/index.ts'
import type { Executor } from '../../storage/index.ts'
import type { Engine } from '../attempts/engine.ts'
import { type Operation, railChannel } from '../model.ts'
import { findChildren, findOperation, findOperationByKey, lockOperation } from '../read/store.ts'
import { isUnder, openWithdrawal, takenBy, type Withdrawn } from './clawback.ts'
import { type GiveBackDeps, giveBack, openGiveBack } from './give-back.ts'
import { settleReported } from './settle-reported.ts'
import { mostReported, noteShortfall, type Reported } from './unrecovered.ts'

export interface ReportedDeps extends GiveBackDeps {
  readonly engine: Pick<Engine, 'inquire'>
  readonly onError: (error: unknown) => void
}

/** What is reported depends on an operation that is not final yet: the notice is to be sent again. */
class NotFinalYet extends Error {
  readonly code = 'NOT_FINAL_YET'

  constructor({ type, id }: Operation) {
    super(`${type} ${id} is still PENDING: what became of it is decided first`)
    this.name = 'NotFinalYet'
  }
}

/**
 * Books that the money of a refund is with the gateway again: once, under an operation of its own. Of a refund whose
 * outcome was unknown the rail is asked, and nothing is booked where it says that the refund failed.
 */
export async function onRefundFailed(deps: ReportedDeps, { key, reason }: FailedRefund): Promise<void> {
  const refund = await finalOperation(deps, key)
  if (refund?.type === 'REFUND') await giveBack(deps, refund, { channel: railChannel, reason })
}

/**
 * Books what a dispute took of a payment so far, and what was given again of that. Of an authorization its captures bear
 * it, the oldest first. Where less is left than it took, and a refund or capture may change that, what is left is
 * booked, and the notice is refused, to be sent again.
 */
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

/**
 * Which operations bear a dispute, locked: its notices come one after the other, and what a refund brings back of a
 * capture is withdrawn before or after all that is read of them.
 */
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
  // What was given again before the wallet bore it is wanted no more.
  const wanted = most === undefined ? withdrawn - before.taken : toBear(most) - before.borne
  let left: bigint = wanted
  const withdrawals: Operation[] = []
  let undecided = payments.find(({ status }) => status === 'PENDING')
  for (const payment of payments.filter(({ status }) => status === 'COMPLETED')) {
    const amount = cents(takenBy(before.of(payment)) + (left > 0n ? left : 0n))
    const { reportId } = about
    const result = await openWithdrawal(deps, tx, payment, { reportId, channel: railChannel, reason, amount })
    withdrawals.push(...result.withdrawals)
    if (left > 0n) left = result.missing
    undecided ??= result.undecided
  }
  const taken = before.taken + (wanted > 0n ? wanted - left : 0n)
  const givenBack = before.taken - before.borne
  await noteShortfall(
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

/**
 * What was given again goes to the withdrawals in their order, however many parts it comes in, and never more than the
 * wallet bears beyond what the rail has kept.
 */
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

/** What the wallet has to bear of what a report says, in cents. */
function toBear({ withdrawn, reinstated }: Reported): bigint {
  return withdrawn - reinstated
}

function reportAbout({ walletId, id }: Operation, dispute: Dispute) {
  return { walletId, operationId: id, reportId: derivedId(dispute.id, 'dispute') }
}

/** What was withdrawn of `payments` under a report so far, each with what came back of it. Amounts in cents. */
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
    /** What the wallet has lost by it. */
    borne: taken - sumOf(withdrawals.flatMap(({ backs }) => backs.map(({ amount }) => amount))),
    of: ({ id }: Operation) =>
      withdrawals.flatMap(({ withdrawal }) => (withdrawal.parentId === id ? [withdrawal] : [])),
  }
}

/** The operation of a key, with what became of it; undefined where the key moved no money of ours. */
async function finalOperation(deps: ReportedDeps, key: string): Promise<Operation | undefined> {
  const { database, engine } = deps
  const found = await findOperationByKey(database, key)
  if (found?.status !== 'PENDING') return found
  // A payment is not asked about: its customer may still be deciding, and has notices of its own.
  if (found.type === 'REFUND') await engine.inquire(found)
  const decided = await findOperation(database, found.walletId, found.id)
  if (decided?.status === 'PENDING') throw new NotFinalYet(decided)
  return decided
}
