// What every request for a hosted page starts from: the checkout, its latest attempt, and the customer's state.
import type { CardAttempt } from '../../cards/index.ts'
import { type AppReply, type AppRequest, isFromOtherSite } from '../../http/index.ts'
import { isUuid } from '../../kernel/random.ts'
import { pageOfVisit, type Visit } from '../../methods/method.ts'
import { type Assets, checkoutPath, methodPart, renderProblemPage } from '../../pages/index.ts'
import type { CheckoutPagesDeps } from '../deps.ts'
import type { Checkout } from '../model.ts'
import { isOutOfTime } from '../rules.ts'
import { addCustomerData, extendCheckout, findCheckoutForCustomer } from '../store.ts'
import { subjectOf } from '../subject-rules.ts'
import { createKeptCards } from '../views/kept-card.ts'
import { cardMethodState, type PageContext, type PageState } from '../views/page-views.ts'
import { hasProof } from './acceptance-cookie.ts'
import { browserFactsOf, formOf, localeOf, sendPage } from './page-answers.ts'

export type ContextOf = (request: AppRequest, reply: AppReply) => Promise<PageContext | undefined>

/** Finds the page's context; undefined when another answer was sent already. */
export function createContextOf(deps: CheckoutPagesDeps, assets: Assets): ContextOf {
  const { pretended } = deps
  const keptCards = createKeptCards(deps)

  return async (request, reply) => {
    const { id } = request.params as { id: string }
    if (isFromOtherSite(request)) {
      reply.redirect(checkoutPath(id, localeOf(request)), 303)
      return undefined
    }
    const checkout = isUuid(id) ? await findCheckoutForCustomer(deps.database, id) : undefined
    if (checkout === undefined) {
      sendPage(
        reply.code(404),
        renderProblemPage({ locale: localeOf(request), assets, pretended, problem: 'not_found' }),
      )
      return undefined
    }
    const wallet = await deps.wallets.get(checkout.walletId)
    const locale = localeOf(request, { fallback: wallet.pageLanguage })
    const { ip, userAgent } = browserFactsOf(request, formOf(request), locale)
    const visit = visitOf(deps, { checkout, wallet, locale, ip, userAgent })
    const attempt = await cardAttemptOf(deps, checkout)
    const state = await stateOf(deps, visit, attempt)
    const { method, id: subjectId } = subjectOf(checkout)
    const cardsTriedOut = method !== undefined && (await deps.cards.triedOut(checkout.walletId, subjectId))
    const { baseUrl, clock, subscriptions } = deps
    const late = Object.hasOwn((request.query ?? {}) as object, 'late')
    const seen = {
      ...visit,
      keptCard: keptCards.read(request, checkout.id),
      late,
      attempt,
      cardsTriedOut,
      state,
      assets,
      pretended,
      baseUrl,
    }
    const { links } = subscriptions
    return { ...seen, links, mayManage: hasProof(request, links, checkout), now: clock.now() }
  }
}

/** The present state, for the events of pages that wait: `waiting` until there is something else to see. */
export async function currentState(deps: CheckoutPagesDeps, checkoutId: string): Promise<string> {
  const checkout = await findCheckoutForCustomer(deps.database, checkoutId)
  if (checkout === undefined) return 'over'
  const wallet = await deps.wallets.get(checkout.walletId)
  const visit = visitOf(deps, { checkout, wallet, locale: 'pt', ip: undefined })
  const state = await stateOf(deps, visit, await cardAttemptOf(deps, checkout))
  if (state.kind === 'waiting' && state.leadsToBank === true) return 'bank'
  return state.kind === 'shown' ? 'waiting' : state.kind
}

type VisitFacts = Omit<Visit<Checkout>, 'keepCustomer' | 'extend' | 'returnUrl'>

/** The visit, with what methods may do with it. */
function visitOf({ database, clock, baseUrl }: CheckoutPagesDeps, facts: VisitFacts): Visit<Checkout> {
  const { checkout, locale, ip } = facts
  return {
    ...facts,
    keepCustomer: (client) => addCustomerData(database, checkout, client, ip, clock.now()),
    extend: (expiresAt, dueAt) => extendCheckout(database, checkout, expiresAt, dueAt),
    returnUrl: (method) => `${baseUrl}${checkoutPath(checkout.id, locale, methodPart(method))}`,
  }
}

async function stateOf(
  deps: CheckoutPagesDeps,
  visit: Visit<Checkout>,
  attempt: CardAttempt | undefined,
): Promise<PageState> {
  const { checkout } = visit
  const { status, method } = subjectOf(checkout)
  if (status !== 'NEW' && status !== 'PENDING') return { kind: 'over' }
  const state =
    (await pageOfVisit(deps.methods, visit, method)?.state()) ?? cardMethodState(checkout, attempt)
  return state.kind === 'open' && isOutOfTime(checkout, deps.clock.now()) ? { kind: 'over' } : state
}

async function cardAttemptOf(
  { cards }: CheckoutPagesDeps,
  checkout: Checkout,
): Promise<CardAttempt | undefined> {
  const { method, attemptId } = subjectOf(checkout)
  return method !== 'CC' || attemptId === undefined ? undefined : cards.find(checkout.walletId, attemptId)
}
