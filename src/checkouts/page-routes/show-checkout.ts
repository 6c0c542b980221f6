// Showing the page on which a method is chosen, and redirecting back to it.
import type { AppReply } from '../../http/index.ts'
import { randomId } from '../../kernel/random.ts'
import { isPaid } from '../../methods/method.ts'
import { checkoutPath, renderCheckoutPage } from '../../pages/index.ts'
import type { CheckoutPagesDeps } from '../deps.ts'
import type { Checkout } from '../model.ts'
import { withCheckoutId } from '../rules.ts'
import { checkoutPageOf, type PageChange, type PageContext } from '../views/page-views.ts'
import { sendPage } from './page-answers.ts'

/** Options of a route whose answers are pages for a customer. */
export const pageRoute = { config: { auth: 'none', page: true }, schema: { hide: true } } as const

/** Sends the page with the forms; `change` is what a posted form made of it. */
export type ShowCheckout = (reply: AppReply, context: PageContext, change?: PageChange) => AppReply

export function createShowCheckout({ random, methods, cardPanel }: CheckoutPagesDeps): ShowCheckout {
  const panels = {
    CC: cardPanel,
    ...Object.fromEntries(methods.all().flatMap(({ code, page }) => (page ? [[code, page.panel]] : []))),
  }
  return (reply, context, change) => {
    const page = checkoutPageOf(context, panels, randomId(random), change)
    const formTargets = [urlCancelOf(context.checkout)]
    if (!isPaid(context)) return sendPage(reply, renderCheckoutPage(page), { formTargets })
    for (const method of page.methods)
      formTargets.push(...(methods.of(method)?.page?.formTargets?.(context) ?? []))
    const panelFacts = Object.fromEntries(
      page.methods.map((method) => [method, methods.of(method)?.page?.panelFacts?.(context)]),
    )
    return sendPage(reply, renderCheckoutPage({ ...page, panelFacts }), { formTargets })
  }
}

export function toCheckout(reply: AppReply, { checkout, locale }: PageContext): AppReply {
  return reply.redirect(checkoutPath(checkout.id, locale), 303)
}

/** The same for a form that came too late, because of another tab or the time: the page says so. */
export function toCheckoutLate(reply: AppReply, { checkout, locale }: PageContext): AppReply {
  return reply.redirect(latePath(checkoutPath(checkout.id, locale)), 303)
}

/** An address of a checkout's page, on which it says what became of the payment meanwhile. */
export function latePath(path: string): string {
  return `${path}${path.includes('?') ? '&' : '?'}late`
}

export function urlCancelOf(checkout: Checkout): string {
  return withCheckoutId(checkout.urlCancel, checkout.id)
}
