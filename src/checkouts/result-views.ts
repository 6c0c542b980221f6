// View models of ended checkouts.
import { pageMethods } from '../methods/list.ts'
import type { Outcome, Receipt, ResultPage } from '../pages/index.ts'
import type { Checkout } from './model.ts'
import { frameOf, type PageContext } from './page-views.ts'
import { withCheckoutId } from './rules.ts'
import { subjectOf } from './subject-rules.ts'

export function resultPageOf(context: PageContext): ResultPage {
  const { visit, site, mayManage } = context
  const { checkout } = visit
  const { card, status } = subjectOf(checkout)
  const { subscription } = checkout
  const manage = mayManage && subscription !== undefined ? site.links.pathOf(subscription.id) : undefined
  const receipt = status === 'COMPLETED' ? receiptOf(checkout) : undefined
  const outcome = outcomeOf(checkout)
  return { ...frameOf(context), outcome, receipt, card, manage, backToLink: backToLinkOf(context, outcome) }
}

function backToLinkOf({ visit, site }: PageContext, outcome: Outcome): string | undefined {
  const { checkout, locale } = visit
  const url = 'urlConfirm' in outcome ? outcome.urlConfirm : outcome.urlCancel
  return site.backTo(checkout, url, locale)
}

function receiptOf(checkout: Checkout): Receipt {
  const { id, method, phone, settledAt } = subjectOf(checkout)
  return {
    method: pageMethods.find((known) => known === method),
    phone: phone === undefined ? undefined : maskedPhone(phone),
    at: settledAt,
    number: id,
  }
}

const phoneEndLength = 3

/** Only the owner recognizes it; anyone with the address may open the page. */
function maskedPhone(phone: string): string {
  return `${phone.slice(0, 4)} \u2022\u2022\u2022 ${phone.slice(-phoneEndLength)}`
}

export function unpayablePageOf(context: PageContext): ResultPage {
  const { checkout, wallet } = context.visit
  const { urlCancel, id } = checkout
  const kind = wallet.suspendedAt === undefined ? 'too_many_cards' : 'suspended'
  const outcome = { kind, urlCancel: withCheckoutId(urlCancel, id) } as const
  return { ...frameOf(context), outcome, card: undefined, backToLink: backToLinkOf(context, outcome) }
}

const succeededAs = { payment: 'paid', authorization: 'reserved', subscription: 'accepted' } as const

function outcomeOf(checkout: Checkout): Outcome {
  const { status, error } = subjectOf(checkout)
  const urlConfirm = withCheckoutId(checkout.urlConfirm, checkout.id)
  const urlCancel = withCheckoutId(checkout.urlCancel, checkout.id)
  if (status === 'COMPLETED') return { kind: succeededAs[checkout.kind], urlConfirm }
  if (status === 'VOIDED') return { kind: 'voided', urlCancel }
  if (status === 'FAIL')
    return {
      kind: error === 'cancelled' ? 'cancelled' : error === 'expired' ? 'expired' : 'failed',
      urlCancel,
    }
  return { kind: 'expired', urlCancel }
}
