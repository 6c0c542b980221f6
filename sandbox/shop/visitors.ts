// Who is asking for a page of the demo shop, and what its pages need to know before they are drawn.
import type { AppReply, AppRequest } from '../../src/http/index.ts'
import { isUuid, newId } from '../../src/kernel/ids.ts'
import { sendPage } from '../pages/layout.ts'
import { languageFor, type Visit } from './addresses.ts'
import type { ShopAssets } from './assets.ts'
import type { Form } from './bodies.ts'
import type { ShopContext } from './context.ts'
import type { PageGround } from './frame.ts'
import { readMerchantKeys } from './gateway-api.ts'

export interface Visitors {
  /** Who is asking; a new visitor without an id of a session. */
  visitOf(request: AppRequest, fields: Form): Visit
  /** Sends a page, or has the browser ask for it at its own address. */
  show(
    request: AppRequest,
    reply: AppReply,
    page: {
      /** Where the page is for a new visitor. */
      readonly address: (visit: Visit) => string
      readonly draw: (ground: PageGround, query: Form) => string
    },
  ): Promise<AppReply>
}

export function createVisitors(context: ShopContext, assets: ShopAssets): Visitors {
  const { baseUrl, clock, random, memory } = context

  function visitOf(request: AppRequest, fields: Form): Visit {
    const session = fields.session ?? ''
    return {
      session: isUuid(session) ? session.toLowerCase() : newId(clock.now(), random),
      language: languageFor(fields.lang, request.headers['accept-language']),
    }
  }

  return {
    visitOf,
    async show(request, reply, { address, draw }) {
      const query = textsOf(request.query)
      const visit = visitOf(request, query)
      // At the gateway's own address, of which the card fields and the way back are.
      if (query.session !== visit.session) return reply.redirect(baseUrl + address(visit), 303)
      const merchant = await readMerchantKeys(context.demoFile)
      const ground = {
        visit,
        session: memory.session(visit.session),
        assets,
        baseUrl,
        merchant,
        callbackUrl: await context.callbackUrlOf(merchant.walletId),
        attempt: newId(clock.now(), random),
      }
      return sendPage(reply, draw(ground, query), { merchantOf: baseUrl })
    },
  }
}

/** The fields that are texts; whatever else somebody sent counts as not sent. */
export function textsOf(fields: unknown): Form {
  if (typeof fields !== 'object' || fields === null) return {}
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => typeof value === 'string'))
}
