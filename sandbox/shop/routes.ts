// The demo shop's addresses: its page, what its forms post to, where the browser comes back to, and its events.
import type { App } from '../../src/http/index.ts'
import { sandboxPage } from '../route-options.ts'
import { type Problem, pagePath } from './addresses.ts'
import type { ShopContext } from './context.ts'
import { type FormWork, formRoutes } from './forms.ts'
import type { LiveStreams } from './live.ts'
import { shopPath } from './model.ts'
import { comeBack } from './outcome.ts'
import { orderNotice, ordersTable, shopPage } from './page.ts'
import { forgetCard, payOnCheckout, payWithFields, payWithToken, storeCard } from './pay.ts'
import { textsOf, type Visitors } from './visitors.ts'
import { words } from './words.ts'

const forms: Readonly<Record<string, FormWork>> = {
  [`${shopPath}/checkouts`]: payOnCheckout,
  [`${shopPath}/payments`]: payWithFields,
  [`${shopPath}/payments-by-token`]: payWithToken,
  [`${shopPath}/cards`]: storeCard,
  [`${shopPath}/cards/forget`]: forgetCard,
}

export function shopRoutes(app: App, context: ShopContext, visitors: Visitors, streams: LiveStreams): void {
  const { visitOf, show } = visitors

  app.get(shopPath, sandboxPage, (request, reply) =>
    show(request, reply, {
      address: pagePath,
      draw: (ground, query) =>
        shopPage({
          ...ground,
          order: ground.session.orders.get(query.order ?? ''),
          problem: problemOf(query.problem),
        }),
    }),
  )

  formRoutes(app, context, visitors, forms)

  app.get(`${shopPath}/return`, sandboxPage, async (request, reply) => {
    const query = textsOf(request.query)
    return reply.redirect(await comeBack(context, visitOf(request, query), query.order ?? ''), 303)
  })

  app.get(`${shopPath}/events`, sandboxPage, (request, reply) => {
    const query = textsOf(request.query)
    const visit = visitOf(request, query)
    return streams.stream(request, reply, {
      visit,
      places: (session) => ({
        orders: ordersTable(session, visit),
        notice: orderNotice(session.orders.get(query.order ?? ''), visit),
      }),
    })
  })
}

function problemOf(text: string | undefined): Problem | undefined {
  return text !== undefined && Object.hasOwn(words.en.problems, text) ? (text as Problem) : undefined
}
