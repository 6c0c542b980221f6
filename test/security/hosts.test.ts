// Pages refuse another host name, because anyone can make a name that leads to us.
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { formTo, openPage } from '../browserless.ts'
import { openWorld } from '../gateway-here.ts'
import type { World } from '../world.ts'
import { isOfSandbox } from './public-routes.ts'
import { peoplePrefix, type Route, withRoutes } from './routes.ts'
import { nameOf } from './table.ts'

const id = '01991234-5678-7000-8000-000000000000'
let world: World
let routes: Route[]
beforeAll(async () => {
  ;[world, routes] = await withRoutes(() => openWorld('postgres', { TRUST_PROXY: 'loopback' }))
})
afterAll(() => world?.stop())

/** `fetch` does not allow another `host`. */
async function ask(path: string, headers: Record<string, string>, method = 'GET', body = '') {
  const { promise, resolve, reject } = Promise.withResolvers<{
    status: number
    text: string
    location: string
  }>()
  const { port } = new URL(world.baseUrl)
  const sent = request({ host: '127.0.0.1', port, path, method, headers }, (answer) => {
    const { statusCode: status = 0, headers: given } = answer
    text(answer).then((shown) => resolve({ status, text: shown, location: given.location ?? '' }), reject)
  })
  sent.once('error', reject).end(body)
  return promise
}

/** Hashed file names have no fixed address here. */
const isShown = ({ isPage, url }: Route) =>
  !url.includes('<hash>') && (isPage || url.startsWith(peoplePrefix)) && !isOfSandbox({ url })
const pathOf = ({ url }: Route) => url.replaceAll(/:\w+|\*/g, id)

it('every page and its requests are refused, and nothing else', async () => {
  const shown = routes.filter(isShown)
  expect(shown.length).toBeGreaterThan(80)
  const wrong: string[] = []
  for (const host of ['evil.example', '127.0.0.1.evil.example', 'localhost.:80', '192.0.2.1'])
    for (const route of shown) {
      const { status, text: said } = await ask(
        pathOf(route),
        { host, accept: 'application/json' },
        route.method,
      )
      if (status !== 403 || !said.includes('host of BASE_URL'))
        wrong.push(`${host} ${nameOf(route)} ${status}`)
    }
  const others = routes.filter((route) => !isShown(route) && route.method === 'GET' && !isOfSandbox(route))
  for (const route of others) {
    const { text: said } = await ask(pathOf(route), { host: 'evil.example', accept: 'application/json' })
    if (said.includes('host of BASE_URL')) wrong.push(`${nameOf(route)} is refused`)
  }
  expect(wrong).toEqual([])
})

async function cancelled(says: Record<string, string>) {
  const checkout = await world.createCheckout()
  const page = await openPage(checkout.url_redirect)
  const { action, fields } = formTo(page, '/cancel')
  const headers = { 'content-type': 'application/x-www-form-urlencoded', ...says }
  const { pathname, search } = new URL(action, page.url)
  const { status } = await ask(pathname + search, headers, 'POST', new URLSearchParams(fields).toString())
  return [status, (await world.operation(checkout.payment.id)).status]
}

it('a page under such a name has no effect, for any headers of its browser', async () => {
  const { host, port } = new URL(world.baseUrl)
  const rebound = `evil.example:${port}`
  const own = { host: rebound, origin: `http://${rebound}`, 'sec-fetch-site': 'same-origin' }
  expect(await cancelled(own)).toEqual([403, 'NEW'])
  expect(await cancelled({ ...own, host, 'x-forwarded-host': rebound })).toEqual([403, 'NEW'])
  // A man in the middle names our host with another scheme.
  expect(await cancelled({ host, origin: `https://${host}` })).toEqual([303, 'NEW'])
})

it('our pages work under each of our names, also behind a proxy', async () => {
  const { host, port, origin } = new URL(world.baseUrl)
  const other = `localhost:${port}`
  expect(await cancelled({ host, origin })).toEqual([303, 'FAIL'])
  expect(await cancelled({ host: other, origin: `http://${other}` })).toEqual([303, 'FAIL'])
  expect(await cancelled({ host: 'gateway:8080', 'x-forwarded-host': host, origin })).toEqual([303, 'FAIL'])
})
