// Public routes of a payment link: page, button, QR code.
import { encode } from 'uqr'
import { loadPngRenderer } from '../brand/index.ts'
import { offeredMethods } from '../checkouts/index.ts'
import {
  type App,
  type AppReply,
  type AppRequest,
  addressSubject,
  createStaticFile,
  createStaticFiles,
  isFromOtherSite,
  limitPerMinute,
} from '../http/index.ts'
import type { Cents } from '../kernel/money.ts'
import { unwrap } from '../kernel/result.ts'
import {
  brandOf,
  checkoutPath,
  formOf,
  loadAssets,
  localeOf,
  pageRoute,
  renderProblemPage,
  sendPage,
} from '../pages/index.ts'
import type { PaymentLinksDeps } from './deps.ts'
import type { LinkState, PaymentLink } from './model.ts'
import { openByLink } from './open.ts'
import { type LinkPage, renderLinkPage } from './page.ts'
import { fitsLink, isCode, linkStatus, linksPath, linkUrl, typedAmount } from './rules.ts'
import { findLinkForCustomer } from './store.ts'

const openingsPerMinute = 30
const cacheOfCodes = 'public, max-age=86400'
const codesKeptMax = 1000
const codeTypes = { svg: 'image/svg+xml', png: 'image/png' } as const

export function linkPageRoutes(deps: PaymentLinksDeps): (app: App) => void {
  const { core, wallets, simulated } = deps
  const { database, clock, baseUrl } = core
  const assets = loadAssets(core.manifestPath)
  const limitOpenings = limitPerMinute('payment links', openingsPerMinute)

  const codes = createStaticFiles(codesKeptMax)

  async function drawn(code: string, format: keyof typeof codeTypes) {
    if (!isCode(code) || (await findLinkForCustomer(database, code)) === undefined) return undefined
    const svg = qrSvg(linkUrl(baseUrl, code))
    const content = format === 'svg' ? Buffer.from(svg) : (await loadPngRenderer())(svg, pixelsPerModule)
    return createStaticFile(content, codeTypes[format], cacheOfCodes)
  }

  function sendNotFound(request: AppRequest, reply: AppReply): AppReply {
    const page = { locale: localeOf(request), assets, simulated, problem: 'not_found' } as const
    return sendPage(reply.code(404), renderProblemPage(page))
  }

  async function linkOf(request: AppRequest, reply: AppReply): Promise<PaymentLink | undefined> {
    const { code } = request.params as { code: string }
    const link = isCode(code) ? await findLinkForCustomer(database, code) : undefined
    if (link === undefined) sendNotFound(request, reply)
    return link
  }

  async function sendLinkPage(
    request: AppRequest,
    reply: AppReply,
    link: PaymentLink,
    change: Partial<LinkPage> = {},
  ): Promise<AppReply> {
    const wallet = await wallets.get(link.walletId)
    const methods = offeredMethods(wallet, { kind: 'payment', exclude: link.exclude })
    const status = linkStatus(link, clock.now())
    const state: LinkState = status !== 'ACTIVE' ? status : methods.length === 0 ? 'unpayable' : 'open'
    const { amount, amountMin, amountMax, currency, description, expiresAt } = link
    const bounds =
      amountMin === undefined || amountMax === undefined ? undefined : { least: amountMin, most: amountMax }
    const { embedOrigins } = wallet
    const page = renderLinkPage({
      locale: localeOf(request, { preferred: link.language, fallback: wallet.pageLanguage }),
      assets,
      simulated,
      merchantName: wallet.name,
      brand: brandOf(wallet),
      embedOrigins,
      path: `${linksPath}/${link.code}`,
      state,
      ...{ description, amount, bounds, currency, methods, expiresAt },
      ...change,
    })
    return sendPage(reply, page, { embedOrigins })
  }

  function amountOf(request: AppRequest, link: PaymentLink): Cents | { readonly wrong: string } {
    if (link.amount !== undefined) return link.amount
    const typed = formOf(request).amount ?? ''
    const amount = typedAmount(typed)
    return amount !== undefined && fitsLink(link, amount) ? amount : { wrong: typed.slice(0, 12) }
  }

  return (app) => {
    app.get(`${linksPath}/:code`, pageRoute, async (request, reply) => {
      const link = await linkOf(request, reply)
      return link === undefined ? reply : sendLinkPage(request, reply, link)
    })

    app.post(`${linksPath}/:code`, pageRoute, async (request, reply) => {
      unwrap(limitOpenings(request, reply, addressSubject(request.ip)))
      const link = await linkOf(request, reply)
      if (link === undefined) return reply
      const wallet = await wallets.get(link.walletId)
      const locale = localeOf(request, { preferred: link.language, fallback: wallet.pageLanguage })
      const payable = offeredMethods(wallet, { kind: 'payment', exclude: link.exclude }).length > 0
      if (isFromOtherSite(request) || !payable || linkStatus(link, clock.now()) !== 'ACTIVE')
        return reply.redirect(`${linksPath}/${link.code}?lang=${locale}`, 303)
      const amount = amountOf(request, link)
      if (typeof amount === 'object')
        return sendLinkPage(request, reply.code(422), link, { wrongAmount: amount.wrong })
      const opened = await openByLink(deps, link, amount)
      switch (opened.kind) {
        case 'checkout':
          return reply.redirect(checkoutPath(opened.id, locale), 303)
        case 'taken':
          return sendLinkPage(request, reply.code(409), link, { state: 'taken' })
        case 'over':
          return reply.redirect(`${linksPath}/${link.code}?lang=${locale}`, 303)
      }
    })

    for (const format of ['svg', 'png'] as const) {
      app.get(`${linksPath}/:code/qr.${format}`, pageRoute, async (request, reply) => {
        const { code } = request.params as { code: string }
        const file = await codes.get(`${code}.${format}`, () => drawn(code, format))
        return file === undefined ? sendNotFound(request, reply) : file.send(request, reply)
      })
    }
  }
}

/** Scanners need this white border (ISO/IEC 18004). */
const quietModules = 4
/** The picture is about 300 pixels wide, which is sharp at 3 cm. */
const pixelsPerModule = 10

function qrSvg(text: string): string {
  const { data, size } = encode(text, { ecc: 'M', border: quietModules })
  const squares = data.flatMap((row, y) => row.flatMap((black, x) => (black ? [`M${x} ${y}h1v1h-1z`] : [])))
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${squares.join('')}"/></svg>`
}
