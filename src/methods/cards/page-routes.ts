// The pages of a checkout that redirect to the issuer or acquirer.
import type { App } from '../../http/index.ts'
import type { PageCore } from '../../module.ts'
import { checkoutPath, formOf, loadAssets, localeOf, sendPage } from '../../pages/index.ts'
import type { SimulatedMoney } from '../../rails/index.ts'
import type { FindVisit } from '../method.ts'
import type { CardAttempts } from './attempts/attempts.ts'
import { renderMethodDonePage, sendCardForm, sendChallenge, sendMethodPage } from './issuer-pages.ts'
import { stepOf } from './model.ts'
import { attemptOf, authenticate, bankPath } from './page.ts'

const page = { config: { auth: 'none', page: true }, schema: { hide: true } } as const

export interface CardPageRoutesDeps {
  readonly core: Pick<PageCore, 'baseUrl' | 'manifestPath'>
  readonly attempts: CardAttempts
  readonly simulated: SimulatedMoney | undefined
}

export function cardPageRoutes(
  { core, attempts, simulated }: CardPageRoutesDeps,
  app: App,
  findVisit: FindVisit,
): void {
  const assets = loadAssets(core.manifestPath)

  app.post('/checkout/method-done', page, async (request, reply) => {
    const frame = { locale: localeOf(request), assets, simulated }
    return sendPage(reply, renderMethodDonePage(frame), { framedByUs: true })
  })

  app.get('/checkout/:id/bank', page, async (request, reply) => {
    const found = await findVisit(request, reply)
    if (found === undefined) return reply
    const { visit, state, frame } = found
    const { checkout, locale } = visit
    const attempt = state.kind === 'over' ? undefined : await attemptOf(attempts, visit)
    const sent =
      attempt &&
      (sendChallenge(reply, frame, attempt) ??
        sendCardForm(reply, frame, attempt, checkoutPath(checkout.id, locale, 'withdraw')))
    if (sent !== undefined) return sent
    const asksFirst = state.kind === 'open' && attempt !== undefined && stepOf(attempt) === 'STARTED'
    const addresses = { baseUrl: core.baseUrl, continueUrl: bankPath(visit) }
    const hiddenFrame = asksFirst ? sendMethodPage(reply, frame, attempt, addresses) : undefined
    return hiddenFrame ?? reply.redirect(checkoutPath(checkout.id, locale), 303)
  })

  app.post('/checkout/:id/bank', page, async (request, reply) => {
    const found = await findVisit(request, reply)
    if (found === undefined) return reply
    const { visit } = found
    const attempt = await attemptOf(attempts, visit)
    if (attempt === undefined || stepOf(attempt) !== 'STARTED') return reply.redirect(bankPath(visit), 303)
    const { compInd } = formOf(request)
    const done = compInd === 'Y' || compInd === 'N' ? compInd : 'U'
    const { checkout, locale } = visit
    const leadsToBank = await authenticate(attempts, attempt, done)
    return reply.redirect(leadsToBank ? bankPath(visit) : checkoutPath(checkout.id, locale), 303)
  })
}
