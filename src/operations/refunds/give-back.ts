// Returns: money left a wallet, and a bank or network sent it back.
import { type Cents, cents, sumOf } from '../../kernel/money.ts'
import { newId } from '../../kernel/random.ts'
import type { Executor } from '../../storage/index.ts'
import type { NewOperation, Operation, reportedChannels } from '../model.ts'
import { insertOperations, openedOperation, underApproval } from '../open/open.ts'
import { findChildren, lockOperation } from '../read/store.ts'
import { sharesOfReturn } from '../rules.ts'
import type { Settle, SettleDeps } from '../settle/model.ts'
import { clawBackMissing, settleReported, withCameBack } from './clawback.ts'

export interface GiveBackDeps extends Pick<SettleDeps, 'database' | 'clock' | 'random'> {
  readonly settle: Settle
}

export interface CameBack {
  readonly channel: (typeof reportedChannels)[number]
  /** One word of the rail, which becomes the `error` of the operation. */
  readonly reason: string
  /** Above zero: a part that was not reported before. Undefined: the whole amount, counted once. */
  readonly amount?: Cents | undefined
}

/** Books the return of a REFUND or WALLETFUNDS, once for repeated reports. Shares get their parts back. */
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

export interface GivenBack {
  readonly back: Operation
  readonly withdrawals: readonly Operation[]
}

/** Opens a return and counts it on the payment, so a rail may claw it back. Parts total at most `sent`. */
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
  // Lock the payment after the refund. A failing refund uses the same order, so there is no deadlock.
  const payment = parentId === undefined ? undefined : await lockOperation(tx, walletId, parentId)
  await insertOperations(tx, [{ operation, claim: undefined }])
  const withdrawals =
    payment === undefined ? [] : await clawBackMissing(deps, tx, await withCameBack(tx, payment))
  return { back: openedOperation(operation), withdrawals }
}
