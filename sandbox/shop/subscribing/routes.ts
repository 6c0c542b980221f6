// The addresses of the shop's page to subscribe on: what its forms post to, the way back, and its events.
import type { App } from '../../../src/http/index.ts'
import { sandboxPage } from '../../route-options.ts'
import type { ShopContext } from '../context.ts'
import { type FormWork, formRoutes } from '../forms.ts'
import type { LiveStreams } from '../live.ts'
import { requestId } from '../to-gateway.ts'
import { textsOf, type Visitors } from '../visitors.ts'
import { subscriptionPath, subscriptionsPath } from './addresses.ts'
import { chargeNow, endNow } from './charge.ts'
import { lookAgain } from './look.ts'
import { subscribingPage, subscribingPlaces } from './page.ts'
import { shownOf } from './shown.ts'
import { comeBackSubscribed, subscribe } from './subscribe.ts'

const forms: Readonly<Record<string, FormWork>> = {
  [subscriptionsPath]: subscribe,
  [`${subscriptionsPath}/charge`]: chargeNow,
  [`${subscriptionsPath}/cancel`]: endNow,
  [`${subscriptionsPath}/look`]: lookAgain,
}

export function subscribingRoutes(
  app: App,
  context: ShopContext,
  visitors: Visitors,
  streams: LiveStreams,
): void {
  const { visitOf, show } = visitors

  app.get(subscriptionsPath, sandboxPage, (request, reply) =>
    show(request, reply, {
      address: subscriptionPath,
      draw: (ground, query) =>
        subscribingPage(ground, shownOf({ ...ground, now: context.clock.now() }, query)),
    }),
  )

  formRoutes(app, context, visitors, forms)

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
      places: (session) =>
        subscribingPlaces(shownOf({ visit, session, attempt, now: context.clock.now() }, query)),
    })
  })
}
