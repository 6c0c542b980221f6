// Routes of the hosted pages.
import { type App, type AppReply, type AppRequest, addressSubject, limitPerMinute } from '../../http/index.ts'
import { RefusalError, unwrap } from '../../kernel/result.ts'
import { asciiAddress } from '../../kernel/values/web-address.ts'
import { type PageMethod, pageMethods, pageOf } from '../../methods/list.ts'
import { type PostedForm, pageOfVisit, type Started, type Visit } from '../../methods/method.ts'
import { withinLimits } from '../../operations/index.ts'
import {
  checkoutPath,
  createStateStreams,
  formOf,
  type Locale,
  loadAssets,
  methodPart,
  pageRoute,
  renderResultPage,
  renderWaitingPage,
  sendPage,
  texts,
} from '../../pages/index.ts'
import type { CheckoutPagesDeps, CheckoutsDeps } from '../deps.ts'
import { failCheckout } from '../end.ts'
import type { Checkout } from '../model.ts'
import {
  frameOf,
  offersOf,
  openOffersOf,
  type PageContext,
  resultPageOf,
  unpayablePageOf,
  waitingPageOf,
} from '../page-views.ts'
import { isPayable, lacksDelivery, subjectOf } from '../rules.ts'
import { findCheckoutForCustomer } from '../store.ts'
import { deliveryRoutes } from './delivery-routes.ts'
import { createContextOf, currentState, giveProof, takeProof } from './page-context.ts'
import {
  createShowCheckout,
  type ShowCheckout,
  toCheckout,
  toCheckoutLate,
  urlCancelOf,
} from './show-checkout.ts'

/** A family needs fewer, and each PIN costs the time of a hash. */
const logInsPerMinute = 20

export function checkoutPageRoutes(deps: CheckoutPagesDeps): (app: App) => void {
  const { core, methods } = deps
  const countLogIn = limitPerMinute('wallet log-ins', logInsPerMinute)
  const limitLogIns = async (request: AppRequest, reply: AppReply) =>
    unwrap(countLogIn(request, reply, addressSubject(request.ip)))
  const contextOf = createContextOf(deps, loadAssets(core.manifestPath))
  const showCheckout = createShowCheckout(deps)
  const registerDelivery = deliveryRoutes({ contextOf, showCheckout })
  const { show, forget } = createShow(deps, showCheckout)
  const { start, prove } = createStarting(deps)

  return (app) => {
    const streams = createStateStreams(app)
    registerDelivery(app)
    for (const method of methods.all()) {
      method.pageRoutes?.(app, async (request, reply) => {
        const context = await contextOf(request, reply)
        return context && { visit: context.visit, state: context.state, frame: frameOf(context) }
      })
    }

    // `choose` shows the methods again; `other` preselects another method.
    app.get('/checkout/:id', pageRoute, async (request, reply) => {
      const context = await contextOf(request, reply)
      if (context === undefined) return reply
      const asked = request.query as object
      const leavesMethod = Object.hasOwn(asked, 'other')
      return show(reply, { ...context, leavesMethod }, Object.hasOwn(asked, 'choose'))
    })

    for (const method of pageMethods) {
      const limited = pageOf(method).logsIn === true ? { ...pageRoute, preHandler: limitLogIns } : pageRoute
      app.post(`/checkout/:id/${methodPart(method)}`, limited, async (request, reply) => {
        const context = await contextOf(request, reply)
        if (context === undefined) return reply
        if (!offersOf(context).includes(method)) return toCheckoutLate(reply, context)
        const form = formOf(request)
        const started = await start(context, method, form)
        switch (started.kind) {
          case 'started':
            await prove(context, started.attemptId)
            return toCheckout(reply, context)
          case 'too_late':
            return toCheckoutLate(reply, context)
          case 'redirect':
            await prove(context, started.attemptId)
            return reply.redirect(asciiAddress(started.url), 303)
          case 'wrong_fields': {
            const { problems: errors, filledIn = {} } = started
            return showCheckout(reply.code(422), context, { chosen: method, form, errors, filledIn })
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
      const { state, visit } = context
      const { checkout, locale } = visit
      if (state.kind === 'waiting' && (state.withdraw !== undefined || state.leadsToBank === true))
        await pageOfVisit(methods, visit, subjectOf(checkout).method)?.withdraw?.(visit)
      const other = formOf(request).next === 'method' ? '&other' : ''
      return reply.redirect(checkoutPath(checkout.id, locale) + other, 303)
    })

    app.post('/checkout/:id/cancel', pageRoute, async (request, reply) => {
      const context = await contextOf(request, reply)
      if (context === undefined) return reply
      const cancelled = await failCheckout(deps, context.visit.checkout, 'cancelled')
      forget(context)
      if (!cancelled) return toCheckoutLate(reply, context)
      // The shop's page must not open in its own frame. It gets an event instead.
      return formOf(request).framed === undefined
        ? reply.redirect(asciiAddress(urlCancelOf(context.visit.checkout)), 303)
        : toCheckout(reply, context)
    })

    // If the customer reloads the page after posting a form, the browser may send a GET.
    for (const part of [...pageMethods.map(methodPart), 'cancel', 'withdraw']) {
      app.get(`/checkout/:id/${part}`, pageRoute, async (request, reply) => {
        const context = await contextOf(request, reply)
        return context === undefined ? reply : toCheckout(reply, context)
      })
    }

    app.get('/checkout/:id/events', pageRoute, async (request, reply) => {
      const context = await contextOf(request, reply)
      if (context === undefined) return reply
      const { visit } = context
      return streams.stream(request, reply, visit.checkout.id, () => currentState(deps, visit))
    })
  }
}

/** Shows the page of the checkout's state. */
function createShow({ methods }: CheckoutPagesDeps, showCheckout: ShowCheckout) {
  async function show(reply: AppReply, context: PageContext, choosing: boolean): Promise<AppReply> {
    const { state, visit } = context
    const { embedOrigins } = visit.wallet
    switch (state.kind) {
      case 'open':
        return openOffersOf(context).length === 0
          ? sendPage(reply, renderResultPage(unpayablePageOf(context)), { embedOrigins })
          : showCheckout(reply, context)
      case 'waiting':
        if (state.leadsToBank === true)
          return reply.redirect(checkoutPath(visit.checkout.id, visit.locale, 'bank'), 303)
        return sendPage(reply, renderWaitingPage(waitingPageOf(context, state)), { embedOrigins })
      case 'shown':
        if (choosing && openOffersOf(context).length > 0) return showCheckout(reply, context)
        return sendPage(reply, state.render(frameOf(context)), {
          formTargets: [urlCancelOf(visit.checkout)],
          embedOrigins,
        })
      case 'over':
        forget(context)
        if (context.mayManage) takeProof(visit)
        return sendPage(reply, renderResultPage(resultPageOf(context)), { embedOrigins })
    }
  }

  function forget({ visit }: PageContext): void {
    for (const { code } of methods.all()) pageOfVisit(methods, visit, code)?.ended?.(visit)
  }

  return { show, forget }
}

/** Starts attempts, and gives the browser a proof that it started them. */
function createStarting(deps: CheckoutPagesDeps) {
  const { core, methods, subscriptions } = deps

  async function start(context: PageContext, method: PageMethod, form: PostedForm): Promise<Started> {
    const { visit, state, now } = context
    const page = pageOfVisit(methods, visit, method)
    if (page === undefined || lacksDelivery(visit.checkout) || !isPayable(visit.checkout, now))
      return { kind: 'too_late' }
    if (state.kind === 'waiting' && page.answersAgain === true) return page.start(visit, form)
    if (state.kind !== 'open' && state.kind !== 'shown') return { kind: 'too_late' }
    const beyond = await beyondLimits(deps, visit)
    return beyond ?? unlessBeyondLimits(visit.locale, () => page.start(visit, form))
  }

  async function prove({ visit }: PageContext, attemptId: string | undefined): Promise<void> {
    const { checkout } = visit
    if (checkout.subscription === undefined) return
    if (attemptId !== undefined) return giveProof(visit, subscriptions.links, attemptId)
    const started = await findCheckoutForCustomer(core.database, checkout.id)
    if (started !== undefined) giveProof(visit, subscriptions.links, subjectOf(started).attemptId)
  }

  return { start, prove }
}

type Refused = Extract<Started, { kind: 'refused' }>

async function beyondLimits(
  { core }: Pick<CheckoutsDeps, 'core'>,
  { checkout: { operation }, wallet, locale }: Visit<Checkout>,
): Promise<Refused | undefined> {
  if (operation === undefined) return undefined
  const fits = await withinLimits(core, wallet, { amount: operation.amount, field: 'amount' })
  return fits.ok ? undefined : refusedIn(locale)
}

/** Returns the refusal if other payments have used up the day's limit meanwhile. */
async function unlessBeyondLimits(locale: Locale, start: () => Promise<Started>): Promise<Started> {
  try {
    return await start()
  } catch (error) {
    if (!(error instanceof RefusalError) || error.refusal.kind !== 'limit_reached') throw error
    return refusedIn(locale)
  }
}

function refusedIn(locale: Locale): Refused {
  return { kind: 'refused', notice: { kind: 'message', ...texts[locale].beyondLimits } }
}
