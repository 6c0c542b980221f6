// A return: the rail took a completed payment back without asking, and the wallet bears it (decision 0022).
import { newId } from '../kernel/ids.ts'
import { cents } from '../kernel/money.ts'
import { after, second } from '../kernel/time.ts'
import type { Executor } from '../storage/index.ts'
import { type Operation, openedOperation } from './model.ts'
import { insertOperations } from './open-store.ts'
import { takeWhatIsLeft } from './return-store.ts'
import type { SettleDeps } from './settle.ts'

/** When the resolver settles what a crash left open. */
const settledAfterSeconds = 10

/**
 * Opens the REFUND of what is left of `payment`, to be settled under its own id; undefined when nothing is left.
 * Its channel says that the bank itself told of it, so it needs nobody's approval.
 */
export async function openReturn(
  { clock, random }: Pick<SettleDeps, 'clock' | 'random'>,
  tx: Executor,
  payment: Operation,
): Promise<Operation | undefined> {
  const left = await takeWhatIsLeft(tx, payment)
  if (left === undefined) return undefined
  const now = clock.now()
  const id = newId(now, random)
  const { walletId, method, currency, extInvoiceId, extEmail, extCustomerId, extEmployee } = payment
  const operation = {
    ...{ walletId, method, currency, extInvoiceId, extEmail, extCustomerId, extEmployee },
    id,
    type: 'REFUND',
    status: 'PENDING',
    amount: cents(-left),
    channel: bankChannel,
    parentId: payment.id,
    attemptId: id,
    underApproval: true,
    dueAt: after(now, settledAfterSeconds * second),
    createdAt: now,
  } as const
  await insertOperations(tx, [{ operation, request: undefined }])
  return openedOperation(operation)
}

/** Channel of operations that the bank told of: the money has moved already. */
export const bankChannel = 'BANK'
