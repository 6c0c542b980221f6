// The customer's page of a subscription, under a signed link.
import { type App, type AppReply, type AppRequest, isFromOtherSite } from '../../http/index.ts'
import { addDays, lisbonDayOf } from '../../kernel/lisbon.ts'
import { factsOf } from '../../methods/list.ts'
import {
  brandOf,
  loadAssets,
  localeOf,
  type OpenChargePage,
  pageRoute,
  renderOpenChargePage,
  renderProblemPage,
  renderSubscriptionPage,
  type SubscriptionPage,
  sendPage,
} from '../../pages/index.ts'
import {
  type AutoCharge,
  cycleOf,
  findAutoCharge,
  findChargeById,
  findSubscriptionForCustomer,
  leftOf,
  listCharges,
  type Subscription,
} from '../../subscriptions/index.ts'
import type { CheckoutPagesDeps } from '../deps.ts'
import { termsOf } from '../page-views.ts'

const chargesShownMax = 20

function retryOf({ outcome, retryOn }: AutoCharge) {
  return outcome === 'RETRYING' ? retryOn : undefined
}

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
      openCharge: await openNow(subscription),
    }
  }

  async function openNow(subscription: Subscription): Promise<SubscriptionPage['openCharge']> {
    if (!subscription.autoCharged) return undefined
    const auto = await findAutoCharge(database, subscription)
    if (auto === undefined || (await subscriptions.openState(subscription, auto)) !== 'open') return undefined
    return { amount: auto.chargedAmount ?? auto.amount, retryOn: retryOf(auto) }
  }

  async function openChargeOf(request: AppRequest, reply: AppReply) {
    const { id, charge, signature } = request.params as { id: string; charge: string; signature: string }
    const signed = subscriptions.links.isOpenChargeSigned(id, charge, signature)
    const subscription = signed ? await findSubscriptionForCustomer(database, id.toLowerCase()) : undefined
    const auto = subscription && (await findAutoCharge(database, subscription))
    if (subscription === undefined || auto === undefined) {
      const page = { locale: localeOf(request), assets, simulated, problem: 'not_found' } as const
      sendPage(reply.code(404), renderProblemPage(page))
      return undefined
    }
    return { subscription, auto, chargeId: charge.toLowerCase() }
  }

  async function openChargePage(
    request: AppRequest,
    { subscription, auto, chargeId }: { subscription: Subscription; auto: AutoCharge; chargeId: string },
  ): Promise<OpenChargePage> {
    const wallet = await wallets.get(subscription.walletId)
    const failed = await findChargeById(database, subscription.walletId, chargeId)
    const isLatest = failed?.number !== undefined && failed.number === auto.number
    return {
      locale: localeOf(request, { fallback: wallet.pageLanguage }),
      ...{ assets, simulated, merchantName: wallet.name, brand: brandOf(wallet) },
      path: subscriptions.links.openChargePathOf(subscription.id, chargeId),
      description: subscription.description,
      card: subscription.card,
      state: isLatest ? await stateOf(subscription, auto) : 'over',
      charge: { amount: failed?.amount ?? auto.amount, retryOn: retryOf(auto) },
    }
  }

  async function stateOf(subscription: Subscription, auto: AutoCharge): Promise<OpenChargePage['state']> {
    const { outcome } = auto
    if (outcome === 'PAID') return 'paid'
    const state = await subscriptions.openState(subscription, auto)
    if (state !== 'over') return state
    const isBusy = outcome === 'CHARGING' || outcome === 'REFUSED'
    return isBusy && subscription.status === 'APPROVED' ? 'busy' : 'over'
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
    app.get('/subscription/:id/charge/:charge/:signature', pageRoute, async (request, reply) => {
      const open = await openChargeOf(request, reply)
      return open === undefined
        ? reply
        : sendPage(reply, renderOpenChargePage(await openChargePage(request, open)))
    })

    app.post('/subscription/:id/charge/:charge/:signature/retry', pageRoute, async (request, reply) => {
      const open = await openChargeOf(request, reply)
      if (open === undefined) return reply
      const { state, path } = await openChargePage(request, open)
      if (state === 'open' && !isFromOtherSite(request)) await subscriptions.tryAgain(open.subscription)
      return reply.redirect(`${path}?lang=${localeOf(request)}`, 303)
    })

    // A reload after a posted form arrives as GET.
    app.get('/subscription/:id/charge/:charge/:signature/retry', pageRoute, async (request, reply) => {
      const open = await openChargeOf(request, reply)
      if (open === undefined) return reply
      const path = subscriptions.links.openChargePathOf(open.subscription.id, open.chargeId)
      return reply.redirect(`${path}?lang=${localeOf(request)}`, 303)
    })

    app.post('/subscription/:id/:signature/retry', pageRoute, async (request, reply) => {
      const subscription = await subscriptionOf(request, reply)
      if (subscription === undefined) return reply
      if (!isFromOtherSite(request)) await subscriptions.tryAgain(subscription)
      return toPage(request, reply, subscription)
    })

    app.get('/subscription/:id/:signature/retry', pageRoute, async (request, reply) => {
      const subscription = await subscriptionOf(request, reply)
      return subscription === undefined ? reply : toPage(request, reply, subscription)
    })

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
