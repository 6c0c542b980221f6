// Payment of a checkout from an online wallet.
import { cents } from '../../kernel/money.ts'
import { isUuid } from '../../kernel/random.ts'
import type { CustomerEngine } from '../../operations/for-methods.ts'
import {
  customerFields,
  fieldId,
  html,
  type Locale,
  type MethodPanel,
  type Notice,
  type PanelContext,
  texts,
} from '../../pages/index.ts'
import { customerOf, customerProblems } from '../contact.ts'
import type { MethodPage, PaidCheckout, SubscribingCheckout } from '../method.ts'
import { type NewWalletAttempt, startAttempt } from './attempts.ts'
import { paypal } from './facts.ts'
import { paypalTexts } from './i18n.ts'
import type { PaypalDeps, WalletAttempt, WalletDetails } from './model.ts'

export function paypalPage(
  deps: PaypalDeps,
  engine: CustomerEngine<WalletDetails>,
  follow: (key: string) => Promise<WalletAttempt | undefined>,
): MethodPage<PaidCheckout | SubscribingCheckout> {
  return {
    panel: () => paypalPanel,
    formTargets: () => [deps.rail.pagesUrl],

    async start(visit, form) {
      const { checkout, wallet, locale } = visit
      const { attempt: pageToken = '' } = form
      if (!isUuid(pageToken)) return { kind: 'too_late' }
      const problems = customerProblems(checkout, form)
      if (Object.keys(problems).length > 0) return { kind: 'wrong_fields', problems, filledIn: form }
      await visit.keepCustomer(customerOf(form))
      const started = await startAttempt(deps, engine, {
        ...orderOf(checkout),
        merchantName: wallet.name,
        pageToken: pageToken.toLowerCase(),
        returnUrl: visit.returnUrl(paypal.code),
        language: locale,
      })
      if (started.kind !== 'unavailable') return started
      return { kind: 'refused', notice: { kind: 'message', ...paypalTexts[locale].unavailable } }
    },

    async state({ checkout, locale }) {
      const { attemptId } = checkout.operation ?? checkout.subscription
      const attempt = attemptId === undefined ? undefined : await follow(attemptId)
      switch (attempt?.state) {
        case 'ASKED':
        case 'APPROVED':
          return { kind: 'waiting', message: paypalTexts[locale].taking }
        case 'DECLINED':
          return { kind: 'open', notice: noticeOf(attempt.failure, locale) }
        default:
          return { kind: 'open' }
      }
    },
  }
}

/** An order of 0 accepts a subscription that begins without a payment. */
function orderOf(
  checkout: PaidCheckout | SubscribingCheckout,
): Pick<NewWalletAttempt, 'owner' | 'subject' | 'saves'> {
  const { operation, subscription } = checkout
  if (operation !== undefined)
    return { owner: 'checkout', subject: operation, saves: subscription !== undefined }
  const { id, walletId, currency } = checkout.subscription
  const subject = { id, walletId, currency, type: 'PAYMENT', amount: cents(0) } as const
  return { owner: 'subscription', subject, saves: true }
}

function noticeOf(failure: string | undefined, locale: Locale): Notice {
  const { failed, unavailable } = paypalTexts[locale]
  return { kind: 'message', calm: failure === 'cancelled', ...(failed[failure ?? ''] ?? unavailable) }
}

const idPrefix = 'paypal'

export const paypalPanel: MethodPanel = {
  render: paypalForm,
  fieldId: (name) => fieldId(idPrefix, name),
}

function paypalForm(context: PanelContext): string {
  const { locale, attemptToken, kind, terms } = context.page
  const words = paypalTexts[locale]
  const paying = terms === undefined ? words.explained : words.explainedSaving
  const explained = kind === 'subscription' ? words.explainedAccepting : paying
  return html`<form method="post" action="${context.path}" data-checked-form data-leaves-frame data-busy="${texts[locale].submitting}">
<input type="hidden" name="attempt" value="${attemptToken}">
<p>${explained}</p>
!${customerFields(context, idPrefix)}
<button type="submit" class="primary" data-submit>${words.submit}</button>
<p class="visually-hidden" role="status" data-status></p>
</form>`
}
