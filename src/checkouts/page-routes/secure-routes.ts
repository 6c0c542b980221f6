// The redirects of a card API customer: to the card's issuer and back, then to the merchant's own page.
import { type CardAttempt, type MethodCompletion, pageToVisit, stepOf } from '../../cards/index.ts'
import { type App, type AppReply, type AppRequest, isFromOtherSite } from '../../http/index.ts'
import { isUuid } from '../../kernel/random.ts'
import { asciiAddress } from '../../kernel/values/web-address.ts'
import {
  loadAssets,
  type MerchantFrame,
  renderChallengePage,
  renderMethodPage,
  renderProblemPage,
  renderProceedPage,
  renderWaitingPage,
} from '../../pages/index.ts'
import type { CheckoutPagesDeps } from '../deps.ts'
import { brandOf } from '../views/brand.ts'
import { challengePageOf, isBeingDecided, methodPageOf } from '../views/page-views.ts'
import { browserFactsOf, formOf, localeOf, sendPage } from './page-answers.ts'
import { createStateStreams } from './waiting.ts'

const pageAuth = { auth: 'none', page: true } as const

/** `/secure/<id>`: the address that the card API hands out as `cardsecure_url_redirect`. */
export function securePageRoutes(deps: CheckoutPagesDeps): (app: App) => void {
  const { cards, wallets, baseUrl, pretended } = deps
  const assets = loadAssets(deps.manifestPath)

  /** The attempt of the address, or undefined after the "not found" page was sent. */
  async function attemptOf(request: AppRequest, reply: AppReply): Promise<CardAttempt | undefined> {
    const { id } = request.params as { id: string }
    const attempt = isUuid(id) ? await cards.findBySubject(id.toLowerCase()) : undefined
    if (attempt === undefined) {
      const page = { locale: localeOf(request), assets, pretended, problem: 'not_found' } as const
      sendPage(reply.code(404), renderProblemPage(page))
      return undefined
    }
    return attempt
  }

  async function frameOf(request: AppRequest, attempt: CardAttempt): Promise<MerchantFrame> {
    const { merchantName, currency, amount, details } = attempt
    const { intent } = details
    const sum =
      intent === 'verify' ? {} : ({ amount, kind: intent === 'hold' ? 'authorization' : 'payment' } as const)
    const wallet = await wallets.get(attempt.walletId)
    const locale = localeOf(request, { fallback: wallet.pageLanguage })
    return { locale, assets, pretended, merchantName, brand: brandOf(wallet), currency, ...sum }
  }

  async function authenticate(
    request: AppRequest,
    reply: AppReply,
    attempt: CardAttempt,
    done: MethodCompletion,
  ) {
    await cards.authenticate(attempt, done, browserFactsOf(request, formOf(request), localeOf(request)))
    return reply.redirect(securePath(attempt), 303)
  }

  /** What was given up fails its payment a moment later: until then there is nowhere else to go on. */
  async function isUndecided(attempt: CardAttempt): Promise<boolean> {
    if (attempt.state !== 'GIVEN_UP') return isBeingDecided(attempt)
    return (await cards.returnUrl(attempt)) === securePath(attempt)
  }

  return (app) => {
    const streams = createStateStreams(app)
    app.get('/secure/:id', { config: pageAuth, schema: { hide: true } }, async (request, reply) => {
      const attempt = await attemptOf(request, reply)
      if (attempt === undefined) return reply
      const frame = await frameOf(request, attempt)
      const challenge = challengePageOf(frame, attempt)
      if (challenge !== undefined) return sendPage(reply, renderChallengePage(challenge), { leadsAway: true })
      if (await isUndecided(attempt)) {
        const next = securePath(attempt)
        return sendPage(reply, renderWaitingPage({ ...frame, next, events: `${next}/events` }))
      }
      const { methodUrl } = attempt.details
      if (stepOf(attempt) !== 'STARTED')
        return reply.redirect(asciiAddress(await cards.returnUrl(attempt)), 303)
      const addresses = { baseUrl, continueUrl: securePath(attempt) }
      if (methodUrl === undefined)
        return sendPage(reply, renderProceedPage({ ...frame, ...addresses }), { leadsAway: true })
      return sendPage(reply, renderMethodPage(methodPageOf(frame, attempt, addresses)), {
        leadsAway: true,
        frameTargets: [methodUrl],
      })
    })

    app.post('/secure/:id', { config: pageAuth, schema: { hide: true } }, async (request, reply) => {
      const attempt = await attemptOf(request, reply)
      if (attempt === undefined) return reply
      // Another site's page may know the address, but must not pay for the customer.
      if (isFromOtherSite(request)) return reply.redirect(securePath(attempt), 303)
      if (attempt.details.methodUrl === undefined) return authenticate(request, reply, attempt, 'U')
      const { compInd } = formOf(request)
      return authenticate(request, reply, attempt, compInd === 'Y' ? 'Y' : 'N')
    })

    app.get('/secure/:id/events', { config: pageAuth, schema: { hide: true } }, async (request, reply) => {
      const attempt = await attemptOf(request, reply)
      if (attempt === undefined) return reply
      return streams.stream(request, reply, attempt.key, async () => {
        const now = await cards.find(attempt.walletId, attempt.key)
        const isWaiting = now !== undefined && pageToVisit(now) === undefined && (await isUndecided(now))
        return isWaiting ? 'waiting' : 'over'
      })
    })
  }
}

function securePath({ operationId }: CardAttempt): string {
  return `/secure/${operationId}`
}
