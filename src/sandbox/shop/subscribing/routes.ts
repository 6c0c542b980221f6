// The addresses of the shop's page to subscribe on: what its forms post to, the way back, and its events.
import type { App } from '../../../http/index.ts'
import { sandboxPage } from '../../route-options.ts'
import type { Visit } from '../addresses.ts'
import type { Form } from '../bodies.ts'
import type { ShopContext } from '../context.ts'
import type { LiveStreams } from '../live.ts'
import { createOnce } from '../once.ts'
import { requestId } from '../to-gateway.ts'
import { textsOf, type Visitors } from '../visitors.ts'
import { subscriptionPath, subscriptionsPath } from './addresses.ts'
import { chargeNow, endNow } from './charge.ts'
import { lookAgain } from './look.ts'
import { subscribingPage, subscribingPlaces } from './page.ts'
import { shownOf } from './shown.ts'
import { comeBackSubscribed, subscribe } from './subscribe.ts'

const posts: Readonly<Record<string, (context: ShopContext, visit: Visit, form: Form) => Promise<string>>> = {
  '': subscribe,
  '/charge': chargeNow,
  '/cancel': endNow,
  '/look': lookAgain,
}

export function subscribingRoutes(
  app: App,
  context: ShopContext,
  { visitOf, show }: Visitors,
  streams: LiveStreams,
): void {
  const once = createOnce()

  app.get(subscriptionsPath, sandboxPage, (request, reply) =>
    show(request, reply, {
      address: subscriptionPath,
      draw: (ground, query) =>
        subscribingPage(ground, shownOf({ ...ground, now: context.clock.now() }, query)),
    }),
  )

  for (const [path, work] of Object.entries(posts)) {
    app.post(`${subscriptionsPath}${path}`, sandboxPage, async (request, reply) => {
      const form = textsOf(request.body)
      const visit = visitOf(request, form)
      const next = await once([path, ...Object.values(form)], () => work(context, visit, form))
      return reply.redirect(next, 303)
    })
  }

  app.get(`${subscriptionsPath}/return`, sandboxPage, async (request, reply) => {
    const query = textsOf(request.query)
    const visit = visitOf(request, query)
    return reply.redirect(await comeBackSubscribed(context, visit, query.subscription ?? ''), 303)
  })

  app.get(`${subscriptionsPath}/events`, sandboxPage, (request, reply) => {
    const query = textsOf(request.query)
    const visit = visitOf(request, query)
    const attempt = requestId(context)
    return streams.stream(request, reply, {
      visit,
      seen: String(request.headers['last-event-id'] ?? query.after ?? ''),
      places: (session) =>
        subscribingPlaces(shownOf({ visit, session, attempt, now: context.clock.now() }, query)),
    })
  })
}
