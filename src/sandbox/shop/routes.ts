// The demo shop's addresses: its page, what its forms post to, where the browser comes back to, and its events.
import type { App, AppReply, AppRequest } from '../../http/index.ts'
import { isUuid, newId } from '../../kernel/ids.ts'
import { sendPage } from '../pages/layout.ts'
import { sandboxPage } from '../route-options.ts'
import { languageFor, type Problem, pagePath, type Visit } from './addresses.ts'
import { loadShopAssets } from './assets.ts'
import type { Form } from './bodies.ts'
import type { ShopContext } from './context.ts'
import { readMerchantKeys } from './gateway-api.ts'
import { createLiveStreams } from './live.ts'
import { shopPath } from './model.ts'
import { createOnce } from './once.ts'
import { comeBack } from './outcome.ts'
import { shopPage } from './page.ts'
import { forgetCard, payOnCheckout, payWithFields, payWithToken, storeCard } from './pay.ts'
import { words } from './words.ts'

const posts: Readonly<Record<string, (context: ShopContext, visit: Visit, form: Form) => Promise<string>>> = {
  checkouts: payOnCheckout,
  payments: payWithFields,
  'payments-by-token': payWithToken,
  cards: storeCard,
  'cards/forget': forgetCard,
}

export function shopRoutes(context: ShopContext, manifestPath: string): (app: App) => void {
  const assets = loadShopAssets(manifestPath)
  const { baseUrl, clock, random, memory } = context

  /** Who is asking; a new visitor without an id of a session. */
  function visitOf(request: AppRequest, fields: Form): Visit {
    const session = fields.session ?? ''
    return {
      session: isUuid(session) ? session.toLowerCase() : newId(clock.now(), random),
      language: languageFor(fields.lang, request.headers['accept-language']),
    }
  }

  async function show(request: AppRequest, reply: AppReply): Promise<AppReply> {
    const query = textsOf(request.query)
    const visit = visitOf(request, query)
    // At the gateway's own address, of which the card fields and the way back are.
    if (query.session !== visit.session) return reply.redirect(baseUrl + pagePath(visit), 303)
    const merchant = await readMerchantKeys(context.demoFile)
    const session = memory.session(visit.session)
    const page = shopPage({
      visit,
      session,
      order: session.orders.get(query.order ?? ''),
      problem: problemOf(query.problem),
      assets,
      baseUrl,
      merchant,
      callbackUrl: await context.callbackUrlOf(merchant.walletId),
      attempt: newId(clock.now(), random),
    })
    return sendPage(reply, page, { merchantOf: baseUrl })
  }

  return (app) => {
    const streams = createLiveStreams(app, context)
    const once = createOnce()
    app.addHook('onReady', () => memory.listen())

    app.get(shopPath, sandboxPage, show)

    for (const [path, pay] of Object.entries(posts)) {
      app.post(`${shopPath}/${path}`, sandboxPage, async (request, reply) => {
        const form = textsOf(request.body)
        const visit = visitOf(request, form)
        const next = await once([path, ...Object.values(form)], () => pay(context, visit, form))
        return reply.redirect(next, 303)
      })
    }

    app.get(`${shopPath}/return`, sandboxPage, async (request, reply) => {
      const query = textsOf(request.query)
      return reply.redirect(await comeBack(context, visitOf(request, query), query.order ?? ''), 303)
    })

    app.get(`${shopPath}/events`, sandboxPage, (request, reply) => {
      const query = textsOf(request.query)
      const seen = request.headers['last-event-id'] ?? query.after
      return streams.stream(request, reply, {
        visit: visitOf(request, query),
        seen: String(seen ?? ''),
        order: query.order ?? '',
      })
    })
  }
}

/** The fields that are texts; whatever else somebody sent counts as not sent. */
function textsOf(fields: unknown): Form {
  if (typeof fields !== 'object' || fields === null) return {}
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => typeof value === 'string'))
}

function problemOf(text: string | undefined): Problem | undefined {
  return text !== undefined && Object.hasOwn(words.en.problems, text) ? (text as Problem) : undefined
}
