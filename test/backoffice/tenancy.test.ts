// Every route of the backoffice's API against who may not: strangers, other merchants, roles, other sites.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { actionNames } from '../../web/backoffice/pages/team/action-names.ts'
import { type SignedIn, signIn } from '../people.ts'
import { type Answer, startWorld, type World } from '../world.ts'
import { type BackofficeRoute, backofficeRoutes } from './routes.ts'

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

/** A few at a time: the gateway answers them beside each other. */
async function forAll(some: readonly BackofficeRoute[], check: (route: BackofficeRoute) => Promise<void>) {
  const left = [...some]
  const worker = async () => {
    for (let route = left.shift(); route !== undefined; route = left.shift()) await check(route)
  }
  await Promise.all(Array.from({ length: 8 }, worker))
}

const outcomeOf = ({ method, url }: BackofficeRoute, { status, body }: Answer) =>
  `${method} ${url} ${status} ${body.code}`

it('every route is for nobody who is not signed in', async () => {
  const closed = routes.filter(({ isOpen }) => !isOpen)
  await forAll(closed, async (route) => {
    const path = pathOf(route.url, world.shop.wallet_id)
    const answer = await world.request(`/backoffice/api${path}`, {
      method: route.method,
      headers: { authorization: `Comporta ${world.shop.api_key}`, origin: new URL(world.baseUrl).origin },
    })
    expect(outcomeOf(route, answer)).toBe(`${route.method} ${route.url} 401 20001`)
  })
})

it('every route of a wallet is for nobody of another team, who does not learn whether there is one', async () => {
  await forAll(ofWallet, async (route) => {
    const foreign = await stranger.send(route.method, pathOf(route.url, world.shop.wallet_id))
    const missing = await stranger.send(route.method, pathOf(route.url, 999_999))
    expect(outcomeOf(route, foreign)).toBe(`${route.method} ${route.url} 403 20002`)
    expect(foreign.body.reason.replace(String(world.shop.wallet_id), '')).toBe(
      missing.body.reason.replace('999999', ''),
    )
  })
})

it('nothing is changed without the token of the page, or from another site', async () => {
  const origin = new URL(world.baseUrl).origin
  const token = { 'x-csrf-token': owner.session.csrf_token }
  const bad = [
    { cookie: owner.cookie, origin },
    { cookie: owner.cookie, origin: 'https://evil.example', ...token },
    { cookie: owner.cookie, origin, 'x-csrf-token': reader.session.csrf_token },
  ]
  const closed = routes.filter(({ method, isOpen }) => method !== 'GET' && !isOpen)
  await forAll(closed, async (route) => {
    const target = `/backoffice/api${pathOf(route.url, world.shop.wallet_id)}`
    for (const headers of bad) {
      const answer = await world.request(target, { method: route.method, headers })
      expect(outcomeOf(route, answer)).toBe(`${route.method} ${route.url} 403 20002`)
    }
  })
})

it('who only reads changes nothing', async () => {
  await forAll(changing, async (route) => {
    for (const who of [reader, operator]) {
      const answer = await who.send(route.method, pathOf(route.url, world.shop.wallet_id))
      expect(outcomeOf(route, answer)).toBe(`${route.method} ${route.url} 403 20002`)
    }
  })
})

it('routes of the operator are for operators alone', async () => {
  const ofOperator = routes.filter(({ url }) => url.startsWith('/backoffice/api/operator/'))
  await forAll(ofOperator, async (route) => {
    const answer = await owner.send(route.method, pathOf(route.url, world.shop.wallet_id))
    expect(outcomeOf(route, answer)).toBe(`${route.method} ${route.url} 403 20002`)
  })
})

it('no text of a query is more than any database can hold', async () => {
  const reading = routes.filter(({ method, parameters }) => method === 'GET' && parameters.length > 0)
  expect(reading.map(({ url }) => url)).toContain('/backoffice/api/wallets/:wallet/developers/requests')
  await forAll(reading, async (route) => {
    const who = route.url.startsWith('/backoffice/api/operator/') ? operator : owner
    const path = pathOf(route.url, world.shop.wallet_id)
    for (const name of route.parameters) {
      const nul = await who.get(`${path}?${name}=a%00b`)
      expect(`${outcomeOf(route, nul)} ${nul.body.reason}`).toBe(
        `GET ${route.url} 400 10002 ${name} must be text without NUL`,
      )
      const half = await who.get(`${path}?${name}=%ED%A0%80`)
      expect([200, 400, 404], `${name} of ${route.url}`).toContain(half.status)
    }
  })
})

it('whatever people change has a name in Portuguese, for the log of who did what', () => {
  const logged = routes.flatMap(({ action, method }) =>
    action === undefined || method === 'HEAD' || method === 'OPTIONS' ? [] : [action],
  )
  expect(logged.length).toBeGreaterThan(30)
  expect([...new Set(logged)].filter((action) => actionNames.pt[action] === undefined)).toEqual([])
})

/** What each route asks that changes something, below `/backoffice/api/` or the wallet's prefix; `always`: to confirm. */
const asked: Readonly<Record<string, readonly string[]>> = {
  anybody: [
    'DELETE account/sessions',
    'DELETE account/sessions/:id',
    'POST auth/change-password',
    'POST auth/passkey/update-passkey',
    'POST auth/sign-out',
    'POST auth/two-factor/enable',
    'POST auth/update-user',
    'POST confirm',
  ],
  'anybody, always': [
    'POST auth/passkey/delete-passkey',
    'POST auth/passkey/verify-registration',
    'POST auth/two-factor/disable',
    'POST auth/two-factor/generate-backup-codes',
  ],
  authorizations: ['POST authorizations/:id/capture', 'POST authorizations/:id/release'],
  callbacks: ['POST developers/events/:id/resend', 'POST developers/ping', 'POST developers/resend-failed'],
  card: ['DELETE recurring/cards/:token'],
  checkout: ['DELETE checkout/:id', 'DELETE payment_links/:id', 'POST checkout', 'POST payment_links'],
  'keys, always': [
    'DELETE developers/keys/:key',
    'PATCH developers/endpoints',
    'POST developers/keys',
    'POST developers/secrets/callback_password',
    'POST developers/secrets/esb_token',
    'POST developers/secrets/signing_secret',
  ],
  mandates: ['DELETE mandate/mbway/:id', 'POST mandate/mbway'],
  mb_pay: ['POST mb/pay'],
  mb_reference: ['DELETE mb/reference', 'POST mb/reference'],
  operator: ['POST operator/audit', 'POST operator/differences/:id/explain', 'POST operator/rails/:id/check'],
  'operator, always': [
    'PATCH operator/merchants/:id',
    'POST operator/bank/download',
    'POST operator/bank/entries/:id/resolve',
    'POST operator/bank/export',
    'POST operator/bank/import',
    'POST operator/master-keys/rotate',
    'POST operator/merchants',
    'POST operator/suspense/:id/assign',
    'POST operator/suspense/:id/refund',
    'POST operator/transfers/:id/assign',
  ],
  'payouts, always': ['POST payouts', 'PUT payouts/schedule'],
  refund: ['POST operations/:id/refund'],
  settings: ['PATCH settings', 'PUT settings/logo'],
  'settings, always': ['PUT settings/iban'],
  split: ['POST operations/:id/split'],
  subscriptions: [
    'DELETE Subscriptions/:id',
    'DELETE subscriptions/:id',
    'POST Subscriptions/:id/charge',
    'POST subscriptions/:id/charge',
  ],
  team: ['DELETE team/invitations/:id'],
  'team, always': [
    'DELETE team/members/:id',
    'POST team/invitations',
    'POST team/members/:id/lost-phone-link',
    'POST team/members/:id/password-link',
    'PUT team/members/:id',
  ],
}

it('each route that changes something asks for what it should, and for a confirmation where money or access leaves', () => {
  const closed = routes.filter(({ method, isOpen }) => method !== 'GET' && !isOpen)
  const found: Record<string, string[]> = {}
  for (const { method, url, asks } of closed) {
    const path = url.replace('/backoffice/api/', '').replace('wallets/:wallet/', '')
    found[asks] = [...(found[asks] ?? []), `${method} ${path}`].sort()
  }
  expect(found).toEqual(asked)
})
