// Redirects of a card API customer: to the issuer, back, and to the merchant.
import { type App, type AppReply, type AppRequest, isFromOtherSite } from '../../../http/index.ts'
import { isUuid } from '../../../kernel/random.ts'
import { asciiAddress } from '../../../kernel/values/web-address.ts'
import {
  brandOf,
  browserOf,
  createStateStreams,
  formOf,
  loadAssets,
  localeOf,
  type MerchantFrame,
  renderProblemPage,
  renderWaitingPage,
  sendPage,
} from '../../../pages/index.ts'
import type { CardAttempts } from '../attempts/attempts.ts'
import type { MethodCompletion } from '../attempts/authenticate.ts'
import type { CardsDeps } from '../deps.ts'
import { methodDoneUrl, renderProceedPage, sendChallenge, sendMethodPage } from '../issuer-pages.ts'
import { type CardAttempt, isBeingDecided, pageToVisit, stepOf } from '../model.ts'

const pageAuth = { auth: 'none', page: true } as const

/** The page `/secure/<id>` is the `cardsecure_url_redirect` of the card API. */
export function securePageRoutes(
  { core, wallets, rails }: Pick<CardsDeps, 'core' | 'wallets' | 'rails'>,
  attempts: CardAttempts,
): (app: App) => void {
  const { baseUrl } = core
  const { simulated } = rails
  const assets = loadAssets(core.manifestPath)

  async function attemptOf(request: AppRequest, reply: AppReply): Promise<CardAttempt | undefined> {
    const { id } = request.params as { id: string }
    const attempt = isUuid(id) ? await attempts.findBySubject(id.toLowerCase()) : undefined
    if (attempt === undefined) {
      const page = { locale: localeOf(request), assets, simulated, problem: 'not_found' } as const
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
    return { locale, assets, simulated, merchantName, brand: brandOf(wallet), currency, ...sum }
  }

  async function authenticate(
    request: AppRequest,
    reply: AppReply,
    attempt: CardAttempt,
    done: MethodCompletion,
  ) {
    await attempts.authenticate(attempt, done, browserOf(request, localeOf(request)))
    return reply.redirect(securePath(attempt), 303)
  }

  /** The payment of an abandoned attempt fails a moment later. Until then the customer waits here. */
  async function isUndecided(attempt: CardAttempt): Promise<boolean> {
    if (attempt.state !== 'GIVEN_UP') return isBeingDecided(attempt)
    return (await attempts.returnUrl(attempt)) === securePath(attempt)
  }

  return (app) => {
    const streams = createStateStreams(app)
    app.get('/secure/:id', { config: pageAuth, schema: { hide: true } }, async (request, reply) => {
      const attempt = await attemptOf(request, reply)
      if (attempt === undefined) return reply
      const frame = await frameOf(request, attempt)
      const challenge = sendChallenge(reply, frame, attempt)
      if (challenge !== undefined) return challenge
      if (await isUndecided(attempt)) {
        const next = securePath(attempt)
        return sendPage(reply, renderWaitingPage({ ...frame, next, events: `${next}/events` }))
      }
      if (stepOf(attempt) !== 'STARTED')
        return reply.redirect(asciiAddress(await attempts.returnUrl(attempt)), 303)
      const addresses = { notificationUrl: methodDoneUrl(baseUrl), continueUrl: securePath(attempt) }
      const proceed = () =>
        sendPage(reply, renderProceedPage({ ...frame, ...addresses }), { leadsAway: true })
      return sendMethodPage(reply, frame, attempt, addresses) ?? proceed()
    })

    app.post('/secure/:id', { config: pageAuth, schema: { hide: true } }, async (request, reply) => {
      const attempt = await attemptOf(request, reply)
      if (attempt === undefined) return reply
      if (isFromOtherSite(request)) return reply.redirect(securePath(attempt), 303)
      if (attempt.details.methodUrl === undefined) return authenticate(request, reply, attempt, 'U')
      const { compInd } = formOf(request)
      return authenticate(request, reply, attempt, compInd === 'Y' ? 'Y' : 'N')
    })

    app.get('/secure/:id/events', { config: pageAuth, schema: { hide: true } }, async (request, reply) => {
      const attempt = await attemptOf(request, reply)
      if (attempt === undefined) return reply
      return streams.stream(request, reply, attempt.key, async () => {
        const now = await attempts.find(attempt.walletId, attempt.key)
        const isWaiting = now !== undefined && pageToVisit(now) === undefined && (await isUndecided(now))
        return isWaiting ? 'waiting' : 'over'
      })
    })
  }
}

function securePath({ operationId }: CardAttempt): string {
  return `/secure/${operationId}`
}
