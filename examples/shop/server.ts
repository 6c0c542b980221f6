// The shop's HTTP server: its pages with their forms and live events, the receiver of callbacks, files for browsers.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Callback, verifyCallback } from '@comporta/sdk'
import { basketPage, stateOf } from './basket.ts'
import { readJson } from './gateway.ts'
import { drawPage, type Page } from './layout.ts'
import { sellingPage } from './selling/page.ts'
import { type Entry, later } from './sessions.ts'
import { type Fields, Shop, type ShopOptions, type Visit } from './shop.ts'
import { cut, shownProof } from './shown.ts'
import { subscriptionPage, takeSubscriptionCallback } from './subscription.ts'
import { entryItem } from './timeline.ts'
import { languageFor } from './words/index.ts'

export type { ShopOptions } from './shop.ts'

const bodyBytesMax = 100_000
/** Proxies cut silent streams; browsers come back by themselves and say what they saw last. */
const streamMs = 60_000
/** Beyond it pages show what happened when they are loaded again. */
const streamsMax = 200
/** Forms whose answer is kept, for who sends one twice. */
const formsMax = 500
const fileTypes = { 'base.css': 'text/css', 'shop.css': 'text/css', 'shop.js': 'text/javascript' } as const
const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

type Handler = (request: IncomingMessage, response: ServerResponse, query: Fields) => unknown

/** A shop that is not listening yet. Closing it ends the streams of its open pages. */
export function createShop(options: ShopOptions): Server {
  const shop = new Shop(options)
  const closing = new AbortController()
  const routes = new Map<string, Handler>([
    ...[basketPage, subscriptionPage, sellingPage].flatMap((page) => routesOf(shop, page, closing.signal)),
    ['POST /callbacks', (request, response) => receiveCallback(shop, request, response)],
    ...filesOf(options.publicFolder ?? join(import.meta.dirname, 'public')),
  ])
  const server = createServer(async (request, response) => {
    const url = URL.parse(request.url ?? '/', 'http://shop')
    if (url === null) return send(response, 400, 'text/plain', 'The address is wrong.')
    const { pathname, searchParams } = url
    // The shop's own links have its base path; a proxy in front of it may have taken that away.
    const path = pathname.startsWith(`${shop.base}/`) ? pathname.slice(shop.base.length) : pathname
    const handler = routes.get(`${request.method} ${path}`)
    if (handler === undefined) return send(response, 404, 'text/plain', 'There is no such page.')
    try {
      await handler(request, response, Object.fromEntries(searchParams))
    } catch (error) {
      if (error instanceof BodyTooLarge) {
        // The rest of the body is not read, so nothing else can be asked on this connection.
        response.setHeader('connection', 'close')
        return send(response, 413, 'text/plain', 'That is too much.')
      }
      options.onError(error)
      if (response.headersSent) response.destroy()
      else send(response, 500, 'text/plain', 'The shop could not do it. Try again later.')
    }
  })
  const close = server.close.bind(server)
  server.close = (done) => {
    closing.abort()
    return close(done)
  }
  return server
}

function routesOf(shop: Shop, page: Page, closing: AbortSignal): [string, Handler][] {
  const answers = new Map<string, Promise<string>>()

  /** A double click sends the same form twice; both get the answer of one payment. */
  function once(path: string, visit: Visit, work: Page['forms'][string]): Promise<string> {
    const key = createHash('sha256')
      .update(JSON.stringify([path, visit.fields]))
      .digest('base64url')
    const known = answers.get(key)
    if (known !== undefined) return known
    const answer = work(shop, visit)
    answers.set(key, answer)
    answer.catch(() => answers.delete(key))
    const [oldest] = answers.keys()
    if (answers.size > formsMax && oldest !== undefined) answers.delete(oldest)
    return answer
  }

  const below = page.path === '/' ? '' : page.path
  return [
    [
      `GET ${page.path}`,
      async (request, response, query) => {
        const visit = await visitOf(shop, request, query)
        // At the shop's own address, which the gateway knows for the card fields and the way back.
        if (query.session !== visit.session.id) return redirect(response, shop.url(page.path, visit, {}))
        const html = await drawPage(shop, page, visit)
        response.setHeader('content-security-policy', policyOf(shop))
        send(response, 200, 'text/html', html)
      },
    ],
    [
      `GET ${below}/return`,
      async (request, response, query) =>
        redirect(response, await page.comeBack(shop, await visitOf(shop, request, query))),
    ],
    [
      `GET ${below}/events`,
      async (request, response, query) =>
        sendEvents(shop, page, await visitOf(shop, request, query), { request, response, closing }),
    ],
    ...Object.entries(page.forms).map(([path, work]): [string, Handler] => [
      `POST ${path}`,
      async (request, response) => {
        const form = Object.fromEntries(new URLSearchParams((await bodyOf(request)).toString()))
        redirect(response, await once(path, await visitOf(shop, request, form), work))
      },
    ]),
  ]
}

async function visitOf(shop: Shop, request: IncomingMessage, fields: Fields): Promise<Visit> {
  const id = fields.session?.toLowerCase() ?? ''
  return {
    session: shop.sessions.get(uuid.test(id) ? id : crypto.randomUUID()),
    language: languageFor(fields.lang, request.headers['accept-language']),
    fields,
    today: await shop.today(),
    attempt: crypto.randomUUID(),
  }
}

let streamsOpen = 0

/** Server-sent events: what happens from now on, and before it what happened after the newest entry that the page has. */
async function sendEvents(
  shop: Shop,
  page: Page,
  visit: Visit,
  {
    request,
    response,
    closing,
  }: { request: IncomingMessage; response: ServerResponse; closing: AbortSignal },
): Promise<void> {
  if (streamsOpen >= streamsMax) return send(response, 204, 'text/plain', '')
  streamsOpen += 1
  const { session, language, fields } = visit
  const write = (event: string, html: string, id?: string) => {
    const lines = html.split('\n').map((line) => `data: ${line}\n`)
    response.write(`${id === undefined ? '' : `id: ${id}\n`}event: ${event}\n${lines.join('')}\n`)
  }
  const writeEntry = (entry: Entry) => write('entry', entryItem(entry, language).text, entry.id)
  const placesNow = () =>
    Object.entries(page.places(shop, visit)).map(([name, { text }]) => [name, text] as const)
  const shown = new Map(placesNow())
  const listener = (entry: Entry | undefined) => {
    if (entry !== undefined) writeEntry(entry)
    for (const [name, text] of placesNow()) {
      // Left alone unless it changed: somebody may be typing there.
      if (shown.get(name) !== text) write(name, text)
      shown.set(name, text)
    }
  }
  const left = new AbortController()
  response.once('close', () => left.abort())
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
  response.write('retry: 1000\n\n')
  session.listeners.add(listener)
  try {
    const seen = request.headers['last-event-id'] ?? fields.after
    const next = session.entries.findIndex(({ id }) => id === seen) + 1
    for (const entry of session.entries.slice(next)) writeEntry(entry)
    // What changed between drawing the page and now; an empty place would take away what only the page knows.
    if (next < session.entries.length) for (const [name, text] of shown) if (text !== '') write(name, text)
    await pause(streamMs, undefined, { signal: AbortSignal.any([left.signal, closing]) })
  } catch {
    // The browser has left, or the shop stops.
  } finally {
    session.listeners.delete(listener)
    streamsOpen -= 1
    response.end()
  }
}

/**
 * Answers 200 to what is genuine, also a second time, and 400 to what is not; a 5xx has the callback sent again.
 * A forged one is shown as well, without believing it.
 */
async function receiveCallback(
  shop: Shop,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await bodyOf(request)
  const { signingSecret } = await shop.options.credentials()
  const callback = genuineCallback(body, request.headers, signingSecret)
  const genuine = callback !== undefined
  const { ext_invoiceid, request_id, subscription_id, ext_subscriptionid } = fieldsOf(body)
  const session = shop.sessions.ownerOf([ext_invoiceid, request_id, subscription_id, ext_subscriptionid])
  if (session !== undefined) {
    if (genuine) {
      const order = session.orders.get(String(ext_invoiceid ?? request_id))
      if (order === undefined) takeSubscriptionCallback(callback, { session })
      else order.state = later(order.state, stateOf(callback.event))
    }
    session.note({
      kind: 'callback',
      headers: shownProof(request.headers),
      body: cut(body.toString()),
      genuine,
    })
  }
  send(response, genuine ? 200 : 400, 'application/json', JSON.stringify({ received: genuine }))
}

function genuineCallback(body: Buffer, headers: IncomingHttpHeaders, secret: string): Callback | undefined {
  try {
    return verifyCallback(body, headers, secret)
  } catch {
    return undefined
  }
}

/** What a callback says, believed or not. */
function fieldsOf(body: Buffer): Readonly<Record<string, unknown>> {
  return Object(readJson(body.toString()))
}

class BodyTooLarge extends Error {}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request) {
    bytes += chunk.length
    if (bytes > bodyBytesMax) throw new BodyTooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Lets nothing into a page but files of the shop, and the card fields of the gateway. */
function policyOf({ options }: Shop): string {
  const gateway = new URL(options.gatewayUrl).origin
  return [
    ...[`default-src 'none'`, `style-src 'self'`, `img-src 'self' data:`, `base-uri 'none'`],
    `script-src 'self' ${gateway}`,
    ...[
      `frame-src ${gateway}`,
      `connect-src 'self'`,
      `form-action 'self' ${gateway}`,
      `frame-ancestors 'none'`,
    ],
  ].join('; ')
}

function filesOf(folder: string): [string, Handler][] {
  return Object.entries(fileTypes).map(([name, type]) => {
    const content = readFileSync(join(folder, name), 'utf8')
    return [
      `GET /${name}`,
      (_, response) => {
        response.setHeader('cache-control', 'public, max-age=300')
        send(response, 200, type, content)
      },
    ]
  })
}

function redirect(response: ServerResponse, location: string): void {
  response.writeHead(303, { location, 'cache-control': 'no-store' }).end()
}

function send(response: ServerResponse, status: number, type: string, text: string): void {
  if (!response.hasHeader('cache-control')) response.setHeader('cache-control', 'no-store')
  response
    .writeHead(status, {
      'content-type': `${type}; charset=utf-8`,
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    })
    .end(text)
}
