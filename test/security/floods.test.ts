// Floods of public addresses do not stop others, and an answer that is the same for all is made once.
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openWorld } from '../gateway-here.ts'
import type { Answer, World } from '../world.ts'
import { isOfSandbox } from './public-routes.ts'
import { type Route, withRoutes } from './routes.ts'
import { nameOf } from './table.ts'

const asked = 2000
const connections = 50
const [flooder, other] = ['192.0.2.1', '192.0.2.2']
const id = '01991234-5678-7000-8000-000000000000'

let world: World
let routes: Route[]
let paths: Readonly<Record<string, string>>

beforeAll(async () => {
  const started = await withRoutes(() => openWorld('postgres', { TRUST_PROXY: 'loopback' }))
  world = started[0]
  const watches = ['/healthz', '/readyz', '/metrics']
  routes = started[1].filter(
    ({ method, auth, url }) =>
      method === 'GET' && auth === 'none' && !isOfSandbox({ url }) && !watches.includes(url),
  )
  const checkout = await world.createCheckout()
  const link = await world.shop.post('/api/v2/payment_links', { description: 'Lamp', amount: 5 })
  const code = new URL(link.body.url).pathname.split('/').at(-1)
  const { body: integrity } = await world.request('/secure-fields/v1/integrity.json')
  paths = {
    '/checkout/:id': `/checkout/${checkout.id}`,
    '/l/:code': `/l/${code}`,
    '/l/:code/qr.png': `/l/${code}/qr.png`,
    '/l/:code/qr.svg': `/l/${code}/qr.svg`,
    '/docs': '/docs/',
    '/docs/api': '/docs/api/',
    '/docs/*': '/docs/callbacks',
    '/branding/colours/:file': '/branding/colours/336699.css',
    '/secure-fields/v1/secure-fields-<hash>.js': `/secure-fields/v1/${integrity.file}`,
    '/secure-fields/v1/frame': `/secure-fields/v1/frame?merchant=${world.shop.public_id}`,
    '/secure-fields/v1/session': `/secure-fields/v1/session?merchant=${world.shop.public_id}`,
  }
})
afterAll(() => world?.stop())

const pathOf = ({ url }: Route) => paths[url] ?? url.replaceAll(/:\w+|\*/g, id)

const request = (path: string, address: string) =>
  `GET ${path} HTTP/1.1\r\nhost: ${new URL(world.baseUrl).host}\r\nx-forwarded-for: ${address}\r\n\r\n`

function opened(): Promise<Socket> {
  const { hostname, port } = new URL(world.baseUrl)
  const { promise, resolve, reject } = Promise.withResolvers<Socket>()
  const socket = connect(Number(port), hostname, () => resolve(socket))
  socket.once('error', reject)
  return promise
}

/** Answers to the flood before the page of the other address. */
async function answeredBefore(path: string): Promise<number> {
  const flood = await Promise.all(Array.from({ length: connections }, opened))
  const visitor = await opened()
  let answered = 0
  const all = Promise.withResolvers<void>()
  for (const socket of flood) {
    let rest = ''
    socket.setEncoding('latin1').on('data', (text) => {
      rest += text
      answered += rest.split('HTTP/1.1 ').length - 1
      rest = rest.slice(rest.lastIndexOf('HTTP/1.1 ') + 1).slice(-12)
      if (answered >= asked) all.resolve()
    })
    socket.on('close', () => all.resolve())
    socket.write(request(path, flooder).repeat(asked / connections))
  }
  const page = Promise.withResolvers<number>()
  visitor.once('data', () => page.resolve(answered))
  visitor.write(request('/backoffice', other))
  const before = await page.promise
  await all.promise
  for (const socket of [...flood, visitor]) socket.destroy()
  return before
}

/** The median of three counts, because busy processors can delay one page. */
async function middleOf(measure: () => Promise<number>): Promise<number> {
  const first = await measure()
  if (first <= asked / 2) return first
  const [, middle = first] = [first, await measure(), await measure()].toSorted((a, b) => a - b)
  return middle
}

it('a page for another address is answered before most of 2000 requests of the flood', async () => {
  expect(routes.length).toBeGreaterThan(40)
  const held: string[] = []
  // The return of a customer from an acquirer uses the places of payments.
  for (const route of routes.filter(({ url }) => url !== '/3ds/return/:threeDsId')) {
    const before = await middleOf(() => answeredBefore(pathOf(route)))
    if (before > asked / 2) held.push(`${nameOf(route)} after ${before}`)
  }
  expect(held).toEqual([])
})

/** Answers that are different for each caller, or very short. */
const madeEachTime: Readonly<Record<string, readonly string[]>> = {
  'of one thing as it is at this moment': [
    '/3ds/return/:threeDsId',
    '/checkout/:id',
    '/checkout/:id/bank',
    '/checkout/:id/cancel',
    '/checkout/:id/card',
    '/checkout/:id/delivery',
    '/checkout/:id/events',
    '/checkout/:id/mb',
    '/checkout/:id/mbway',
    '/checkout/:id/paypal',
    '/checkout/:id/sepa',
    '/checkout/:id/wallet',
    '/checkout/:id/withdraw',
    '/l/:code',
    '/mail/stop/:token',
    '/refund/:id/:token',
    '/secure/:id',
    '/secure/:id/events',
    '/subscription/:id/:signature',
    '/subscription/:id/:signature/cancel',
    '/subscription/:id/:signature/retry',
    '/subscription/:id/charge/:charge/:signature',
    '/subscription/:id/charge/:charge/:signature/retry',
  ],
  'with something random of its own': [
    '/backoffice',
    '/backoffice/*',
    '/backoffice/api/auth/passkey/generate-authenticate-options',
    '/secure-fields/v1/frame',
    '/secure-fields/v1/session',
  ],
  'a few hundred bytes from memory': [
    '/',
    '/.well-known/secure-fields/jwks.json',
    '/secure-fields/v1/integrity.json',
  ],
  'files with hashed names, which another test covers': [
    '/assets/*',
    '/branding/logos/:file',
    '/docs/api/js/:file',
  ],
}

/** Drawings and a script of some kilobytes, kept compressed in memory. */
const small = ['/api/anon/images/button', '/api/v2/anon/images/button', '/badge/v1/badge.js']

it('a shared answer is made once, compressed, and not sent again to a browser that has it', async () => {
  const once = routes.filter(({ url }) => !Object.values(madeEachTime).flat().includes(url))
  expect(Object.values(madeEachTime).flat().length + once.length).toBe(routes.length)
  const wrong: string[] = []
  // `fetch` would add `no-cache` to a conditional request.
  const asOther = { 'x-forwarded-for': other, 'accept-encoding': 'gzip', 'cache-control': 'max-age=0' }
  const get = (path: string, headers: Record<string, string> = {}): Promise<Answer> =>
    world.request(path, { headers: { ...asOther, ...headers } })
  for (const route of once) {
    const path = pathOf(route)
    const answer = await get(path)
    const etag = answer.headers.get('etag') ?? ''
    const again = await get(path, { 'if-none-match': etag })
    const isText =
      !/^image\/(?!svg)/.test(answer.headers.get('content-type') ?? '') && !small.includes(route.url)
    const isCompressed = answer.headers.get('content-encoding') === 'gzip'
    if (answer.status !== 200 || again.status !== 304) wrong.push(`${nameOf(route)} ${again.status}`)
    if (isText && !isCompressed) wrong.push(`${nameOf(route)} is not compressed`)
  }
  expect(wrong).toEqual([])
})
