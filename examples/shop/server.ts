// HTTP server of the shop.
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { verifyCallback } from '@comporta/sdk'
import { basketPage } from './basket.ts'
import { clientFor, indented, readJson } from './gateway.ts'
import { drawPage, type Page } from './layout.ts'
import { sellingPage } from './selling.ts'
import { advance, Session } from './session.ts'
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
    // For comporta exam. Keep these two away from strangers.
    ['GET /state', (_, response) => sendState(shop, response)],
    ['POST /resync', (_, response) => readEvents(shop, response)],
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
  const session = visitorOf(shop, said)
  if (genuine) take(shop, session, said)
  const { type, event, charge_order_id, subscription_id } = said
  // Callbacks of charges, and most of subscriptions, have no `type`.
  const subject = charge_order_id ? 'CHARGE' : (type ?? (subscription_id ? 'SUBSCRIPTION' : ''))
  const sent = [...shownProof(request.headers), '', indented(cut(body))]
  session?.note({ kind: 'callback', title: `${subject} ${event}`, sent, genuine })
  send(response, genuine ? 200 : 400, 'application/json', JSON.stringify({ received: genuine }))
}

/** Reads the events after the last one: callbacks can be lost while the shop is down. */
async function readEvents(shop: Shop, response: ServerResponse): Promise<void> {
  const { options } = shop
  const comporta = clientFor(options.gatewayUrl, await options.credentials(), new Session())
  for await (const { id, body } of comporta.events.list({ after: shop.lastEvent })) {
    const said: Said = Object(body)
    take(shop, visitorOf(shop, said), said)
    shop.lastEvent = id
  }
  send(response, 200, 'text/plain', 'Read.')
}

/** Payments of all visitors that a callback has named. */
function sendState(shop: Shop, response: ServerResponse): void {
  const orders = [...shop.sessions.values()].flatMap((session) => [...session.orders.values()])
  const operations = orders.flatMap(({ operationId, state, amount }) => {
    if (operationId === undefined) return []
    const refunds = [...(shop.refunds.get(operationId)?.values() ?? [])]
    const refunded = refunds.reduce((sum, refund) => sum + refund, 0)
    return [[operationId, { status: state, amount: amount / 100, refunded: refunded / 100 }]]
  })
  const state = JSON.stringify({ operations: Object.fromEntries(operations) })
  send(response, 200, 'application/json', state)
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

function namesIn(said: Said): unknown[] {
  // A refund has the reference of its payment, but a status of its own.
  if (said.type === 'REFUND') return [said.parent_operation_id, said.ext_invoiceid]
  const others = said.charge_order_id ? [said.charge_order_id] : [said.request_id, said.ext_subscriptionid]
  return [said.ext_invoiceid, ...others]
}

/** If another program created the charge, it belongs to the visitor who has the subscription. */
function visitorOf({ sessions }: Shop, said: Said): Session | undefined {
  const names = [...namesIn(said), said.subscription_id]
  return [...sessions.values()].find((session) => session.find(names) !== undefined)
}

function take(shop: Shop, session: Session | undefined, said: Said): void {
  if (said.type === 'REFUND') return takeRefund(shop, said)
  const order = session?.find(namesIn(said))
  if (order === undefined) return
  if (said.type === 'PAYMENT') order.operationId = String(said.operation_id)
  // A charge has a callback of its own and one of its payment. So has the first payment of a subscription.
  const isOfPayment = !('charge_order_id' in said || 'subscription_end_date' in said)
  if (order.kind === 'subscription' && isOfPayment) Object.assign(order, { payment: said.operation_status })
  else if (order.kind !== 'charge' || !isOfPayment) advance(order, said.event)
  if (said.subscription_end_date) Object.assign(order, { endDate: said.subscription_end_date })
}

/** The amount of a refund is negative. */
function takeRefund({ refunds }: Shop, said: Said): void {
  if (said.operation_status !== 'COMPLETED') return
  const ofPayment = refunds.get(said.parent_operation_id) ?? new Map<unknown, number>()
  refunds.set(said.parent_operation_id, ofPayment)
  ofPayment.set(said.operation_id, -Math.round(Number(said.amount) * 100))
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
