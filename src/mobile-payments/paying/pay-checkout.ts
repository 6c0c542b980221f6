// Paying a checkout by phone: the attempt takes the operation, and gives it back when the customer says no.
import { beginApproval, chooseAttempt } from '../../operations/index.ts'
import type { MobilePaymentsDeps } from '../deps.ts'
import type { MobilePayment, MobilePaymentOrder } from '../model.ts'
import { type MandateChoice, startMobilePayment } from './start.ts'

/**
 * Starts the attempt of a checkout's form under the mandate that is chosen for it.
 * Undefined when the form was posted before, or something else is decided.
 */
export function payCheckout(
  deps: MobilePaymentsDeps,
  order: Omit<MobilePaymentOrder, 'owner'>,
  mandate: MandateChoice,
): Promise<MobilePayment | undefined> {
  return startMobilePayment(deps, {
    ...order,
    owner: 'checkout',
    mandate,
    async open(tx, { walletId, operationId, id, phone, createdAt }) {
      const attempt = { walletId, operationId, attemptId: id }
      return (
        (await chooseAttempt(tx, attempt, 'MBWAY', createdAt, phone)) &&
        (await beginApproval(tx, attempt, createdAt))
      )
    },
  })
}
