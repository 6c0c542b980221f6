// Identifiers with the cell of another: an error that names the cell, on every route.
import { crc32 } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { setCell } from '../../src/cells/index.ts'
import { toBase62 } from '../../src/kernel/random.ts'
import { permissions } from '../../src/kernel/values/permissions.ts'
import { openPostgres } from '../../src/storage/index.ts'
import { createPostgresDatabase } from '../database.ts'
import { openWorld } from '../gateway-here.ts'
import { type Belongings, belongingsOf } from '../security/belongings.ts'
import { isOfSandbox } from '../security/public-routes.ts'
import { type Route, withRoutes } from '../security/routes.ts'
import { isForKeys, nameOf } from '../security/table.ts'
import type { Answer, Json, World } from '../world.ts'

let world: World
let routes: Route[]
let own: Belongings

beforeAll(async () => {
  const databaseUrl = await createPostgresDatabase()
  const database = openPostgres({ url: databaseUrl })
  expect(await setCell(database, 1)).toMatchObject({ ok: true })
  await database.close()
  ;[world, routes] = await withRoutes(() => openWorld({ databaseUrl }, { CELLS: '0,1,2' }))
  const rights = ['--rights', 'partner,pci_dss,marketplace', '--methods', 'CC,MB,MBWAY']
  const { json } = await world.cli('merchant', 'create', '--name', 'B', '--email', 'b@b.example', ...rights)
  const key = await world.cli('key', 'create', String(json.wallet_id), '--permissions', permissions.join(','))
  own = await belongingsOf(world, { ...world.shop, ...json, api_key: key.json.api_key })
})
afterAll(() => world.stop())

/** Replaces the cell of every UUID of this cell, and of public numbers of merchants. */
function forged(text: string, cell: number): string {
  const part = cell.toString(16).padStart(3, '0')
  return text
    .replace(/([0-9a-f]{8}(?:-[0-9a-f]{4}){2}-[89ab])001(-[0-9a-f]{12})/gi, `$1${part}$2`)
    .replace(/"01([0-9A-Za-z]{14})"/g, `"${toBase62(cell, 2)}$1"`)
}

const ask = (method: string, path: string, body?: Json, key = world.shop.api_key): Promise<Answer> =>
  world.request(path, {
    ...{ method, redirect: 'manual' },
    headers: {
      authorization: `Comporta ${key}`,
      'proxy-authorization': `ESBToken=${world.shop.esb_token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })

function pathOf({ url }: Route): string | undefined {
  const [known] = Object.entries(own.byPath).filter(([one]) => url === one || url.startsWith(`${one}/`))
  return known && url.replace(/:(id|token)/, known[1]).replace(':charge_id', own.chargeId)
}

it.each([0, 2, 3])('an id in the path with cell %i', async (cell) => {
  // The merchant chooses a request id, so it has no cell.
  const named = routes.filter(
    (route) => isForKeys(route) && pathOf(route) !== undefined && !route.url.includes('/requests/'),
  )
  expect(named.length).toBeGreaterThan(20)
  const said = await Promise.all(
    named.map(async (route) => {
      const body = own.uses[nameOf(route)]
      const { status, body: answer } = await ask(route.method, forged(pathOf(route) as string, cell), body)
      return [nameOf(route), status, answer.code, /belongs to cell (\d+)/.exec(answer.reason)?.[1]] as const
    }),
  )
  // CELLS lacks 3.
  const told = cell === 3 ? undefined : String(cell)
  expect(said).toEqual(named.map((route) => [nameOf(route), 404, 10004, told]))
})

it('an id in the body', async () => {
  const bodies = Object.entries(own.uses).filter(
    ([name, body]) =>
      !/:(id|token)/.test(name) && forged(JSON.stringify(body ?? {}), 2) !== JSON.stringify(body ?? {}),
  )
  expect(bodies.map(([name]) => name)).toEqual([
    'POST /prows/v2/payment',
    'POST /prows/v2/authorization',
    'POST /api/v2/payment',
  ])
  for (const [name, body] of bodies) {
    const [method = '', path = ''] = name.split(' ')
    const { status, body: answer } = await ask(method, path, JSON.parse(forged(JSON.stringify(body), 2)))
    expect([name, status, answer.reason]).toEqual([name, 404, expect.stringContaining('belongs to cell 2')])
  }
})

it('an id of a page', async () => {
  const open = routes.filter(
    (route) => route.auth === 'none' && !isOfSandbox(route) && /:(id|threeDsId|code|token)/.test(route.url),
  )
  // Without a body it is refused before its id is read.
  const isReadLater = ({ url }: Route) => url.startsWith('/3ds/results/')
  const { id, code } = { id: own.byPath['/api/v2/checkout/:id'] as string, code: '02'.padEnd(22, 'x') }
  expect((await world.request(`/checkout/${id}`)).status).toBe(200)
  const answers = await Promise.all(
    open.map(async (route) => {
      const path = route.url
        .replace(/:(id|threeDsId)/, forged(id, 0))
        .replace(':code', code)
        .replace(/:(token|signature|secret)/g, '02.AQAAAAAB')
      const { status, text } = await world.request(path, { method: route.method, redirect: 'manual' })
      return [nameOf(route), status, text.includes(world.shop.name)] as const
    }),
  )
  expect(answers).toEqual(open.map((route) => [nameOf(route), isReadLater(route) ? 400 : 404, false]))
})

it('an API key', async () => {
  for (const cell of [0, 2, 3]) {
    const body = world.shop.api_key.replace(/^cmp_test_01/, `cmp_test_${toBase62(cell, 2)}`).slice(0, -6)
    const key = body + toBase62(crc32(body), 6)
    const { status, body: answer } = await ask('GET', '/api/v2/operations', undefined, key)
    const reason =
      cell === 3 ? 'unknown or revoked' : `the API key belongs to cell ${cell}, and this is cell 1`
    expect([status, answer.code, answer.reason]).toEqual([401, 20005, expect.stringContaining(reason)])
  }
})
