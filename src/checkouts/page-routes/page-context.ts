// The context of a hosted page: checkout, visit, state.
import { type AppReply, type AppRequest, isFromOtherSite } from '../../http/index.ts'
import { isUuid } from '../../kernel/random.ts'
import { pageOfVisit, type Visit, type VisitCookies } from '../../methods/method.ts'
import {
  type Assets,
  browserOf,
  checkoutPath,
  localeOf,
  methodPart,
  renderProblemPage,
  sendPage,
} from '../../pages/index.ts'
import type { ManageLinks } from '../../subscriptions/index.ts'
import type { CheckoutPagesDeps } from '../deps.ts'
import type { Checkout } from '../model.ts'
import type { PageContext, PageState } from '../page-views.ts'
import { isOutOfTime, subjectOf } from '../rules.ts'
import { addCustomerData, extendCheckout, findCheckoutForCustomer } from '../store.ts'

export type ContextOf = (request: AppRequest, reply: AppReply) => Promise<PageContext | undefined>

export function createContextOf(deps: CheckoutPagesDeps, assets: Assets): ContextOf {
  const { core, wallets, subscriptions, simulated, backTo } = deps
  const { database, clock } = core
  const { links } = subscriptions
  const site = { assets, simulated, backTo, links }

  return async (request, reply) => {
    const { id } = request.params as { id: string }
    if (isFromOtherSite(request)) {
      reply.redirect(checkoutPath(id, localeOf(request)), 303)
      return undefined
    }
    const checkout = isUuid(id) ? await findCheckoutForCustomer(database, id) : undefined
    if (checkout === undefined) {
      sendPage(
        reply.code(404),
        renderProblemPage({ locale: localeOf(request), assets, simulated, problem: 'not_found' }),
      )
      return undefined
    }
    const wallet = await wallets.get(checkout.walletId)
    const locale = localeOf(request, { fallback: wallet.pageLanguage })
    const browser = browserOf(request, locale)
    const cookies = cookiesOf(request, reply, checkout.id)
    const visit = visitOf(deps, { checkout, wallet, locale, browser, cookies })
    const state = await stateOf(deps, visit)
    const exhausted = await exhaustedMethods(deps, visit)
    const late = Object.hasOwn((request.query ?? {}) as object, 'late')
    return { visit, state, exhausted, late, mayManage: hasProof(visit, links), now: clock.now(), site }
  }
}

/** The state for event streams, which send `waiting` until the page changes. */
export async function currentState(deps: CheckoutPagesDeps, earlier: Visit<Checkout>): Promise<string> {
  const checkout = await findCheckoutForCustomer(deps.core.database, earlier.checkout.id)
  if (checkout === undefined) return 'over'
  const state = await stateOf(deps, visitOf(deps, { ...earlier, checkout }))
  if (state.kind === 'waiting' && state.leadsToBank === true) return 'bank'
  return state.kind === 'shown' ? 'waiting' : state.kind
}

type VisitFacts = Omit<Visit<Checkout>, 'keepCustomer' | 'extend' | 'returnUrl'>

function visitOf({ core }: CheckoutPagesDeps, facts: VisitFacts): Visit<Checkout> {
  const { database, clock, baseUrl } = core
  const { checkout, locale, browser } = facts
  return {
    ...facts,
    keepCustomer: (client) =>
      addCustomerData(database, checkout, client, { ip: browser.ip, locale }, clock.now()),
    extend: (expiresAt, dueAt) => extendCheckout(database, checkout, expiresAt, dueAt),
    returnUrl: (method) => `${baseUrl}${checkoutPath(checkout.id, locale, methodPart(method))}`,
  }
}

async function stateOf({ core, methods }: CheckoutPagesDeps, visit: Visit<Checkout>): Promise<PageState> {
  const { checkout } = visit
  const { status, method, underApproval } = subjectOf(checkout)
  if (status !== 'NEW' && status !== 'PENDING') return { kind: 'over' }
  const unchosen = { kind: underApproval ? 'waiting' : 'open' } as const
  const state = (await pageOfVisit(methods, visit, method)?.state(visit)) ?? unchosen
  return state.kind === 'open' && isOutOfTime(checkout, core.clock.now()) ? { kind: 'over' } : state
}

async function exhaustedMethods(
  { methods }: CheckoutPagesDeps,
  visit: Visit<Checkout>,
): Promise<ReadonlySet<string>> {
  const exhausted = new Set<string>()
  for (const { code } of methods.all())
    if ((await pageOfVisit(methods, visit, code)?.isExhausted?.(visit)) === true) exhausted.add(code)
  return exhausted
}

function cookiesOf({ headers }: AppRequest, reply: AppReply, checkoutId: string): VisitCookies {
  const secure = reply.server.http.baseUrl.startsWith('https:') ? '; Secure' : ''
  return {
    get: (name) =>
      headers.cookie
        ?.split(';')
        .map((pair) => pair.trim())
        .find((pair) => pair.startsWith(`${name}=`))
        ?.slice(name.length + 1),
    set(name, value, seconds) {
      const where = `Path=/checkout/${checkoutId}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`
      reply.header('set-cookie', `${name}=${value}; ${where}`)
    },
  }
}

const proofName = 'comporta_accepted'
const proofSeconds = 86_400

/** Gives a proof to the browser that accepts, because only that browser may manage the subscription. */
export function giveProof({ checkout, cookies }: Visit<Checkout>, links: ManageLinks, attemptId = ''): void {
  if (checkout.subscription === undefined) return
  cookies.set(proofName, links.proofOf(checkout.id, attemptId), proofSeconds)
}

/** Whether this browser accepted the subscription. It alone sees the link to manage it, once. */
function hasProof({ checkout, cookies }: Visit<Checkout>, links: ManageLinks): boolean {
  if (checkout.subscription?.status !== 'APPROVED') return false
  const given = cookies.get(proofName)
  return given !== undefined && links.isProof(checkout.id, subjectOf(checkout).attemptId ?? '', given)
}

export function takeProof({ cookies }: Visit<Checkout>): void {
  cookies.set(proofName, '', 0)
}
