// Every declared route against callers without the right.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadConfig } from '../../src/config.ts'
import { permissions } from '../../src/kernel/values/permissions.ts'
import { openGateway } from '../../src/main.ts'
import { createPostgresDatabase } from '../database.ts'
import { startWorldHere } from '../gateway-here.ts'
import type { Answer, Json, Merchant, World } from '../world.ts'
import { type Belongings, belongingsOf, makesOwn } from './belongings.ts'
import { isOfSandbox, productionRoutes, publicRoutes } from './public-routes.ts'
import { type Route, withRoutes } from './routes.ts'
import { isForKeys, nameOf, permissionsPage, whileSuspended } from './table.ts'

const unknownId = '01991234-5678-7000-8000-000000000000'

let world: World
let routes: Route[]
let forKeys: Route[]
/** A merchant with every right and a key with every permission, but not the demo shop. */
let other: Merchant
let own: Belongings

beforeAll(async () => {
  ;[world, routes] = await withRoutes(startWorldHere)
  forKeys = routes.filter(isForKeys)
  other = await newMerchant('partner,pci_dss,marketplace')
  own = await belongingsOf(world, other)
})
afterAll(async () => {
  expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
  await world.stop()
})

async function newMerchant(rights: string): Promise<Merchant> {
  const options = ['--rights', rights, '--methods', 'CC,MB,MBWAY']
  const { json } = await world.cli('merchant', 'create', '--name', 'B', '--email', 'b@b.example', ...options)
  return { ...world.shop, ...json, api_key: await newKey(json.wallet_id, permissions) }
}

async function newKey(walletId: number, granted: readonly string[]): Promise<string> {
  const { json } = await world.cli('key', 'create', String(walletId), '--permissions', granted.join(','))
  return json.api_key
}

interface Asking {
  readonly key?: string | undefined
  readonly esb?: string
  readonly path?: string
  /** Default: no JSON, so that a request that passes all guards does nothing. */
  readonly body?: Json
}

const pathOf = ({ url }: Route) => url.replaceAll(/:\w+/g, unknownId)

function ask(
  route: Route,
  { key, esb = other.esb_token, path = pathOf(route), body }: Asking,
): Promise<Answer> {
  return world.request(path, {
    method: route.method,
    headers: {
      ...(key !== undefined && { authorization: `Comporta ${key}` }),
      'proxy-authorization': `ESBToken=${esb}`,
      ...(route.method !== 'GET' && { 'content-type': 'application/json' }),
    },
    ...(route.method !== 'GET' && { body: body === undefined ? '{' : JSON.stringify(body) }),
  })
}

async function wrongAmong(
  asked: readonly Route[],
  answerTo: (route: Route) => Promise<Answer>,
  wanted: (route: Route) => string,
): Promise<string[]> {
  const said = await Promise.all(
    asked.map(async (route) => {
      const { status, body } = await answerTo(route)
      const got = status === 403 ? `403 ${body.reason}` : `${status} ${body?.code ?? ''}`.trim()
      return got === wanted(route) ? [] : [`${nameOf(route)}: ${got}, not ${wanted(route)}`]
    }),
  )
  return said.flat()
}

const authOf = ({ auth }: Route) => (auth === 'none' ? {} : auth)

describe('the routes', () => {
  it('are those of docs/inside/permissions.md', async () => {
    await expect(permissionsPage(routes)).toMatchFileSnapshot('../../docs/inside/permissions.md')
  })

  it('without key and session each have a reason', () => {
    const open = routes.filter((route) => route.auth === 'none' && !isOfSandbox(route)).map(nameOf)
    expect(open.sort()).toEqual(Object.values(publicRoutes).flat().sort())
    expect(routes.filter(isOfSandbox).filter(({ auth }) => auth !== 'none')).toEqual([])
  })

  it('of production are the same without those of the sandbox, and with webhooks', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'comporta-permissions-'))
    const keyFile = join(dataDir, 'master.key')
    writeFileSync(keyFile, `1 ${Buffer.alloc(32, 7).toString('base64')}\n`, { mode: 0o600 })
    const config = loadConfig({
      MODE: 'production',
      DATABASE_URL: await createPostgresDatabase(),
      BASE_URL: 'https://pay.example.com',
      MASTER_KEY_FILE: keyFile,
      DATA_DIR: dataDir,
    })
    if (!config.ok) throw new Error(config.refusal.join('; '))
    const [gateway, inProduction] = await withRoutes(async () => {
      const opened = await openGateway(config.value, pino({ level: 'silent' }))
      await opened.createApp(undefined).close()
      return opened
    })
    await gateway.close()
    rmSync(dataDir, { recursive: true, force: true })
    const lines = (some: readonly Route[]) => some.map((one) => `${nameOf(one)} ${JSON.stringify(one.auth)}`)
    const webhooks = Object.values(productionRoutes).flat()
    const shared = inProduction.filter((route) => !webhooks.includes(nameOf(route)))
    expect(inProduction.length - shared.length).toBe(webhooks.length)
    expect(lines(shared)).toEqual(lines(routes.filter((route) => !isOfSandbox(route))))
  })
})

describe('every route for keys', () => {
  it('refuses callers without a key in header or body', async () => {
    for (const [body, answer] of [
      [{}, '401 20001'],
      [{ merchant: { apikey: 'hello' } }, '401 20001'],
    ] as const)
      expect(
        await wrongAmong(
          forKeys,
          (route) => ask(route, { body }),
          () => answer,
        ),
      ).toEqual([])
  })

  it('refuses an invalid or revoked key', async () => {
    const revoked = await newKey(other.wallet_id, permissions)
    const [, , id = ''] = revoked.split('_')
    await world.cli('key', 'revoke', id)
    const altered = other.api_key.slice(0, -8) + [...other.api_key.slice(-8)].reverse().join('')
    for (const [key, answer] of [
      ['hello', '401 20001'],
      [altered, '401 20005'],
      [revoked, '401 20005'],
    ] as const)
      expect(
        await wrongAmong(
          forKeys,
          (route) => ask(route, { key }),
          () => answer,
        ),
      ).toEqual([])
  })

  it('needs its permission, in addition to others', async () => {
    const lacking = new Map<string, string>()
    for (const one of permissions)
      lacking.set(
        one,
        await newKey(
          other.wallet_id,
          permissions.filter((each) => each !== one),
        ),
      )
    const asking = forKeys.filter((route) => authOf(route).permission !== undefined)
    const wanted = (route: Route) => `403 the API key lacks the permission ${authOf(route).permission}`
    const answerTo = (route: Route) => ask(route, { key: lacking.get(authOf(route).permission ?? '') })
    expect(await wrongAmong(asking, answerTo, wanted)).toEqual([])
  })

  it('needs no other permission', async () => {
    const having = new Map<string, string>()
    for (const one of permissions) having.set(one, await newKey(other.wallet_id, [one]))
    const asking = forKeys.filter(({ url }) => !url.endsWith('/listen'))
    const passing = await Promise.all(
      asking.map(async (route) => {
        const key = having.get(authOf(route).permission ?? 'checkout')
        return [nameOf(route), (await ask(route, { key })).status] as const
      }),
    )
    expect(passing.filter(([, status]) => ![200, 400, 404].includes(status))).toEqual([])
  })

  it('needs the right of the merchant', async () => {
    const { api_key: key } = await newMerchant('none')
    const asking = forKeys.filter((route) => authOf(route).rights !== undefined)
    const wanted = (route: Route) =>
      `403 the wallet lacks the right ${authOf(route).rights?.[0]}, which the operator gives`
    expect(await wrongAmong(asking, (route) => ask(route, { key }), wanted)).toEqual([])
    expect(asking.length).toBeGreaterThan(10)
  })

  it('of the card API needs the ESB token of the same merchant', async () => {
    const asking = forKeys.filter((route) => authOf(route).esb === true)
    for (const esb of ['none', world.shop.esb_token])
      expect(
        await wrongAmong(
          asking,
          (route) => ask(route, { key: other.api_key, esb }),
          () => '401 20004',
        ),
      ).toEqual([])
    expect(asking.map(({ url }) => url)).toEqual(
      forKeys.map(({ url }) => url).filter((url) => /^\/prows/.test(url)),
    )
  })

  it('refuses a suspended merchant, unless it reads, ends or refunds', async () => {
    const merchant = await newMerchant('partner,pci_dss,marketplace')
    await world.cli('merchant', 'set', String(merchant.wallet_id), '--suspended', 'on')
    const begins = ({ method }: Route) => method !== 'GET' && method !== 'DELETE'
    const [refused, passing] = [
      forKeys.filter((route) => begins(route) && !whileSuspended.includes(nameOf(route))),
      forKeys.filter((route) => !(begins(route) && !whileSuspended.includes(nameOf(route)))),
    ]
    const { api_key: key, esb_token: esb } = merchant
    for (const route of refused) {
      const { status, body } = await ask(route, { key, esb })
      expect([nameOf(route), status, body.reason]).toEqual([
        nameOf(route),
        403,
        expect.stringContaining('suspended the merchant'),
      ])
    }
    const statuses = await Promise.all(
      passing.filter(({ url }) => !url.endsWith('/listen')).map((route) => ask(route, { key, esb })),
    )
    expect(statuses.filter(({ status }) => status === 401 || status === 403)).toEqual([])
  })
})

describe('an object of another merchant', () => {
  function ownPathOf({ url }: Route): string | undefined {
    const [path] = Object.entries(own.byPath).filter(([one]) => url === one || url.startsWith(`${one}/`))
    return (
      path &&
      url
        .replace(/:(id|token)/, path[1])
        .replace(':charge_id', own.chargeId)
        .replace(':event_id', own.eventId)
        .replace(':method', own.savedCardId)
    )
  }
  const ownKey = () => ({ key: world.shop.api_key, esb: world.shop.esb_token })
  const isNamed = ({ url }: Route) => /:(id|token)/.test(url)

  it('is readable for its merchant only', async () => {
    const reading = forKeys.filter((route) => route.method === 'GET' && isNamed(route))
    expect(
      reading.filter((route) => ownPathOf(route) === undefined),
      'belongings.ts names their ids',
    ).toEqual([])
    const asked = (more: Asking) => (route: Route) => ask(route, { ...more, path: ownPathOf(route) ?? '' })
    expect(await wrongAmong(reading, asked({ key: other.api_key }), () => '404 10004')).toEqual([])
    expect(await wrongAmong(reading, asked(ownKey()), () => '200')).toEqual([])
  })

  it('is not in the lists of others', async () => {
    const lists = forKeys.filter(
      (route) => route.method === 'GET' && !isNamed(route) && !route.url.endsWith('/listen'),
    )
    const ids = [...Object.values(own.byPath), own.chargeId]
    const today = new Date().toISOString().slice(0, 10)
    const shown = async (more: Asking) =>
      Promise.all(
        lists.map(async (route) => {
          const { text } = await ask(route, { ...more, path: route.url.replace(':day', today) })
          return [nameOf(route), ids.filter((id) => text.includes(id))] as const
        }),
      )
    // A new merchant is used, because its request log contains only its own requests.
    const { api_key: key } = await newMerchant('partner,pci_dss,marketplace')
    expect((await shown({ key })).filter(([, found]) => found.length > 0)).toEqual([])
    const found = (await shown(ownKey())).flatMap(([, some]) => some)
    expect(
      ids.filter((id) => !found.includes(id)).length,
      'ids that the lists of its own merchant have not',
    ).toBeLessThan(4)
  })

  it('cannot be changed or used by others', async () => {
    const changing = forKeys.filter(
      ({ method, url }) => method !== 'GET' && url !== '/api/v2/callback/verify',
    )
    const using = changing.filter((route) => !makesOwn.includes(nameOf(route)))
    expect(using.map(nameOf).sort(), 'belongings.ts says how each is asked').toEqual(
      Object.keys(own.uses).sort(),
    )
    const before = await everythingRead()
    const answerTo = (route: Route) =>
      ask(route, {
        key: other.api_key,
        path: ownPathOf(route) ?? route.url,
        body: own.uses[nameOf(route)] ?? {},
      })
    expect(await wrongAmong(using, answerTo, () => '404 10004')).toEqual([])
    expect(await everythingRead()).toEqual(before)
  })

  it('is not genuine for others', async () => {
    expect((await world.shop.post('/api/v2/callback/verify', own.callback)).text).toBe('true')
    const [verify] = forKeys.filter(({ url }) => url === '/api/v2/callback/verify') as [Route]
    const answer = await ask(verify, { key: other.api_key, body: JSON.parse(own.callback) })
    expect(answer.text).toBe('false')
  })

  function everythingRead(): Promise<string[]> {
    const reading = forKeys.filter((route) => route.method === 'GET' && isNamed(route))
    return Promise.all(
      reading.map(async (route) => (await ask(route, { ...ownKey(), path: ownPathOf(route) ?? '' })).text),
    )
  }
})
