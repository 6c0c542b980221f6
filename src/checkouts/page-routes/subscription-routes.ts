// The customer's page of a subscription, under a signed link.
import { type App, type AppReply, type AppRequest, isFromOtherSite } from '../../http/index.ts'
import { addDays, lisbonDayOf } from '../../kernel/lisbon.ts'
import { factsOf } from '../../methods/list.ts'
import {
  brandOf,
  loadAssets,
  localeOf,
  pageRoute,
  renderProblemPage,
  renderSubscriptionPage,
  type SubscriptionPage,
  sendPage,
} from '../../pages/index.ts'
import {
  cycleOf,
  findSubscriptionForCustomer,
  leftOf,
  listCharges,
  type Subscription,
} from '../../subscriptions/index.ts'
import type { CheckoutPagesDeps } from '../deps.ts'
import { termsOf } from '../page-views.ts'

const chargesShownMax = 20

export function subscriptionPageRoutes(deps: CheckoutPagesDeps): (app: App) => void {
  const { core, wallets, subscriptions, simulated } = deps
  const { database, clock } = core
  const assets = loadAssets(core.manifestPath)

  async function subscriptionOf(request: AppRequest, reply: AppReply): Promise<Subscription | undefined> {
    const { id, signature } = request.params as { id: string; signature: string }
    const signed = subscriptions.links.isSigned(id, signature)
    const subscription = signed ? await findSubscriptionForCustomer(database, id.toLowerCase()) : undefined
    if (subscription === undefined) {
      const page = { locale: localeOf(request), assets, simulated, problem: 'not_found' } as const
      sendPage(reply.code(404), renderProblemPage(page))
    }
    return subscription
  }

  async function pageOf(request: AppRequest, subscription: Subscription): Promise<SubscriptionPage> {
    const wallet = await wallets.get(subscription.walletId)
    const page = { offset: 0, limit: chargesShownMax }
    const { total, charges } = await listCharges(database, subscription, page)
    return {
      locale: localeOf(request, { fallback: wallet.pageLanguage }),
      assets,
      simulated,
      merchantName: wallet.name,
      brand: brandOf(wallet),
      path: subscriptions.links.pathOf(subscription.id),
      status: subscription.status,
      terms: termsOf(subscription),
      card: subscription.card,
      fromBalance: subscription.method !== undefined && factsOf(subscription.method).payer === 'consumer',
      left: leftNow(subscription),
      charges,
      chargeCount: total,
      now: clock.now(),
      confirming: Object.hasOwn(request.query as object, 'cancel'),
    }
  }

  function toPage(request: AppRequest, reply: AppReply, { id }: Subscription): AppReply {
    return reply.redirect(`${subscriptions.links.pathOf(id)}?lang=${localeOf(request)}`, 303)
  }

  function leftNow(subscription: Subscription): SubscriptionPage['left'] {
    const today = lisbonDayOf(clock.now())
    if (subscription.status !== 'APPROVED' || today < subscription.startDate) return undefined
    const cycle = cycleOf(subscription, today)
    const lastDay = addDays(cycle.nextDay, -1)
    const { endDate } = subscription
    const until = endDate !== undefined && endDate < lastDay ? endDate : lastDay
    return { amount: leftOf(subscription, cycle), until }
  }

  return (app) => {
    app.get('/subscription/:id/:signature', pageRoute, async (request, reply) => {
      const subscription = await subscriptionOf(request, reply)
      if (subscription === undefined) return reply
      return sendPage(reply, renderSubscriptionPage(await pageOf(request, subscription)))
    })

    app.post('/subscription/:id/:signature/cancel', pageRoute, async (request, reply) => {
      const subscription = await subscriptionOf(request, reply)
      if (subscription === undefined) return reply
      if (!isFromOtherSite(request)) await subscriptions.cancel(subscription)
      return toPage(request, reply, subscription)
    })

    // If the customer reloads the page after posting a form, the browser may send a GET.
    app.get('/subscription/:id/:signature/cancel', pageRoute, async (request, reply) => {
      const subscription = await subscriptionOf(request, reply)
      return subscription === undefined ? reply : toPage(request, reply, subscription)
    })
  }
}
