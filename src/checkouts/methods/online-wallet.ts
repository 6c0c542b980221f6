// Paying a checkout from an online wallet: the customer is redirected to its pages and comes back to see the result.
import { isUuid } from '../../kernel/random.ts'
import type { OnlineWalletPayments } from '../../online-wallet/index.ts'
import { accountMethodTexts, checkoutPath, type Locale, methodPart, type Notice } from '../../pages/index.ts'
import type { OnlineWallet } from '../../rails/index.ts'
import type { CheckoutsDeps } from '../deps.ts'
import { addCustomerData } from '../store.ts'
import { customerOf, customerProblems } from './customer-contact.ts'
import type { PaymentMethod } from './payment-method.ts'

/** Method PAYPAL; `rail` says where the wallet's own pages are. */
export function onlineWalletMethod(
  { database, clock, baseUrl }: Pick<CheckoutsDeps, 'database' | 'clock' | 'baseUrl'>,
  payments: OnlineWalletPayments,
  rail: Pick<OnlineWallet, 'pagesUrl'>,
): PaymentMethod {
  return {
    formTargets: () => [rail.pagesUrl],

    async start({ checkout, wallet, locale, ip }, form) {
      const { attempt: pageToken = '' } = form
      if (!isUuid(pageToken)) return { kind: 'too_late' }
      const problems = customerProblems(checkout, form)
      if (Object.keys(problems).length > 0) return { kind: 'wrong_fields', problems, filledIn: form }
      await addCustomerData(database, checkout, customerOf(form), ip, clock.now())
      const started = await payments.start({
        operation: checkout.operation,
        merchantName: wallet.name,
        pageToken: pageToken.toLowerCase(),
        returnUrl: `${baseUrl}${checkoutPath(checkout.id, locale, methodPart('PAYPAL'))}`,
        language: locale,
      })
      if (started.kind !== 'unavailable') return started
      return {
        kind: 'refused',
        notice: { kind: 'message', ...accountMethodTexts[locale].onlineWallet.unavailable },
      }
    },

    // The browser that comes back proves nothing: the wallet is asked for the state of the order.
    async state({ checkout, locale }) {
      const { attemptId } = checkout.operation
      const attempt = attemptId === undefined ? undefined : await payments.onNotice(attemptId)
      switch (attempt?.state) {
        case 'ASKED':
        case 'APPROVED':
          return { kind: 'waiting', message: accountMethodTexts[locale].onlineWallet.taking }
        case 'DECLINED':
          return { kind: 'open', notice: noticeOf(attempt.failure, locale) }
        default:
          return { kind: 'open' }
      }
    },
  }
}

function noticeOf(failure: string | undefined, locale: Locale): Notice {
  const { failed, unavailable } = accountMethodTexts[locale].onlineWallet
  return { kind: 'message', calm: failure === 'cancelled', ...(failed[failure ?? ''] ?? unavailable) }
}
