// What a checkout does with the outcome of a card attempt made on its page.
import type { CardAttempt, OwnerOfAttempts } from '../../cards/index.ts'
import {
  beginApproval,
  chooseAttempt,
  completeBy,
  endApproval,
  findOperation,
  hasPaid,
} from '../../operations/index.ts'
import type { CheckoutsDeps } from '../deps.ts'
import { latePath } from '../page-routes/show-checkout.ts'
import { checkoutUrl } from '../schemas.ts'

/** Checkouts as owners of attempts: an approved one completes the operation, others leave it open. */
export function checkoutCardOwner(deps: CheckoutsDeps): OwnerOfAttempts {
  const { database, clock, settle, subscriptions, baseUrl } = deps
  const referenceOf = (attempt: CardAttempt) => ({
    walletId: attempt.walletId,
    operationId: attempt.subjectId,
    attemptId: attempt.id,
  })

  async function operationOf(attempt: CardAttempt) {
    const operation = await findOperation(database, attempt.walletId, attempt.subjectId)
    if (operation === undefined) throw new Error(`attempt ${attempt.id} has no operation`)
    return operation
  }

  return {
    choose: (tx, attempt) => chooseAttempt(tx, referenceOf(attempt), 'CC', clock.now()),
    beginApproval: (tx, attempt) => beginApproval(tx, referenceOf(attempt), clock.now()),
    async approved(attempt) {
      const operation = await operationOf(attempt)
      // The card is kept first: the payment approves the subscription, which may be charged from then on. Not the
      // card of an attempt that came too late: the subscription may have the card of another attempt.
      if (operation.subscriptionId !== undefined && operation.attemptId === attempt.id) {
        await subscriptions.keepCard(operation.subscriptionId, attempt)
      }
      const { id, card } = attempt
      return completeBy({ database, settle }, operation, { id, method: 'CC', card })
    },
    async declined(attempt) {
      if (await endApproval(database, referenceOf(attempt), clock.now())) return true
      return !(await hasPaid(database, await operationOf(attempt), attempt.id))
    },
    // No rail was asked, so nothing is under approval: the customer may try again.
    async authenticationFailed() {},
    async returnUrl(attempt) {
      const { checkoutId, attemptId } = await operationOf(attempt)
      const language = attempt.browser.pageLanguage
      const url = checkoutUrl(baseUrl, checkoutId ?? '')
      const page = language === undefined ? url : `${url}?lang=${language}`
      // Another tab started a new attempt meanwhile: the answer at the bank has no effect.
      return attemptId === attempt.id ? page : latePath(page)
    },
  }
}
