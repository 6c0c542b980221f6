// The card's part of the hosted page: the form that was posted, and the redirect to the issuer and back.
import { type CardAttempt, type MethodCompletion, pageToVisit, stepOf } from '../../cards/index.ts'
import type { App, AppReply } from '../../http/index.ts'
import {
  type Assets,
  checkoutPath,
  renderCardFormPage,
  renderChallengePage,
  renderMethodDonePage,
  renderMethodPage,
} from '../../pages/index.ts'
import type { CheckoutPagesDeps } from '../deps.ts'
import { type CardForm, payByCard } from '../methods/card.ts'
import { beyondLimits } from '../methods/limits.ts'
import { createKeptCards, withKeptNumber } from '../views/kept-card.ts'
import {
  cardFormPageOf,
  challengePageOf,
  frameOf,
  methodPageOf,
  type PageContext,
} from '../views/page-views.ts'
import { giveProof } from './acceptance-cookie.ts'
import { browserFactsOf, formOf, localeOf, sendPage } from './page-answers.ts'
import type { ContextOf } from './page-context.ts'
import { pageRoute, type ShowCheckout, toCheckout, toCheckoutLate } from './show-checkout.ts'

export interface CardPageParts {
  readonly assets: Assets
  readonly contextOf: ContextOf
  readonly showCheckout: ShowCheckout
}

export function cardPageRoutes(
  deps: CheckoutPagesDeps,
  { assets, contextOf, showCheckout }: CardPageParts,
): (app: App) => void {
  const keptCards = createKeptCards(deps)
  const toBank = (reply: AppReply, { checkout, locale }: PageContext) =>
    reply.redirect(checkoutPath(checkout.id, locale, 'bank'), 303)

  async function authenticate(
    reply: AppReply,
    context: PageContext,
    attempt: CardAttempt,
    done: MethodCompletion,
  ) {
    await deps.cards.authenticate(attempt, done)
    const after = await deps.cards.find(attempt.walletId, attempt.key)
    const leadsToBank =
      after !== undefined && (stepOf(after) === 'CHALLENGED' || pageToVisit(after) !== undefined)
    return leadsToBank ? toBank(reply, context) : toCheckout(reply, context)
  }

  function proceed(reply: AppReply, context: PageContext, attempt: CardAttempt) {
    const step = stepOf(attempt)
    if (step !== 'STARTED' && step !== 'ISSUER_ASKED') return toCheckout(reply, context)
    if (attempt.details.methodUrl === undefined) return authenticate(reply, context, attempt, 'U')
    // Without JavaScript nothing can post into a hidden frame, and the page would only be one click more.
    if (!attempt.details.browser.javascript) return authenticate(reply, context, attempt, 'N')
    return toBank(reply, context)
  }

  return (app) => {
    app.post('/checkout/:id/card', pageRoute, async (request, reply) => {
      const context = await contextOf(request, reply)
      if (context === undefined) return reply
      const { checkout } = context
      const form: CardForm = withKeptNumber(formOf(request), context.keptCard)
      const browser = browserFactsOf(request, formOf(request), context.locale)
      const beyond = context.state.kind === 'open' ? await beyondLimits(deps, context) : undefined
      if (beyond !== undefined) {
        const { notice } = beyond
        return showCheckout(reply.code(422), context, { chosen: 'CC', errors: {}, filledIn: {}, notice })
      }
      const paid = await payByCard(deps, checkout, form, browser)
      switch (paid.kind) {
        case 'too_late':
          return toCheckoutLate(reply, context)
        case 'wrong_fields': {
          const { name, expiry, email, phone } = form
          const change = {
            chosen: 'CC',
            errors: paid.problems,
            filledIn: { name, expiry, email, phone },
          } as const
          const keptCard = keptCards.keep(reply, checkout.id, form)
          return showCheckout(reply.code(422), { ...context, keptCard }, change)
        }
        case 'started': {
          const { attempt } = paid
          keptCards.keep(reply, checkout.id, form)
          giveProof(reply, context.links, context.checkout, attempt.key)
          return proceed(reply, context, attempt)
        }
      }
    })

    // The end of the issuer's hidden frame. What it posts is not read: that the frame came here is enough.
    app.post('/checkout/method-done', pageRoute, async (request, reply) => {
      const page = { locale: localeOf(request), assets, pretended: deps.pretended }
      return sendPage(reply, renderMethodDonePage(page), { framedByUs: true })
    })

    app.get('/checkout/:id/bank', pageRoute, async (request, reply) => {
      const context = await contextOf(request, reply)
      if (context === undefined) return reply
      const { attempt, checkout, locale } = context
      if (context.state.kind === 'over' || attempt === undefined) return toCheckout(reply, context)
      const challenge = challengePageOf(frameOf(context), attempt)
      if (challenge !== undefined) return sendPage(reply, renderChallengePage(challenge), { leadsAway: true })
      const cardForm = cardFormPageOf(
        frameOf(context),
        attempt,
        checkoutPath(checkout.id, locale, 'withdraw'),
      )
      if (cardForm !== undefined)
        return sendPage(reply, renderCardFormPage(cardForm), { cardFormScript: cardForm.script })
      const { methodUrl } = attempt.details
      if (context.state.kind === 'open' && stepOf(attempt) === 'STARTED' && methodUrl !== undefined) {
        const page = methodPageOf(frameOf(context), attempt, {
          baseUrl: deps.baseUrl,
          continueUrl: checkoutPath(checkout.id, locale, 'bank'),
        })
        return sendPage(reply, renderMethodPage(page), { leadsAway: true, frameTargets: [methodUrl] })
      }
      return toCheckout(reply, context)
    })

    app.post('/checkout/:id/bank', pageRoute, async (request, reply) => {
      const context = await contextOf(request, reply)
      if (context === undefined) return reply
      const { attempt } = context
      if (attempt === undefined || stepOf(attempt) !== 'STARTED') return toBank(reply, context)
      const { compInd } = formOf(request)
      return authenticate(reply, context, attempt, compInd === 'Y' || compInd === 'N' ? compInd : 'U')
    })
  }
}
