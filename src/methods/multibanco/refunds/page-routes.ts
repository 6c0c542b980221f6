// The routes of the refund page. Its link is signed, and the payer can name an account once.
import { findBankOrder } from '../../../bank-files/index.ts'
import {
  type App,
  type AppReply,
  type AppRequest,
  addressSubject,
  isFromOtherSite,
  limitPerMinute,
} from '../../../http/index.ts'
import { cents } from '../../../kernel/money.ts'
import { unwrap } from '../../../kernel/result.ts'
import { findOperation, type Operation } from '../../../operations/index.ts'
import {
  brandOf,
  formOf,
  loadAssets,
  localeOf,
  pageRoute,
  renderProblemPage,
  sendPage,
} from '../../../pages/index.ts'
import type { MultibancoDeps } from '../deps.ts'
import type { AccountRefund } from './model.ts'
import { type RefundView, renderRefundPage } from './page.ts'
import { type ReferenceRefunds, refundPath } from './refund.ts'
import { pageStateOf, readForm } from './rules.ts'
import { findAccountRefundOfPage } from './store.ts'

const visitsPerMinute = 60

interface Visited {
  readonly page: AccountRefund
  readonly refund: Operation
}

export function refundPageRoutes(deps: MultibancoDeps, refunds: ReferenceRefunds): (app: App) => void {
  const { database, clock, wallets } = deps
  const { simulated } = deps.refunding
  const assets = loadAssets(deps.manifestPath)
  const limit = limitPerMinute('refund pages', visitsPerMinute)

  async function visited(request: AppRequest): Promise<Visited | undefined> {
    const { id, token } = request.params as { id: string; token: string }
    if (!refunds.isSigned(id, token)) return undefined
    const page = await findAccountRefundOfPage(database, id.toLowerCase())
    const refund = page && (await findOperation(database, page.walletId, page.id))
    return page?.expiresAt === undefined || refund === undefined ? undefined : { page, refund }
  }

  async function viewOf({ page, refund }: Visited): Promise<RefundView> {
    const state = pageStateOf(page, clock.now())
    if (state === 'open' && refund.status === 'PENDING') {
      const { suspendedAt } = await wallets.get(page.walletId)
      if (suspendedAt !== undefined) return { kind: 'paused' }
      return { kind: 'form', typed: {}, problems: {}, ends: page.expiresAt }
    }
    const order = await findBankOrder(database, page.walletId, page.id)
    if (order === undefined) return { kind: 'ended' }
    const shown = { iban: order.party.iban, day: order.dueOn }
    if (refund.status === 'FAIL' || order.answer === 'returned') return { kind: 'returned', iban: shown.iban }
    return { kind: refund.status === 'COMPLETED' ? 'paid' : 'ordered', ...shown }
  }

  async function send(
    request: AppRequest,
    reply: AppReply,
    { page, refund }: Visited,
    view: RefundView,
  ): Promise<AppReply> {
    const wallet = await wallets.get(page.walletId)
    return sendPage(
      reply,
      renderRefundPage({
        locale: localeOf(request, { fallback: wallet.pageLanguage }),
        ...{ assets, simulated, view },
        merchantName: wallet.name,
        brand: brandOf(wallet),
        path: refunds.pathOf(page.id),
        amount: cents(-refund.amount),
        currency: refund.currency,
      }),
    )
  }

  function sendNotFound(request: AppRequest, reply: AppReply): AppReply {
    const page = { locale: localeOf(request), assets, simulated, problem: 'not_found' } as const
    return sendPage(reply.code(404), renderProblemPage(page))
  }

  function again(request: AppRequest, reply: AppReply, { page }: Visited): AppReply {
    return reply.redirect(`${refunds.pathOf(page.id)}?lang=${localeOf(request)}`, 303)
  }

  async function takeForm(request: AppRequest, reply: AppReply, visit: Visited): Promise<AppReply> {
    const { step, holder, iban } = formOf(request)
    const typed = { holder, iban }
    const ends = visit.page.expiresAt
    const read = readForm(typed)
    if (!read.ok)
      return send(request, reply.code(422), visit, { kind: 'form', typed, problems: read.problems, ends })
    if (step === 'change') return send(request, reply, visit, { kind: 'form', typed, problems: {}, ends })
    if (step !== 'confirm') return send(request, reply, visit, { kind: 'review', account: read.account })
    // If another browser named an account first, the page shows that account.
    await refunds.nameAccount(visit.refund, read.account)
    return again(request, reply, visit)
  }

  return (app) => {
    const path = `${refundPath}/:id/:token`

    app.get(path, pageRoute, async (request, reply) => {
      unwrap(limit(request, reply, addressSubject(request.ip)))
      const visit = await visited(request)
      return visit === undefined
        ? sendNotFound(request, reply)
        : send(request, reply, visit, await viewOf(visit))
    })

    app.post(path, pageRoute, async (request, reply) => {
      unwrap(limit(request, reply, addressSubject(request.ip)))
      const visit = await visited(request)
      if (visit === undefined) return sendNotFound(request, reply)
      const { kind } = await viewOf(visit)
      return kind === 'form' && !isFromOtherSite(request)
        ? takeForm(request, reply, visit)
        : again(request, reply, visit)
    })
  }
}
