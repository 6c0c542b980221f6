// Every route of the backoffice refuses strangers, other merchants, wrong roles and other sites.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { roles } from '../../src/backoffice/access/role-rules.ts'
import { actionNames } from '../../web/backoffice/pages/team/action-names.ts'
import { startWorldHere } from '../gateway-here.ts'
import { type SignedIn, signIn } from '../people.ts'
import { peoplePrefix, type Route, withRoutes } from '../security/routes.ts'
import { asksOf, isForPeople, isOfWallet, mayBy } from '../security/table.ts'
import type { Answer, World } from '../world.ts'

const id = '01991234-5678-7000-8000-000000000000'

/** The path of a route in the backoffice of `wallet`, with an id that nobody has. */
function pathOf(url: string, wallet: number): string {
  return url.replace('/backoffice/api', '').replace(':wallet', String(wallet)).replace(/:\w+/g, id)
}

let world: World
/** All routes below `/backoffice/api/`, even those that need no sign-in. */
let routes: Route[]
let closed: Route[]
let ofWallet: Route[]
let changing: Route[]
let owner: SignedIn
let reader: SignedIn
let stranger: SignedIn
let operator: SignedIn

beforeAll(async () => {
  const started = await withRoutes(startWorldHere)
  world = started[0]
  routes = started[1].filter(({ url }) => url.startsWith(peoplePrefix))
  closed = routes.filter(isForPeople)
  ofWallet = closed.filter(isOfWallet)
  changing = ofWallet.filter(({ method }) => method !== 'GET')
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

/** Asks a few routes at a time, in parallel. */
async function forAll(some: readonly Route[], check: (route: Route) => Promise<void>) {
  const left = [...some]
  const worker = async () => {
    for (let route = left.shift(); route !== undefined; route = left.shift()) await check(route)
  }
  await Promise.all(Array.from({ length: 8 }, worker))
}

const outcomeOf = ({ method, url }: Route, { status, body }: Answer) =>
  `${method} ${url} ${status} ${body.code}`

it('every route is for nobody who is not signed in', async () => {
  await forAll(closed, async (route) => {
    const path = pathOf(route.url, world.shop.wallet_id)
    const answer = await world.request(`/backoffice/api${path}`, {
      method: route.method,
      headers: { authorization: `Comporta ${world.shop.api_key}`, origin: new URL(world.baseUrl).origin },
    })
    expect(outcomeOf(route, answer)).toBe(`${route.method} ${route.url} 401 20001`)
  })
})

it('every route of a wallet refuses people of another team, and does not reveal whether the wallet exists', async () => {
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
  const asking = closed.filter(({ method }) => method !== 'GET')
  await forAll(asking, async (route) => {
    const target = `/backoffice/api${pathOf(route.url, world.shop.wallet_id)}`
    for (const headers of bad) {
      const answer = await world.request(target, { method: route.method, headers })
      expect(outcomeOf(route, answer)).toBe(`${route.method} ${route.url} 403 20002`)
    }
  })
})

it('a reader changes nothing', async () => {
  await forAll(changing, async (route) => {
    for (const who of [reader, operator]) {
      const answer = await who.send(route.method, pathOf(route.url, world.shop.wallet_id))
      expect(outcomeOf(route, answer)).toBe(`${route.method} ${route.url} 403 20002`)
    }
  })
})

it('an operator reads everything of a merchant', async () => {
  const reading = ofWallet.filter(({ method }) => method === 'GET')
  await forAll(reading, async (route) => {
    const { status } = await operator.get(pathOf(route.url, world.shop.wallet_id))
    expect([200, 400, 404], route.url).toContain(status)
  })
})

it('each role may do what the table of permissions says, and nothing else', async () => {
  const team = `/wallets/${world.shop.wallet_id}/team`
  for (const role of roles) {
    const who = await joined(`${role}@matrix.example`, role, `${team}/invitations`)
    await forAll(ofWallet, async (route) => {
      const answer = await sendNothing(who, route)
      const outcome = `${route.method} ${route.url} ${answer.status === 403 ? answer.body.reason : 'passes'}`
      const refusal = `the role ${role} may not do this: it lacks ${asksOf(route)}`
      expect(outcome).toBe(`${route.method} ${route.url} ${mayBy(route, role) ? 'passes' : refusal}`)
    })
  }
})

/** Invites a person. This person joins and signs in. */
async function joined(email: string, role: string, invitations: string): Promise<SignedIn> {
  const { body } = await owner.send('POST', invitations, { email, role })
  const password = 'a long one for the matrix'
  const answer = await world.request('/backoffice/api/join', {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: new URL(world.baseUrl).origin },
    body: JSON.stringify({ token: new URL(body.url).hash.slice(1), name: role, password }),
  })
  expect(answer.status, answer.text).toBe(200)
  return signIn(world, { email, password })
}

/** Sends a body that cannot be read, so that an allowed request changes nothing. */
function sendNothing({ cookie, session }: SignedIn, { method, url }: Route): Promise<Answer> {
  return world.request(`/backoffice/api${pathOf(url, world.shop.wallet_id)}`, {
    method,
    headers: {
      cookie,
      origin: new URL(world.baseUrl).origin,
      'x-csrf-token': session.csrf_token,
      ...(method !== 'GET' && { 'content-type': 'application/json' }),
    },
    ...(method !== 'GET' && { body: '{' }),
  })
}

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

it('no number in a path is more than any database can hold', async () => {
  const failed: string[] = []
  for (const number of ['2147483648', '9'.repeat(18), '9223372036854775808', '1e30', '1.5', '-1']) {
    await forAll(closed, async ({ method, url }) => {
      const path = url.replace(peoplePrefix, '/').replace(':wallet', String(world.shop.wallet_id))
      if (!path.includes('/:')) return
      const who = url.includes('/:wallet/') ? owner : operator
      const { status } = await who.send(
        method,
        path.replace(/:\w+/g, number),
        method === 'GET' ? undefined : {},
      )
      if (status >= 500) failed.push(`${method} ${url} ${number} ${status}`)
    })
  }
  expect(failed).toEqual([])
})

it('every change has a Portuguese name for the action log', () => {
  const logged = closed
    .filter(({ method, people }) => method !== 'GET' && people.isPrivate !== true)
    .map(({ summary }) => summary)
  expect(logged.length).toBeGreaterThan(30)
  expect([...new Set(logged)].filter((action) => actionNames.pt[action] === undefined)).toEqual([])
})

it('no route stores a part of its path that PostgreSQL cannot hold', async () => {
  const askers = { wallet: owner, operator }
  await forAll(
    closed.filter(({ url }) => /:\w+/.test(url.replace(':wallet', ''))),
    async (route) => {
      const asker = isOfWallet(route) ? askers.wallet : askers.operator
      const path = pathOf(route.url, world.shop.wallet_id).replaceAll(id, '%00')
      const { status } = await asker.send(route.method, path, route.method === 'GET' ? undefined : {})
      expect(`${route.method} ${route.url} ${status}`).toMatch(/ 4\d\d$/)
    },
  )
})
