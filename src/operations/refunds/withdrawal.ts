// A return: the rail took a completed payment back without asking, and the wallet bears it (decision 0022).

import { cents } from '../../kernel/money.ts'
import { newId } from '../../kernel/random.ts'
import { unwrap } from '../../kernel/result.ts'
import type { Executor } from '../../storage/index.ts'
import { underApproval } from '../attempts/model.ts'
import { bankChannel, type Operation } from '../model.ts'
import { insertChildren } from '../open/children.ts'
import { openedOperation } from '../open/open.ts'
import { findOperation } from '../read/store.ts'
import type { SettleDeps } from '../settle/settle.ts'
import { planRefundOf, refundSplitOf } from './plan.ts'

/** Each round but the last lost the payment to a refund or split in between. */
const roundsMax = 200

/**
 * Opens the REFUND of what is left of `payment`, to be settled under its own id; undefined when nothing is left.
 * Those among whom the payment was divided bear it in proportion.
 * Its channel says that the bank itself reported it, so no rail has to approve it.
 */
export async function openReturn(
  deps: Pick<SettleDeps, 'clock' | 'random'>,
  tx: Executor,
  payment: Operation,
): Promise<Operation | undefined> {
  // A refund that comes in between takes its part first: then there is less left.
  for (let round = 0; round < roundsMax; round++) {
    const now = await findOperation(tx, payment.walletId, payment.id)
    if (now === undefined || now.refunded >= now.amount) return undefined
    const plan = unwrap(await planRefundOf(tx, now, cents(now.amount - now.refunded)))
    const operation = { ...returnOf(deps, now), ...refundSplitOf(now, plan) }
    const [opening] = await insertChildren(tx, [{ operation, claim: undefined }])
    if (opening === 'opened') return openedOperation(operation)
  }
  throw new Error(`the return of ${payment.id} found it in too much demand`)
}

function returnOf({ clock, random }: Pick<SettleDeps, 'clock' | 'random'>, payment: Operation) {
  const now = clock.now()
  const id = newId(now, random)
  const { walletId, method, currency, extInvoiceId, extEmail, extCustomerId, extEmployee } = payment
  return underApproval({
    ...{ walletId, method, currency, extInvoiceId, extEmail, extCustomerId, extEmployee },
    id,
    type: 'REFUND',
    status: 'PENDING',
    amount: cents(payment.refunded - payment.amount),
    channel: bankChannel,
    parentId: payment.id,
    createdAt: now,
  })
}
