// HTTP server of the shop.
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { verifyCallback } from '@comporta/sdk'
import { basketPage } from './basket.ts'
import { indented, readJson } from './gateway.ts'
import { drawPage, type Page } from './layout.ts'
import { sellingPage } from './selling.ts'
import { advance, type Order } from './session.ts'
import { type Fields, Problem, Shop, type ShopOptions, visitOf } from './shop.ts'
import { cut, shownProof } from './shown.ts'
import { subscriptionPage } from './subscription.ts'

export type { ShopOptions } from './shop.ts'

const bodyBytesMax = 100_000
/** Number of answers that the shop keeps, because a double click sends a form twice. */
const formsMax = 500
const fileTypes = { 'base.css': 'text/css', 'shop.css': 'text/css', 'shop.js': 'text/javascript' }

type Handler = (request: IncomingMessage, response: ServerResponse, query: Fields) => unknown

export function createShop(options: ShopOptions): Server {
  const shop = new Shop(options)
  const routes = new Map<string, Handler>([
    ...[basketPage, subscriptionPage, sellingPage].flatMap((page) => routesOf(shop, page)),
    ...Object.entries(fileTypes).map(([name, type]): [string, Handler] => {
      const content = readFileSync(
        join(options.publicFolder ?? join(import.meta.dirname, 'public'), name),
        'utf8',
      )
      return [`GET /${name}`, (_, response) => send(response, 200, type, content)]
    }),
    ['POST /callbacks', (request, response) => receiveCallback(shop, request, response)],
  ])
  return createServer(async (request, response) => {
    const url = URL.parse(request.url ?? '/', 'http://shop')
    if (url === null) return send(response, 400, 'text/plain', 'The address is wrong.')
    // A proxy may have removed the base path from the address.
    const path = url.pathname.startsWith(`${shop.base}/`)
      ? url.pathname.slice(shop.base.length)
      : url.pathname
    const handler = routes.get(`${request.method} ${path}`)
    if (handler === undefined) return send(response, 404, 'text/plain', 'There is no such page.')
    if (request.method === 'POST' && !(Number(request.headers['content-length']) <= bodyBytesMax)) {
      // The shop has not read the body, so the connection cannot be used again.
      response.setHeader('connection', 'close')
      return send(response, 413, 'text/plain', 'That is too much, or it has no Content-Length.')
    }
    try {
      await handler(request, response, Object.fromEntries(url.searchParams))
    } catch (error) {
      options.onError(error)
      if (response.headersSent) response.destroy()
      else send(response, 500, 'text/plain', 'The shop could not do it. Try again later.')
    }
  })
}

function routesOf(shop: Shop, page: Page): [string, Handler][] {
  const answers = new Map<string, Promise<string>>()
  const below = page.path === '/' ? '' : page.path

  /** Runs `work` once for a form that a double click sends twice. Both requests get the same answer. */
  function once(key: string, work: () => Promise<string>): Promise<string> {
    const answer = answers.get(key) ?? work()
    answers.set(key, answer)
    answer.catch(() => answers.delete(key))
    const [oldest = ''] = answers.keys()
    if (answers.size > formsMax) answers.delete(oldest)
    return answer
  }

  const forms = Object.entries(page.forms).map(([path, work]): [string, Handler] => [
    `POST ${path}`,
    async (request, response) => {
      const fields = Object.fromEntries(new URLSearchParams(await text(request)))
      const visit = await visitOf(shop, request, fields)
      try {
        redirect(response, await once(JSON.stringify([path, fields]), () => work(visit)))
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        redirect(
          response,
          visit.path(page.path, { subscription: fields.subscription, problem: error.message }),
        )
      }
    },
  ])
  const draw: Handler = async (request, response, query) => {
    const visit = await visitOf(shop, request, query)
    // The card fields and the return work only under the shop's own address.
    if (query.session !== visit.id) return redirect(response, visit.backTo(page.path).url_confirm)
    const html = await drawPage(page, visit)
    response.setHeader('content-security-policy', policyOf(shop))
    send(response, 200, 'text/html', html)
  }
  const comeBack: Handler = async (request, response, query) =>
    redirect(response, await page.comeBack(await visitOf(shop, request, query)))
  return [
    ...forms,
    [`GET ${page.path}`, draw],
    [`GET ${below}/return`, comeBack],
    [`GET ${below}/events`, sendEvents],
  ]

  /** Sends an event at each change. The page then loads its parts again. */
  async function sendEvents(
    request: IncomingMessage,
    response: ServerResponse,
    query: Fields,
  ): Promise<void> {
    const { listeners } = (await visitOf(shop, request, query)).session
    const listener = () => response.write('data: changed\n\n')
    listeners.add(listener)
    response.once('close', () => listeners.delete(listener))
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
    response.write('retry: 1000\n\n')
  }
}

/** Answers 200 to a genuine callback, even a repeated one, and 400 to a forged one. */
async function receiveCallback(
  shop: Shop,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await text(request)
  const { said, genuine } = readCallback(
    body,
    request,
    (await shop.options.credentials()).callback_signing_secret,
  )
  const { type, event, charge_order_id, subscription_id } = said
  const others = charge_order_id ? [charge_order_id] : [said.request_id, said.ext_subscriptionid]
  const names = [said.ext_invoiceid, ...others]
  // If another program created the charge, it belongs to the visitor who has the subscription.
  const sessions = [...shop.sessions.values()]
  const session = sessions.find((session) => session.find([...names, subscription_id]) !== undefined)
  const order = session?.find(names)
  if (genuine && order) take(order, said)
  // Callbacks of charges, and most of subscriptions, have no `type`.
  const subject = charge_order_id ? 'CHARGE' : (type ?? (subscription_id ? 'SUBSCRIPTION' : ''))
  const sent = [...shownProof(request.headers), '', indented(cut(body))]
  session?.note({ kind: 'callback', title: `${subject} ${event}`, sent, genuine })
  send(response, genuine ? 200 : 400, 'application/json', JSON.stringify({ received: genuine }))
}

type Said = Readonly<Record<string, unknown>>

function readCallback(
  body: string,
  { headers }: IncomingMessage,
  secret: string,
): { said: Said; genuine: boolean } {
  try {
    return { said: Object(verifyCallback(body, headers, secret)), genuine: true }
  } catch {
    // The timeline also shows a forged callback.
    return { said: Object(readJson(body)), genuine: false }
  }
}

function take(order: Order, said: Said): void {
  // A charge has a callback of its own and one of its payment. So has the first payment of a subscription.
  const isOfPayment = !('charge_order_id' in said || 'subscription_end_date' in said)
  if (order.kind === 'subscription' && isOfPayment) Object.assign(order, { payment: said.operation_status })
  else if (order.kind !== 'charge' || !isOfPayment) advance(order, said.event)
  if (said.subscription_end_date) Object.assign(order, { endDate: said.subscription_end_date })
}

/** Allows only the files of the shop and the gateway's card fields. */
function policyOf({ options }: Shop): string {
  const gateway = new URL(options.gatewayUrl).origin
  return [
    `default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; connect-src 'self'`,
    `script-src 'self' ${gateway}; frame-src ${gateway}; form-action 'self' ${gateway}; frame-ancestors 'none'`,
  ].join('; ')
}

function redirect(response: ServerResponse, location: string): void {
  response.writeHead(303, { location, 'cache-control': 'no-store' }).end()
}

function send(response: ServerResponse, status: number, type: string, text: string): void {
  const safety = {
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  }
  response.writeHead(status, { 'content-type': `${type}; charset=utf-8`, ...safety }).end(text)
}
