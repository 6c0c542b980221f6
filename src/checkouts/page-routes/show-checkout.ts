// Showing the page on which a method is chosen, and redirecting back to it.
import type { AppReply } from '../../http/index.ts'
import { randomId } from '../../kernel/random.ts'
import { checkoutPath, renderCheckoutPage } from '../../pages/index.ts'
import type { CheckoutPagesDeps } from '../deps.ts'
import { isPaid, paymentMethodOf, type Visit } from '../methods/payment-method.ts'
import type { Checkout } from '../model.ts'
import { withCheckoutId } from '../rules.ts'
import { checkoutPageOf, type PageChange, type PageContext } from '../views/page-views.ts'
import { sendPage } from './page-answers.ts'

/** Options of a route whose answers are pages for a customer. */
export const pageRoute = { config: { auth: 'none', page: true }, schema: { hide: true } } as const

/** Sends the page with the forms; `change` is what a posted form made of it. */
export type ShowCheckout = (reply: AppReply, context: PageContext, change?: PageChange) => AppReply

export function createShowCheckout({ random, paymentMethods }: CheckoutPagesDeps): ShowCheckout {
  return (reply, context, change) => {
    const page = checkoutPageOf(context, randomId(random), change)
    const implemented = page.methods.flatMap((method) => {
      const own = isPaid(context) ? paymentMethodOf(paymentMethods, method) : undefined
      return own === undefined ? [] : [{ method, own }]
    })
    const visit = context as Visit
    const elsewhere = implemented.flatMap(({ own }) => own.formTargets?.(visit) ?? [])
    const formTargets = [urlCancelOf(context.checkout), ...elsewhere]
    const panels = Object.fromEntries(
      implemented.flatMap(({ method, own }) => {
        const facts = own.panel?.(visit)
        return facts === undefined ? [] : [[method, facts]]
      }),
    )
    return sendPage(reply, renderCheckoutPage({ ...page, panels }), { formTargets })
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
