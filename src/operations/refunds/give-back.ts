// What left a wallet and came back after its operation had completed: an operation of the same type and the opposite sign (decision 0011).
import { type Cents, cents, sumOf } from '../../kernel/money.ts'
import { newId } from '../../kernel/random.ts'
import type { Executor } from '../../storage/index.ts'
import { underApproval } from '../attempts/model.ts'
import type { NewOperation, Operation, reportedChannels } from '../model.ts'
import { insertOperations, openedOperation } from '../open/open.ts'
import { findChildren, lockOperation } from '../read/store.ts'
import type { Settle, SettleDeps } from '../settle/settle.ts'
import { withCameBack } from './came-back.ts'
import { withdrawShortfalls } from './clawback.ts'
import { sharesOfReturn } from './rules.ts'
import { settleReported } from './settle-reported.ts'

export interface GiveBackDeps extends Pick<SettleDeps, 'database' | 'clock' | 'random'> {
  readonly settle: Settle
}

/** Who sent the money back, and why. */
export interface CameBack {
  readonly channel: (typeof reportedChannels)[number]
  /** In a word of the rail; becomes the `error` of the operation. */
  readonly reason: string
  /** A further part in cents, above zero, of which the caller knows that it is new; undefined: all that was sent, once. */
  readonly amount?: Cents | undefined
}

/**
 * Books that `sent`, a REFUND or WALLETFUNDS, came back, once however often it is reported; nothing where it has not
 * completed. The shares of a divided refund go back to those who gave them.
 */
export async function giveBack(
  deps: GiveBackDeps,
  sent: Pick<Operation, 'walletId' | 'id'>,
  cameBack: CameBack,
): Promise<void> {
  const opened = await deps.database.transaction((tx) => openGiveBack(deps, tx, sent, cameBack))
  if (opened === undefined) return
  await settleReported(deps, opened.back)
  for (const withdrawal of opened.withdrawals) await settleReported(deps, withdrawal)
}

/** What is to be settled, each under its own id. */
export interface GivenBack {
  readonly back: Operation
  /** What a rail had taken before, and was not left of the payment then (decision 0012). */
  readonly withdrawals: readonly Operation[]
}

/**
 * Opens what {@link giveBack} books, to be settled under its own id, and counts it on the payment of a refund: it may be
 * withdrawn from there on, and is where a rail took more before than was left. Repeated without an amount it answers the
 * first one, as it stands; parts are together at most what was sent.
 */
export async function openGiveBack(
  deps: Pick<GiveBackDeps, 'clock' | 'random'>,
  tx: Executor,
  { walletId, id }: Pick<Operation, 'walletId' | 'id'>,
  { channel, reason, amount }: CameBack,
): Promise<GivenBack | undefined> {
  const { clock, random } = deps
  const sent = await lockOperation(tx, walletId, id)
  if (sent?.status !== 'COMPLETED' || sent.amount > 0n) return undefined
  const known = await findChildren(tx, sent, sent.type)
  if (known[0] !== undefined && amount === undefined) return { back: known[0], withdrawals: [] }
  const before = sumOf(known.map((one) => one.amount))
  const rest = cents(-sent.amount - before)
  const back = amount !== undefined && amount < rest ? amount : rest
  if (back <= 0n) return undefined
  const now = clock.now()
  const { type, method, currency, extInvoiceId, extEmail, extCustomerId, extEmployee, parentId } = sent
  const operation: NewOperation = underApproval({
    ...{ walletId, type, method, currency, extInvoiceId, extEmail, extCustomerId, extEmployee, channel },
    id: newId(now, random),
    status: 'PENDING',
    amount: back,
    parentId: id,
    error: reason,
    refundSplit: sharesOfReturn(sent, back, before),
    createdAt: now,
  })
  // After what was sent, as a refund that fails does: else the two wait for each other.
  const payment = parentId === undefined ? undefined : await lockOperation(tx, walletId, parentId)
  await insertOperations(tx, [{ operation, claim: undefined }])
  const withdrawals =
    payment === undefined ? [] : await withdrawShortfalls(deps, tx, await withCameBack(tx, payment))
  return { back: openedOperation(operation), withdrawals }
}
