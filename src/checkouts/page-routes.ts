// The hosted pages over HTTP: each request finds where the checkout stands and shows the page for it.
import { randomUUID } from 'node:crypto'
import type { CardAttempt, MethodCompletion } from '../cards/index.ts'
import type { App, AppReply, AppRequest } from '../http/index.ts'
import { isUuid } from '../kernel/ids.ts'
import { asciiAddress } from '../kernel/web-address.ts'
import type { CheckoutPagesDeps } from './deps.ts'
import { failCheckout } from './end.ts'
import type { Checkout } from './model.ts'
import { browserFactsOf, formOf, isForeignForm, localeOf, sendPage } from './page-answers.ts'
import {
  challengePageOf,
  checkoutPageOf,
  frameOf,
  methodPageOf,
  openMethodsOf,
  type PageContext,
  pageStateOf,
  resultPageOf,
  triedOutPageOf,
  waitingPageOf,
} from './page-views.ts'
import {
  checkoutPath,
  loadAssets,
  renderChallengePage,
  renderCheckoutPage,
  renderMethodDonePage,
  renderMethodPage,
  renderProblemPage,
  renderResultPage,
  renderWaitingPage,
} from './pages/index.ts'
import { type CardForm, payByCard } from './pay-by-card.ts'
import { withCheckoutId } from './rules.ts'
import { findCheckoutForCustomer } from './store.ts'
import { createStateStreams } from './waiting.ts'

const pageAuth = { auth: 'none', page: true } as const

export function checkoutPageRoutes(deps: CheckoutPagesDeps): (app: App) => void {
  const assets = loadAssets(deps.manifestPath)

  /** The page's context, or undefined once something else was answered. */
  async function contextOf(request: AppRequest, reply: AppReply): Promise<PageContext | undefined> {
    const { id } = request.params as { id: string }
    const locale = localeOf(request)
    if (isForeignForm(request)) {
      reply.redirect(checkoutPath(id, locale), 303)
      return undefined
    }
    const checkout = isUuid(id) ? await findCheckoutForCustomer(deps.database, id) : undefined
    if (checkout === undefined) {
      sendPage(
        reply.code(404),
        renderProblemPage({ locale, assets, sandbox: isSandbox(deps), problem: 'not_found' }),
      )
      return undefined
    }
    const attempt = await attemptOf(deps, checkout)
    return {
      checkout,
      wallet: await deps.wallets.get(checkout.walletId),
      attempt,
      cardsTriedOut:
        attempt !== undefined && (await deps.cards.triedOut(checkout.walletId, checkout.operation.id)),
      locale,
      assets,
      sandbox: isSandbox(deps),
      baseUrl: deps.baseUrl,
      now: deps.clock.now(),
    }
  }

  function showCheckout(
    reply: AppReply,
    context: PageContext,
    change?: Parameters<typeof checkoutPageOf>[2],
  ): AppReply {
    const policy = { formTargets: [urlCancelOf(context.checkout)] }
    return sendPage(reply, renderCheckoutPage(checkoutPageOf(context, randomUUID(), change)), policy)
  }

  const shows = {
    open: (reply: AppReply, context: PageContext) =>
      openMethodsOf(context).length === 0
        ? sendPage(reply, renderResultPage(triedOutPageOf(context)))
        : showCheckout(reply, context),
    waiting: (reply: AppReply, context: PageContext) =>
      sendPage(reply, renderWaitingPage(waitingPageOf(context))),
    over: (reply: AppReply, context: PageContext) => sendPage(reply, renderResultPage(resultPageOf(context))),
  }

  const toCheckout = (reply: AppReply, { checkout, locale }: PageContext) =>
    reply.redirect(checkoutPath(checkout.id, locale), 303)
  const toBank = (reply: AppReply, { checkout, locale }: PageContext) =>
    reply.redirect(checkoutPath(checkout.id, locale, 'bank'), 303)

  async function authenticate(
    reply: AppReply,
    context: PageContext,
    attempt: CardAttempt,
    done: MethodCompletion,
  ) {
    await deps.cards.authenticate(attempt, done)
    const after = await deps.cards.find(attempt.walletId, attempt.id)
    return after?.state === 'CHALLENGED' ? toBank(reply, context) : toCheckout(reply, context)
  }

  return (app) => {
    const streams = createStateStreams(app)
    app.get('/checkout/:id', { config: pageAuth, schema: { hide: true } }, async (request, reply) => {
      const context = await contextOf(request, reply)
      if (context === undefined) return reply
      return shows[pageStateOf(context.checkout, context.attempt, context.now)](reply, context)
    })

    app.post('/checkout/:id/card', { config: pageAuth, schema: { hide: true } }, async (request, reply) => {
      const context = await contextOf(request, reply)
      if (context === undefined) return reply
      const form = formOf(request)
      const paid = await payByCard(
        deps,
        context.checkout,
        form as CardForm,
        browserFactsOf(request, form, context.locale),
      )
      switch (paid.kind) {
        case 'too_late':
          return toCheckout(reply, context)
        case 'wrong_fields': {
          const { name, expiry, email, phone } = form
          return showCheckout(reply.code(422), context, {
            errors: paid.problems,
            filledIn: { name, expiry, email, phone },
          })
        }
        case 'started':
          if (paid.attempt.state !== 'STARTED') return toCheckout(reply, context)
          if (paid.attempt.methodUrl === undefined) return authenticate(reply, context, paid.attempt, 'U')
          // Without JavaScript nothing can post into a hidden frame, and the page would only be one click more.
          if (!paid.attempt.browser.javascript) return authenticate(reply, context, paid.attempt, 'N')
          return toBank(reply, context)
      }
    })

    // The end of the issuer's hidden frame. What it posts is not read: the frame being here is the news.
    app.post('/checkout/method-done', { config: pageAuth, schema: { hide: true } }, async (request, reply) =>
      sendPage(reply, renderMethodDonePage({ locale: localeOf(request), assets, sandbox: isSandbox(deps) }), {
        framedByUs: true,
      }),
    )

    app.get('/checkout/:id/bank', { config: pageAuth, schema: { hide: true } }, async (request, reply) => {
      const context = await contextOf(request, reply)
      if (context === undefined) return reply
      const { attempt, checkout, locale } = context
      if (pageStateOf(checkout, attempt, context.now) !== 'open') return toCheckout(reply, context)
      if (attempt?.state === 'CHALLENGED' && attempt.acsUrl !== undefined) {
        return sendPage(reply, renderChallengePage(challengePageOf(frameOf(context), attempt)), {
          leadsAway: true,
        })
      }
      if (attempt?.state === 'STARTED' && !attempt.asked && attempt.methodUrl !== undefined) {
        const page = methodPageOf(frameOf(context), attempt, {
          baseUrl: deps.baseUrl,
          continueUrl: checkoutPath(checkout.id, locale, 'bank'),
        })
        const targets = [attempt.methodUrl]
        return sendPage(reply, renderMethodPage(page), { leadsAway: true, frameTargets: targets })
      }
      return toCheckout(reply, context)
    })

    app.post('/checkout/:id/bank', { config: pageAuth, schema: { hide: true } }, async (request, reply) => {
      const context = await contextOf(request, reply)
      if (context === undefined) return reply
      const { attempt } = context
      if (attempt?.state !== 'STARTED' || attempt.asked) return toBank(reply, context)
      const { compInd } = formOf(request)
      return authenticate(reply, context, attempt, compInd === 'Y' || compInd === 'N' ? compInd : 'U')
    })

    app.post('/checkout/:id/cancel', { config: pageAuth, schema: { hide: true } }, async (request, reply) => {
      const context = await contextOf(request, reply)
      if (context === undefined) return reply
      const cancelled = await failCheckout(deps, context.checkout, 'cancelled')
      return cancelled
        ? reply.redirect(asciiAddress(urlCancelOf(context.checkout)), 303)
        : toCheckout(reply, context)
    })

    // Where forms are posted to, somebody lands who asks for the address of the page they see again.
    for (const part of ['card', 'cancel']) {
      app.get(
        `/checkout/:id/${part}`,
        { config: pageAuth, schema: { hide: true } },
        async (request, reply) => {
          const context = await contextOf(request, reply)
          return context === undefined ? reply : toCheckout(reply, context)
        },
      )
    }

    app.get('/checkout/:id/events', { config: pageAuth, schema: { hide: true } }, async (request, reply) => {
      const context = await contextOf(request, reply)
      if (context === undefined) return reply
      const { id } = context.checkout
      return streams.stream(request, reply, id, () => currentState(deps, id))
    })
  }
}

/** Where the checkout stands now, for the waiting page's events. */
async function currentState(deps: CheckoutPagesDeps, checkoutId: string): Promise<string> {
  const checkout = await findCheckoutForCustomer(deps.database, checkoutId)
  if (checkout === undefined) return 'over'
  return pageStateOf(checkout, await attemptOf(deps, checkout), deps.clock.now())
}

async function attemptOf(
  deps: CheckoutPagesDeps,
  { walletId, operation }: Checkout,
): Promise<CardAttempt | undefined> {
  return operation.attemptId === undefined ? undefined : deps.cards.find(walletId, operation.attemptId)
}

function urlCancelOf(checkout: Checkout): string {
  return withCheckoutId(checkout.urlCancel, checkout.id)
}

function isSandbox({ mode }: CheckoutPagesDeps): boolean {
  return mode === 'sandbox'
}
