// What left a wallet and came back after its operation had completed: an operation of the same type and the opposite sign (decisions 0100, 0113).
import { type Cents, cents } from '../../kernel/money.ts'
import { newId } from '../../kernel/random.ts'
import { underApproval } from '../attempts/model.ts'
import type { NewOperation, Operation, reportedChannels } from '../model.ts'
import { insertOperations, openedOperation } from '../open/open.ts'
import { findChildren, lockOperation } from '../read/store.ts'
import type { Settle, SettleDeps } from '../settle/settle.ts'
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
  /** In cents, above zero; undefined: all that was sent. Never more than that. */
  readonly amount?: Cents | undefined
}

/**
 * Books that `sent`, a REFUND or WALLETFUNDS, came back, once however often it is reported; nothing where it has not
 * completed. The shares of a divided refund go back to those who gave them.
 */
export async function giveBack(
  deps: GiveBackDeps,
  { walletId, id }: Pick<Operation, 'walletId' | 'id'>,
  { channel, reason, amount }: CameBack,
): Promise<void> {
  const { database, clock, random } = deps
  const opened = await database.transaction(async (tx) => {
    const sent = await lockOperation(tx, walletId, id)
    if (sent?.status !== 'COMPLETED' || sent.amount > 0n) return undefined
    const [known] = await findChildren(tx, sent, sent.type)
    if (known !== undefined) return known
    const whole = cents(-sent.amount)
    const back = amount !== undefined && amount < whole ? amount : whole
    if (back <= 0n) return undefined
    const now = clock.now()
    const { type, method, currency, extInvoiceId, extEmail, extCustomerId, extEmployee } = sent
    const operation: NewOperation = underApproval({
      ...{ walletId, type, method, currency, extInvoiceId, extEmail, extCustomerId, extEmployee, channel },
      id: newId(now, random),
      status: 'PENDING',
      amount: back,
      parentId: id,
      error: reason,
      refundSplit: sharesOfReturn(sent, back),
      createdAt: now,
    })
    await insertOperations(tx, [{ operation, claim: undefined }])
    return openedOperation(operation)
  })
  await settleReported(deps, opened)
}
