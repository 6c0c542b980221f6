// Every route of the backoffice's API against who may not: strangers, other merchants, roles, other sites.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type SignedIn, signIn } from '../people.ts'
import { startWorld, type World } from '../world.ts'
import { backofficeRoutes } from './routes.ts'

const routes = await backofficeRoutes()
const id = '01991234-5678-7000-8000-000000000000'
const ofWallet = routes.filter(({ url }) => url.includes('/wallets/:wallet/'))
const changing = ofWallet.filter(({ method }) => method !== 'GET')

/** The path of a route in the backoffice of `wallet`, with an id that nobody has. */
function pathOf(url: string, wallet: number): string {
  return url.replace('/backoffice/api', '').replace(':wallet', String(wallet)).replace(/:\w+/g, id)
}

let world: World
let owner: SignedIn
let reader: SignedIn
let stranger: SignedIn
let operator: SignedIn

beforeAll(async () => {
  world = await startWorld()
  ;[owner, reader, stranger, operator] = await Promise.all([
    signIn(world, 'owner@demo.example'),
    signIn(world, 'reader@demo.example'),
    signIn(world, 'owner@plain.example'),
    signIn(world, 'operator@demo.example'),
  ])
})
afterAll(() => world?.stop())

it('has routes of wallets that read, and some that change', () => {
  expect(ofWallet.length).toBeGreaterThan(10)
  expect(changing.length).toBeGreaterThan(3)
})

describe.each(routes)('$method $url', ({ method, url, isOpen }) => {
  const path = (wallet: number) => pathOf(url, wallet)

  it.skipIf(isOpen)('is for nobody who is not signed in', async () => {
    const answer = await world.request(`/backoffice/api${path(world.shop.wallet_id)}`, {
      method,
      headers: { authorization: `Comporta ${world.shop.api_key}`, origin: new URL(world.baseUrl).origin },
    })
    expect([answer.status, answer.body.code]).toEqual([401, 20001])
  })

  it.skipIf(!url.includes(':wallet'))('is for nobody of another team', async () => {
    const foreign = await stranger.send(method, path(world.shop.wallet_id))
    const missing = await stranger.send(method, path(999_999))
    expect([foreign.status, foreign.body.code]).toEqual([403, 20002])
    expect(foreign.body.reason.replace(String(world.shop.wallet_id), '')).toBe(
      missing.body.reason.replace('999999', ''),
    )
  })

  it.skipIf(method === 'GET' || isOpen)(
    'takes nothing without the token of the page, or from another site',
    async () => {
      const target = `/backoffice/api${path(world.shop.wallet_id)}`
      const origin = new URL(world.baseUrl).origin
      const tokenless = { cookie: owner.cookie, origin }
      const foreign = {
        cookie: owner.cookie,
        origin: 'https://evil.example',
        'x-csrf-token': owner.session.csrf_token,
      }
      for (const headers of [tokenless, foreign]) {
        const answer = await world.request(target, { method, headers })
        expect([answer.status, answer.body.code]).toEqual([403, 20002])
      }
    },
  )

  it.skipIf(method === 'GET' || !url.includes(':wallet'))('lets who only reads change nothing', async () => {
    for (const who of [reader, operator]) {
      const answer = await who.send(method, path(world.shop.wallet_id))
      expect([who.email, answer.status, answer.body.code]).toEqual([who.email, 403, 20002])
    }
  })

  it.skipIf(!url.startsWith('/backoffice/api/operator/'))('is for operators alone', async () => {
    const answer = await owner.send(method, path(world.shop.wallet_id))
    expect([answer.status, answer.body.code]).toEqual([403, 20002])
  })
})
