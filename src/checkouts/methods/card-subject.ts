// What a checkout does with the outcome of a card attempt made on its page.

import type { CardAttempt, CardSubject } from '../../cards/index.ts'
import { crashPoint } from '../../kernel/crash-points.ts'
import { openOperation, operationOf } from '../../operations/index.ts'
import type { CheckoutsDeps } from '../deps.ts'
import { latePath } from '../page-routes/show-checkout.ts'
import { checkoutUrl } from '../schemas.ts'

/** An approved attempt completes the checkout's operation, others leave it open. */
export function checkoutCardSubject(deps: CheckoutsDeps): CardSubject {
  const { database, subscriptions, baseUrl } = deps
  return {
    ...openOperation(deps, {
      cardOf: ({ details }: CardAttempt) => details.card,
      async beforeSettling({ subscriptionId, attemptId }, attempt) {
        // The card is kept first: the payment approves the subscription, which may be charged from then on. Not the
        // card of an attempt that came too late: the subscription may have the card of another attempt.
        if (subscriptionId === undefined || attemptId !== attempt.key || attempt.sealedCard === undefined)
          return
        await subscriptions.keepCard(subscriptionId, attempt)
        crashPoint('card kept, its payment not settled')
      },
    }),
    async returnUrl(attempt) {
      const { checkoutId, attemptId } = await operationOf(database, attempt)
      const language = attempt.details.browser.pageLanguage
      const url = checkoutUrl(baseUrl, checkoutId ?? '')
      const page = language === undefined ? url : `${url}?lang=${language}`
      // Another tab started a new attempt meanwhile: the answer at the bank has no effect.
      return attemptId === attempt.key ? page : latePath(page)
    },
  }
}
