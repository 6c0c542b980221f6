// Showing the page on which a method is chosen, and leading back to it.
import type { AppReply } from '../../http/index.ts'
import { randomId } from '../../kernel/ids.ts'
import type { CheckoutPagesDeps } from '../deps.ts'
import { isPaid, type Visit, wayOf } from '../methods/method.ts'
import type { Checkout } from '../model.ts'
import { checkoutPath, renderCheckoutPage } from '../pages/index.ts'
import { withCheckoutId } from '../rules.ts'
import { checkoutPageOf, type PageChange, type PageContext } from '../views/page-views.ts'
import { sendPage } from './page-answers.ts'

/** Options of a route whose answers are pages for a customer. */
export const pageRoute = { config: { auth: 'none', page: true }, schema: { hide: true } } as const

/** Sends the page with the forms; `change` is what a posted form made of it. */
export type ShowCheckout = (reply: AppReply, context: PageContext, change?: PageChange) => AppReply

export function createShowCheckout({ random, ways }: CheckoutPagesDeps): ShowCheckout {
  return (reply, context, change) => {
    const page = checkoutPageOf(context, randomId(random), change)
    const own = page.methods.flatMap((method) => {
      const way = isPaid(context) ? wayOf(ways, method) : undefined
      return way === undefined ? [] : [{ method, way }]
    })
    const visit = context as Visit
    const elsewhere = own.flatMap(({ way }) => way.formTargets?.(visit) ?? [])
    const formTargets = [urlCancelOf(context.checkout), ...elsewhere]
    const panelTexts = Object.fromEntries(
      own.flatMap(({ method, way }) => {
        const text = way.panelText?.(visit)
        return text === undefined ? [] : [[method, text]]
      }),
    )
    return sendPage(reply, renderCheckoutPage({ ...page, panelTexts }), { formTargets })
  }
}

export function toCheckout(reply: AppReply, { checkout, locale }: PageContext): AppReply {
  return reply.redirect(checkoutPath(checkout.id, locale), 303)
}

/** The same for somebody whose answer came too late, because another tab or the time was faster: the page says so. */
export function toCheckoutLate(reply: AppReply, { checkout, locale }: PageContext): AppReply {
  return reply.redirect(latePath(checkoutPath(checkout.id, locale)), 303)
}

/** An address of a checkout's page, on which it tells what became of the payment meanwhile. */
export function latePath(path: string): string {
  return `${path}${path.includes('?') ? '&' : '?'}late`
}

export function urlCancelOf(checkout: Checkout): string {
  return withCheckoutId(checkout.urlCancel, checkout.id)
}
