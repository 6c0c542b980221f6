// The page with the methods, and redirects to it.
import type { AppReply } from '../../http/index.ts'
import { randomId } from '../../kernel/random.ts'
import type { PageMethod } from '../../methods/list.ts'
import { pageOfVisit } from '../../methods/method.ts'
import { checkoutPath, latePath, type MethodPanel, renderCheckoutPage, sendPage } from '../../pages/index.ts'
import type { CheckoutPagesDeps } from '../deps.ts'
import type { Checkout } from '../model.ts'
import { checkoutPageOf, openOffersOf, type PageChange, type PageContext } from '../page-views.ts'
import { withCheckoutId } from '../rules.ts'

export type ShowCheckout = (reply: AppReply, context: PageContext, change?: PageChange) => Promise<AppReply>

export function createShowCheckout({ core, methods }: CheckoutPagesDeps): ShowCheckout {
  return async (reply, context, change) => {
    const { visit, state } = context
    const last = state.kind === 'open' ? state.notice : undefined
    const offers = openOffersOf(context).flatMap((method) => {
      const page = pageOfVisit(methods, visit, method)
      return page === undefined ? [] : [{ method, page }]
    })
    const panels: { -readonly [Method in PageMethod]?: MethodPanel } = {}
    for (const { method, page } of offers) {
      const form = change?.chosen === method ? change.form : undefined
      panels[method] = await page.panel(visit, { last, form })
    }
    const page = checkoutPageOf(context, panels, randomId(core.random), change)
    const targets = offers.flatMap(({ page }) => page.formTargets?.(visit) ?? [])
    const formTargets = [urlCancelOf(visit.checkout), ...targets]
    return sendPage(reply, renderCheckoutPage(page), { formTargets, embedOrigins: visit.wallet.embedOrigins })
  }
}

export function toCheckout(reply: AppReply, { visit: { checkout, locale } }: PageContext): AppReply {
  return reply.redirect(checkoutPath(checkout.id, locale), 303)
}

export function toCheckoutLate(reply: AppReply, { visit: { checkout, locale } }: PageContext): AppReply {
  return reply.redirect(latePath(checkoutPath(checkout.id, locale)), 303)
}

export function urlCancelOf(checkout: Checkout): string {
  return withCheckoutId(checkout.urlCancel, checkout.id)
}
