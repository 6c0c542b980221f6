// What rails report after an operation was final: refunds that failed, payments that are disputed (decision 0113).
import { type Cents, cents } from '../../kernel/money.ts'
import { derivedId } from '../../kernel/random.ts'
import type { Dispute, FailedRefund } from '../../rails/index.ts'
import type { Engine } from '../attempts/engine.ts'
import { type Operation, railChannel } from '../model.ts'
import { findChildren, findOperation, findOperationByKey, findReported } from '../read/store.ts'
import { type GiveBackDeps, giveBack } from './give-back.ts'
import { settleReported } from './settle-reported.ts'
import { openWithdrawal } from './withdrawal.ts'

export interface ReportedDeps extends GiveBackDeps {
  readonly engine: Pick<Engine, 'inquire'>
  readonly onError: (error: unknown) => void
}

/** What is reported of an operation that is not final yet: the notice is to be sent again. */
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
 * Books what a dispute took of a payment, and what was given again of that. Of an authorization its captures bear it,
 * the oldest first.
 */
export async function onDispute(deps: ReportedDeps, dispute: Dispute): Promise<void> {
  const disputed = await finalOperation(deps, dispute.key)
  if (disputed === undefined) return
  const { database, onError } = deps
  const payments = disputed.type === 'AUTH' ? await findChildren(database, disputed, 'CAPTURE') : [disputed]
  const withdrawn: Operation[] = []
  let missing: bigint = dispute.withdrawn
  for (const payment of payments.filter(({ status }) => status === 'COMPLETED')) {
    const withdrawal = await withdraw(deps, payment, dispute, cents(missing))
    if (withdrawal === undefined) continue
    withdrawn.push(withdrawal)
    missing += withdrawal.amount
  }
  const pending = payments.find(({ status }) => status === 'PENDING')
  if (missing > 0n && pending !== undefined) throw new NotFinalYet(pending)
  if (missing > 0n) {
    const of = `dispute ${dispute.id} of ${disputed.type} ${disputed.id}`
    onError(
      new Error(`${of} took ${missing} cents more than is left of it: wallet ${disputed.walletId} owes them`),
    )
  }
  let returned: bigint = dispute.reinstated
  for (const { walletId, id, amount: taken } of withdrawn) {
    if (returned <= 0n) return
    const amount = returned < -taken ? cents(returned) : cents(-taken)
    await giveBack(deps, { walletId, id }, { channel: railChannel, reason: dispute.reason, amount })
    returned -= amount
  }
}

/** At most `amount` of a payment, once for each dispute; undefined where nothing was or is to be taken. */
async function withdraw(
  deps: ReportedDeps,
  payment: Operation,
  { id, reason }: Dispute,
  amount: Cents,
): Promise<Operation | undefined> {
  const { database } = deps
  const reportId = derivedId(id, 'dispute')
  const known = await findReported(database, payment, 'REFUND', reportId)
  const withdrawal =
    known ??
    (amount > 0n
      ? await database.transaction((tx) =>
          openWithdrawal(deps, tx, payment, { reportId, channel: railChannel, reason, amount }),
        )
      : undefined)
  await settleReported(deps, withdrawal)
  return withdrawal
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
