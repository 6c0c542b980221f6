// What rails report after an operation was final: refunds that failed, payments that are disputed (decision 0113).
import { crashPoint } from '../../kernel/crash-points.ts'
import { type Cents, cents, sumOf } from '../../kernel/money.ts'
import { derivedId } from '../../kernel/random.ts'
import type { Dispute, FailedRefund } from '../../rails/index.ts'
import type { Executor } from '../../storage/index.ts'
import type { Engine } from '../attempts/engine.ts'
import { type Operation, railChannel } from '../model.ts'
import { findChildren, findOperation, findOperationByKey, lockOperation } from '../read/store.ts'
import { type GiveBackDeps, giveBack, openGiveBack } from './give-back.ts'
import { settleReported } from './settle-reported.ts'
import { noteShortfall } from './shortfalls.ts'
import { isUnder, openWithdrawal, takenBy, type Withdrawn } from './withdrawal.ts'

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

/** Which operations bear a dispute: the disputed one is locked, so that its notices come one after the other. */
async function lockPaymentsOf(
  tx: Executor,
  { type, walletId, id }: Operation,
): Promise<readonly Operation[]> {
  const locked = await lockOperation(tx, walletId, id)
  if (locked === undefined) return []
  return type === 'AUTH' ? findChildren(tx, locked, 'CAPTURE') : [locked]
}

async function openWithdrawals(
  deps: ReportedDeps,
  tx: Executor,
  disputed: Operation,
  { id, reason, withdrawn, reinstated }: Dispute,
): Promise<Withdrawn> {
  const reportId = reportOf(id)
  const payments = await lockPaymentsOf(tx, disputed)
  const withdrawals: Operation[] = []
  const known = new Map<Operation, Cents>()
  for (const payment of payments) known.set(payment, takenBy(await withdrawalsOf(tx, payment, reportId)))
  let missing: bigint = withdrawn - sumOf(known.values())
  let undecided = payments.find(({ status }) => status === 'PENDING')
  for (const payment of payments.filter(({ status }) => status === 'COMPLETED')) {
    const amount = cents((known.get(payment) ?? 0n) + (missing > 0n ? missing : 0n))
    const result = await openWithdrawal(deps, tx, payment, { reportId, channel: railChannel, reason, amount })
    withdrawals.push(...result.withdrawals)
    if (missing > 0n) missing = result.missing
    undecided ??= result.undecided
  }
  const isMissing = missing > 0n
  await noteShortfall(
    tx,
    {
      ...{ walletId: disputed.walletId, operationId: disputed.id, reportId, channel: railChannel, reason },
      ...{ withdrawn, reinstated, taken: withdrawn - missing },
    },
    deps.clock.now(),
  )
  return {
    withdrawals,
    missing: cents(isMissing ? missing : 0n),
    undecided: isMissing ? undecided : undefined,
  }
}

/** What was given again goes to the withdrawals in their order, to each once, and never more than was given. */
async function openReinstatements(
  deps: ReportedDeps,
  tx: Executor,
  disputed: Operation,
  { id, reason, reinstated }: Dispute,
): Promise<readonly Operation[]> {
  const withdrawals: Operation[] = []
  for (const payment of await lockPaymentsOf(tx, disputed))
    withdrawals.push(...(await withdrawalsOf(tx, payment, reportOf(id))))
  const given: Operation[] = []
  const waiting: Operation[] = []
  const opened: Operation[] = []
  for (const withdrawal of withdrawals) {
    const [known] = await findChildren(tx, withdrawal, 'REFUND')
    if (known === undefined) waiting.push(withdrawal)
    else given.push(known)
  }
  let left: bigint = reinstated - sumOf(given.map(({ amount }) => amount))
  for (const withdrawal of waiting) {
    if (left <= 0n) break
    const amount = cents(left < -withdrawal.amount ? left : -withdrawal.amount)
    const back = await openGiveBack(deps, tx, withdrawal, { channel: railChannel, reason, amount })
    if (back === undefined) continue
    opened.push(back.back, ...back.withdrawals)
    left -= back.back.amount
  }
  return [...given, ...opened]
}

function reportOf(disputeId: string): string {
  return derivedId(disputeId, 'dispute')
}

async function withdrawalsOf(tx: Executor, payment: Operation, reportId: string): Promise<Operation[]> {
  return (await findChildren(tx, payment, 'REFUND')).filter((refund) => isUnder(reportId, refund))
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
