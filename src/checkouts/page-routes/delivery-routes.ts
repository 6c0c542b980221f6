// Routes of the delivery address form.
import type { App } from '../../http/index.ts'
import { type AddressForm, readAddress } from '../../methods/address.ts'
import { formOf, pageRoute } from '../../pages/index.ts'
import type { PageContext } from '../page-views.ts'
import { asksDelivery, isPayable } from '../rules.ts'
import type { ContextOf } from './page-context.ts'
import { type ShowCheckout, toCheckout } from './show-checkout.ts'

export interface DeliveryParts {
  readonly contextOf: ContextOf
  readonly showCheckout: ShowCheckout
}

export function deliveryRoutes({ contextOf, showCheckout }: DeliveryParts): (app: App) => void {
  return (app) => {
    app.get('/checkout/:id/delivery', pageRoute, async (request, reply) => {
      const context = await contextOf(request, reply)
      if (context === undefined) return reply
      if (!mayTell(context)) return toCheckout(reply, context)
      return showCheckout(reply, context, { chosen: 'delivery', errors: {}, filledIn: {} })
    })

    app.post('/checkout/:id/delivery', pageRoute, async (request, reply) => {
      const context = await contextOf(request, reply)
      if (context === undefined) return reply
      if (!mayTell(context)) return toCheckout(reply, context)
      const form: AddressForm = formOf(request)
      const read = readAddress(form)
      if (!read.ok) {
        const change = { chosen: 'delivery', errors: read.problems, filledIn: form } as const
        return showCheckout(reply.code(422), context, change)
      }
      await context.visit.keepCustomer({ address: read.address })
      return toCheckout(reply, context)
    })
  }
}

function mayTell({ visit: { checkout }, state, now }: PageContext): boolean {
  return (
    asksDelivery(checkout) && (state.kind === 'open' || state.kind === 'shown') && isPayable(checkout, now)
  )
}
