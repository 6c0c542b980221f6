// The hosted pages over HTTP: each request shows the page for the checkout's present state.

import { type App, type AppReply, type AppRequest, addressSubject, limitPerMinute } from '../../http/index.ts'
import { unwrap } from '../../kernel/result.ts'
import { asciiAddress } from '../../kernel/values/web-address.ts'
import { type PageMethod, pageMethods, pageOf } from '../../methods/list.ts'
import { type PostedForm, pageOfVisit, type Started } from '../../methods/method.ts'
import {
  checkoutPath,
  loadAssets,
  methodPart,
  renderResultPage,
  renderWaitingPage,
} from '../../pages/index.ts'
import type { CheckoutPagesDeps } from '../deps.ts'
import { failCheckout } from '../end.ts'
import { beyondLimits, unlessBeyondLimits } from '../methods/limits.ts'
import { isPayable } from '../rules.ts'
import { findCheckoutForCustomer } from '../store.ts'
import { subjectOf } from '../subject-rules.ts'
import { lacksDelivery } from '../views/delivery.ts'
import { createKeptCards } from '../views/kept-card.ts'
import { frameOf, offersOf, openOffersOf, type PageContext, waitingPageOf } from '../views/page-views.ts'
import { resultPageOf, unpayablePageOf } from '../views/result-views.ts'
import { giveProof, takeProof } from './acceptance-cookie.ts'
import { cardPageRoutes } from './card-routes.ts'
import { deliveryRoutes } from './delivery-routes.ts'
import { formOf, sendPage } from './page-answers.ts'
import { createContextOf, currentState } from './page-context.ts'
import { createShowCheckout, pageRoute, toCheckout, toCheckoutLate, urlCancelOf } from './show-checkout.ts'
import { createStateStreams } from './waiting.ts'

/** More than a family at one address needs; each try of a PIN costs the gateway a hash. */
const logInsPerMinute = 20

export function checkoutPageRoutes(deps: CheckoutPagesDeps): (app: App) => void {
  const assets = loadAssets(deps.manifestPath)
  const countLogIn = limitPerMinute('wallet log-ins', logInsPerMinute)
  const limitLogIns = async (request: AppRequest, reply: AppReply) =>
    unwrap(countLogIn(request, reply, addressSubject(request.ip)))
  const contextOf = createContextOf(deps, assets)
  const showCheckout = createShowCheckout(deps)
  const keptCards = createKeptCards(deps)
  const parts = { assets, contextOf, showCheckout }
  const registers = [cardPageRoutes(deps, parts), deliveryRoutes(deps, parts)]

  function show(reply: AppReply, context: PageContext, choosing: boolean): AppReply {
    const { state } = context
    switch (state.kind) {
      case 'open':
        return openOffersOf(context).length === 0
          ? sendPage(reply, renderResultPage(unpayablePageOf(context)))
          : showCheckout(reply, context)
      case 'waiting':
        if (state.leadsToBank === true)
          return reply.redirect(checkoutPath(context.checkout.id, context.locale, 'bank'), 303)
        return sendPage(reply, renderWaitingPage(waitingPageOf(context, state)))
      case 'shown':
        if (choosing && openOffersOf(context).length > 0) return showCheckout(reply, context)
        return sendPage(reply, state.render(frameOf(context)), {
          formTargets: [urlCancelOf(context.checkout)],
        })
      case 'over':
        forgetCard(reply, context)
        if (context.mayManage) takeProof(reply, context.checkout)
        return sendPage(reply, renderResultPage(resultPageOf(context)))
    }
  }

  /** Once the checkout is over, the kept card is forgotten. */
  function forgetCard(reply: AppReply, { checkout, keptCard }: PageContext): void {
    if (keptCard !== undefined) keptCards.forget(reply, checkout.id)
  }

  async function start(context: PageContext, method: PageMethod, form: PostedForm): Promise<Started> {
    const { state, checkout, now } = context
    if (lacksDelivery(checkout)) return { kind: 'too_late' }
    const choosable = (state.kind === 'open' || state.kind === 'shown') && isPayable(checkout, now)
    if (!choosable) return { kind: 'too_late' }
    const beyond = await beyondLimits(deps, context)
    const page = pageOfVisit(deps.methods, context, method)
    if (page === undefined) return { kind: 'too_late' }
    return beyond ?? unlessBeyondLimits(context.locale, () => page.start(form))
  }

  /** What was started is in the checkout as it is now. */
  async function prove(reply: AppReply, { checkout, links }: PageContext): Promise<void> {
    if (checkout.subscription === undefined) return
    const started = await findCheckoutForCustomer(deps.database, checkout.id)
    if (started !== undefined) giveProof(reply, links, started)
  }

  return (app) => {
    const streams = createStateStreams(app)
    for (const register of registers) register(app)

    // `choose` shows the methods again in place of what the chosen one shows; `other` preselects another one than
    // the customer left.
    app.get('/checkout/:id', pageRoute, async (request, reply) => {
      const context = await contextOf(request, reply)
      if (context === undefined) return reply
      const asked = request.query as object
      const leavesMethod = Object.hasOwn(asked, 'other')
      return show(reply, { ...context, leavesMethod }, Object.hasOwn(asked, 'choose'))
    })

    for (const method of pageMethods) {
      // Cards have routes of their own.
      if (method === 'CC') continue
      const limited = pageOf(method).logsIn === true ? { ...pageRoute, preHandler: limitLogIns } : pageRoute
      app.post(`/checkout/:id/${methodPart(method)}`, limited, async (request, reply) => {
        const context = await contextOf(request, reply)
        if (context === undefined) return reply
        if (!offersOf(context).includes(method)) return toCheckoutLate(reply, context)
        const started = await start(context, method, formOf(request))
        switch (started.kind) {
          case 'started':
            await prove(reply, context)
            return toCheckout(reply, context)
          case 'too_late':
            return toCheckoutLate(reply, context)
          case 'redirect':
            await prove(reply, context)
            return reply.redirect(asciiAddress(started.url), 303)
          case 'wrong_fields': {
            const { problems: errors, filledIn = {} } = started
            return showCheckout(reply.code(422), context, { chosen: method, errors, filledIn })
          }
          case 'refused': {
            const { notice, filledIn = {}, retrySeconds } = started
            if (retrySeconds === undefined) reply.code(422)
            else reply.code(429).header('retry-after', String(retrySeconds))
            return showCheckout(reply, context, { chosen: method, errors: {}, filledIn, notice })
          }
        }
      })
    }

    app.post('/checkout/:id/withdraw', pageRoute, async (request, reply) => {
      const context = await contextOf(request, reply)
      if (context === undefined) return reply
      const { state, checkout, locale } = context
      if (context.attempt !== undefined) await deps.cards.leaveCardForm(context.attempt)
      else if (state.kind === 'waiting' && state.withdraw !== undefined)
        await pageOfVisit(deps.methods, context, subjectOf(checkout).method)?.withdraw()
      const other = formOf(request).next === 'method' ? '&other' : ''
      return reply.redirect(checkoutPath(checkout.id, locale) + other, 303)
    })

    app.post('/checkout/:id/cancel', pageRoute, async (request, reply) => {
      const context = await contextOf(request, reply)
      if (context === undefined) return reply
      const cancelled = await failCheckout(deps, context.checkout, 'cancelled')
      forgetCard(reply, context)
      return cancelled
        ? reply.redirect(asciiAddress(urlCancelOf(context.checkout)), 303)
        : toCheckoutLate(reply, context)
    })

    // A reload of the page that answered a form comes here, as GET.
    for (const part of [...pageMethods.map(methodPart), 'cancel', 'withdraw']) {
      app.get(`/checkout/:id/${part}`, pageRoute, async (request, reply) => {
        const context = await contextOf(request, reply)
        return context === undefined ? reply : toCheckout(reply, context)
      })
    }

    app.get('/checkout/:id/events', pageRoute, async (request, reply) => {
      const context = await contextOf(request, reply)
      if (context === undefined) return reply
      const { id } = context.checkout
      return streams.stream(request, reply, id, () => currentState(deps, id))
    })
  }
}
