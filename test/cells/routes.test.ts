// Two cells behind HAProxy: each request finds its cell, and no cell shows anything of another.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setCell } from '../../src/cells/index.ts'
import { cellOfId } from '../../src/kernel/random.ts'
import { openPostgres } from '../../src/storage/index.ts'
import { openPage } from '../browserless.ts'
import { createPostgresDatabase } from '../database.ts'
import { freePort } from '../free-port.ts'
import { openWorld } from '../gateway-here.ts'
import { judgesTimes } from '../patience.ts'
import { isOfSandbox, productionRoutes } from '../security/public-routes.ts'
import { type Route, withRoutes } from '../security/routes.ts'
import { isForKeys, nameOf } from '../security/table.ts'
import { cards, type Json, type Merchant, type World } from '../world.ts'
import { partsIfThere, type Router, startRouter } from './router.ts'

const parts = partsIfThere()

// An identifier that no rule finds would come to the other cell.
describe.skipIf(parts === undefined).each([0, 1])('through HAProxy, with cell %i for the rest', (rest) => {
  let router: Router | undefined
  let direct: readonly number[]
  let address: string
  const worlds: World[] = []
  let routes: Route[]

  beforeAll(async () => {
    const [port, ...ports] = [await freePort(), await freePort(), await freePort()]
    if (parts === undefined) return
    router = await startRouter(parts, port, ports, rest)
    ;({ address } = router)
    direct = ports
    for (const number of [0, 1]) {
      const databaseUrl = await createPostgresDatabase()
      const database = openPostgres({ url: databaseUrl })
      expect(await setCell(database, number)).toMatchObject({ ok: true })
      await database.close()
      const environment = { BASE_URL: address, PORT: String(ports[number]), CELLS: '0,1' }
      const [world, declared] = await withRoutes(() => openWorld({ databaseUrl }, environment))
      worlds.push(world)
      routes = declared
    }
  })
  afterAll(async () => {
    router?.stop()
    for (const world of worlds) await world.stop()
  })

  const ask = (path: string, { api_key }: Pick<Merchant, 'api_key'>, body?: unknown) =>
    fetch(`${address}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Comporta ${api_key}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }).then(async (answer) => ({ status: answer.status, body: (await answer.json()) as Json }))
  const checkout = {
    ...{ payment: { amount: 10, currency: 'EUR' } },
    ...{ url_confirm: 'https://shop.example/ok', url_cancel: 'https://shop.example/no' },
  }

  it('a key, a page and a link lead to their cell, and ids of the other are unknown', async () => {
    const paid: string[] = []
    for (const [number, world] of worlds.entries()) {
      const { shop } = world
      const made = await ask('/api/v2/checkout', shop, checkout)
      expect(made.status).toBe(200)
      expect(made.body.url_redirect).toContain(address)
      expect(cellOfId(made.body.id)).toBe(number)
      await world.payOnPage(made.body, cards.frictionless)
      const [operation] = (await ask('/api/v2/operations', shop)).body.elements
      expect(operation).toMatchObject({ status: 'COMPLETED' })
      paid.push(operation.id)
      const link = await ask('/api/v2/payment_links', shop, { amount: 5, description: `Rent ${number}` })
      expect((await openPage(link.body.url)).text).toContain(`Rent ${number}`)
    }
    for (const [number, { shop }] of worlds.entries()) {
      const [own = '', other = ''] = number === 0 ? paid : paid.toReversed()
      expect((await ask(`/api/v2/operations/${own}`, shop)).status).toBe(200)
      const forged = own.slice(0, 20) + other.slice(20, 23) + own.slice(23)
      for (const id of [other, forged]) expect((await ask(`/api/v2/operations/${id}`, shop)).status).toBe(404)
    }
  })

  it('a request with a key, an id or a merchant comes to the cell that they name', async () => {
    const cell = 1 - rest
    const part = `0${cell}`
    const ids: Readonly<Record<string, string>> = {
      ...Object.fromEntries(
        ['id', 'charge_id', 'threeDsId'].map((name) => [
          name,
          `01991234-5678-7000-8${cell.toString().padStart(3, '0')}-000000000000`,
        ]),
      ),
      code: part.padEnd(22, 'x'),
      connection: part.padEnd(22, 'x'),
    }
    const tokenOf = (url: string) => (url.startsWith('/mail') ? `${part}.AQAAAAAB` : (ids.id as string))
    const pathOf = ({ url }: { readonly url: string }) =>
      url.replace(/:(\w+)/g, (_, name: string) => (name === 'token' ? tokenOf(url) : (ids[name] ?? 'x')))
    const cellOf = async (url: string, init: RequestInit) => {
      const answer = await fetch(address + url, { redirect: 'manual', ...init })
      await answer.body?.cancel()
      return cellOfId(answer.headers.get('x-request-id') ?? '')
    }
    const wrong = async (some: readonly Route[], ask: (route: Route) => Promise<number>) =>
      (
        await Promise.all(some.map(async (route) => ((await ask(route)) === cell ? [] : [nameOf(route)])))
      ).flat()

    const production = Object.values(productionRoutes).flat().map(routeNamed)
    const named = [...routes, ...production].filter(({ url }) =>
      /:(id|charge_id|threeDsId|token|code|connection)\b/.test(url),
    )
    const forPeople = (route: Route) => route.url.startsWith('/backoffice') || isOfSandbox(route)
    const byPath = named.filter((route) => !forPeople(route))
    expect(byPath.length).toBeGreaterThan(60)
    expect(await wrong(byPath, (route) => cellOf(pathOf(route), { method: route.method }))).toEqual([])

    const authorization = `Comporta cmp_test_${part.padEnd(8, 'x')}_${'x'.repeat(38)}`
    const forKeys = routes.filter(isForKeys)
    const byKey = (route: Route) =>
      cellOf(pathOf(route), { method: route.method, headers: { authorization } })
    expect(await wrong(forKeys, byKey)).toEqual([])
    const merchant = { apikey: authorization.slice('Comporta '.length) }
    for (const body of [
      { merchant },
      ...['payment', 'authorization', 'subscription'].map((name) => ({ [name]: { merchant } })),
    ]) {
      const init = {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body, null, 2),
      }
      const bodies = forKeys.filter(({ method, url }) => method === 'POST' && !url.includes('/:'))
      expect(await wrong(bodies, ({ url }) => cellOf(url, init))).toEqual([])
    }

    const open = routes.filter(
      (route) => route.auth === 'none' && !forPeople(route) && !byPath.includes(route),
    )
    const byQuery = [
      '/branding/logos/:file',
      ...open.map(({ url }) => url).filter((url) => /frame$|session$|jwks/.test(url)),
    ]
    expect(byQuery).toHaveLength(4)
    for (const url of byQuery) expect(await cellOf(`${url}?merchant=${part.padEnd(16, 'x')}`, {})).toBe(cell)
    // The same in every cell.
    const others = open.map(nameOf).filter((name) => !byQuery.some((url) => name === `GET ${url}`))
    expect(
      others.filter(
        (name) =>
          !/ \/($|assets|badge|embed|docs|openapi|healthz|readyz|metrics|api\/(v2\/)?anon|branding\/colours|secure-fields\/v1\/|checkout\/method-done)/.test(
            name,
          ),
      ),
    ).toEqual([])
  })

  it.runIf(judgesTimes)('HAProxy adds at most 0.3 ms to the median', async () => {
    const path = `/api/v2/operations/${randomUUID()}`
    const [{ shop }] = worlds as [World]
    const headers = { authorization: `Comporta ${shop.api_key}` }
    const places = [address, `http://127.0.0.1:${direct[0]}`]
    const times = places.map(() => [] as number[])
    for (let round = 0; round < 3000; round++)
      for (const [index, place] of places.entries()) {
        const begun = performance.now()
        await (await fetch(place + path, { headers })).text()
        times[index]?.push(performance.now() - begun)
      }
    const [through = 0, alone = 0] = times.map((all) => all.toSorted((a, b) => a - b)[all.length / 2])
    console.log(`p50 through HAProxy ${through.toFixed(2)} ms, directly ${alone.toFixed(2)} ms`)
    expect(through - alone).toBeLessThan(0.3)
  })

  it('a key with a forged cell is unknown', async () => {
    const [{ shop } = { shop: { api_key: '' } }] = worlds
    for (const cell of ['01', 'zz']) {
      const api_key = shop.api_key.replace(/^cmp_test_00/, `cmp_test_${cell}`)
      expect((await ask('/api/v2/operations', { api_key })).status).toBe(401)
    }
  })
})

function routeNamed(name: string): Route {
  const [method = '', url = ''] = name.split(' ')
  return {
    ...{ method, url, auth: 'none', people: {}, isPage: false, parameters: [], fields: [] },
    summary: name,
  }
}
