// The demo shop's addresses: its page, what its forms post to, where the browser comes back to, and its events.
import type { App } from '../../http/index.ts'
import { sandboxPage } from '../route-options.ts'
import { type Problem, pagePath, type Visit } from './addresses.ts'
import type { Form } from './bodies.ts'
import type { ShopContext } from './context.ts'
import type { LiveStreams } from './live.ts'
import { shopPath } from './model.ts'
import { createOnce } from './once.ts'
import { comeBack } from './outcome.ts'
import { orderNotice, ordersTable, shopPage } from './page.ts'
import { forgetCard, payOnCheckout, payWithFields, payWithToken, storeCard } from './pay.ts'
import { textsOf, type Visitors } from './visitors.ts'
import { words } from './words.ts'

const posts: Readonly<Record<string, (context: ShopContext, visit: Visit, form: Form) => Promise<string>>> = {
  checkouts: payOnCheckout,
  payments: payWithFields,
  'payments-by-token': payWithToken,
  cards: storeCard,
  'cards/forget': forgetCard,
}

export function shopRoutes(
  app: App,
  context: ShopContext,
  { visitOf, show }: Visitors,
  streams: LiveStreams,
): void {
  const once = createOnce()

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

  for (const [path, pay] of Object.entries(posts)) {
    app.post(`${shopPath}/${path}`, sandboxPage, async (request, reply) => {
      const form = textsOf(request.body)
      const visit = visitOf(request, form)
      const next = await once([path, ...Object.values(form)], () => pay(context, visit, form))
      return reply.redirect(next, 303)
    })
  }

  app.get(`${shopPath}/return`, sandboxPage, async (request, reply) => {
    const query = textsOf(request.query)
    return reply.redirect(await comeBack(context, visitOf(request, query), query.order ?? ''), 303)
  })

  app.get(`${shopPath}/events`, sandboxPage, (request, reply) => {
    const query = textsOf(request.query)
    const visit = visitOf(request, query)
    return streams.stream(request, reply, {
      visit,
      seen: String(request.headers['last-event-id'] ?? query.after ?? ''),
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
