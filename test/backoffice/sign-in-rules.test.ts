// Two-factor rules and idle sessions.
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openWorld } from '../gateway-here.ts'
import { codeOf, type SignedIn, signIn, withCookie } from '../people.ts'
import { type Route, withRoutes } from '../security/routes.ts'
import { isForPeople, isOfWallet, nameOf } from '../security/table.ts'
import type { World } from '../world.ts'

const id = '01991234-5678-7000-8000-000000000000'

let world: World
let routes: Route[]
let owner: SignedIn
let reader: SignedIn
let operator: SignedIn
let team: string

beforeAll(async () => {
  ;[world, routes] = await withRoutes(() => openWorld('postgres', { TWO_FACTOR: 'owners' }))
  owner = await signIn(world, 'owner@demo.example')
  reader = await signIn(world, 'reader@demo.example')
  operator = await signIn(world, 'operator@demo.example')
  team = `/wallets/${world.shop.wallet_id}/team`
})
afterAll(() => world?.stop())

/** The routes that did not answer that two-factor is required. */
async function openTo(who: SignedIn, asked: readonly Route[]): Promise<string[]> {
  const open: string[] = []
  for (const route of asked) {
    const path = route.url.slice(15).replace(':wallet', String(world.shop.wallet_id)).replaceAll(/:\w+/g, id)
    const { status, body } = await (route.method === 'GET' ? who.get(path) : who.send(route.method, path, {}))
    if (status !== 403 || !body.reason.startsWith('two-factor is required')) open.push(nameOf(route))
  }
  return open
}

/** Turns on an authenticator app. The library then begins a new session. */
async function useApp(who: SignedIn): Promise<SignedIn> {
  const { body } = await who.send('POST', '/auth/two-factor/enable', { password: who.password })
  const secret = new URL(body.totpURI).searchParams.get('secret') ?? ''
  const verified = await who.send('POST', '/auth/two-factor/verify-totp', { code: await codeOf(secret, -1) })
  expect(verified.status, verified.text).toBe(200)
  const cookie = verified.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ')
  return withCookie(world, who, cookie)
}

/** Changes all sessions as if their last request had been `minutes` ago. */
async function unusedFor(minutes: number): Promise<void> {
  const client = new pg.Client({ connectionString: world.databaseUrl })
  await client.connect()
  await client
    .query(`update backoffice.sessions set seen_at = now() - make_interval(mins => $1)`, [minutes])
    .finally(() => client.end())
}

it('a person without required two-factor reaches only their own account, on every route', async () => {
  const ofWallets = routes.filter((route) => isForPeople(route) && isOfWallet(route))
  const ofOperators = routes.filter(({ url }) => url.includes('/api/operator/'))
  expect(ofWallets.length).toBeGreaterThan(40)
  expect(await openTo(owner, ofWallets)).toEqual([])
  expect(
    await openTo(operator, [...ofOperators, ...ofWallets.filter(({ method }) => method === 'GET')]),
  ).toEqual([])
  expect((await reader.get(team)).status).toBe(200)
  expect((await owner.get('/session')).body).toMatchObject({ two_factor: false })
  expect((await owner.get('/account/sessions')).status).toBe(200)
})

it('and reaches the rest with two-factor; owners can require it of their team only', async () => {
  expect((await reader.send('PUT', `${team}/rules`, { two_factor_required: true })).status).toBe(403)
  const elsewhere = await signIn(world, owner.email)
  owner = await useApp(owner)
  // A person with only the password is signed out.
  expect((await elsewhere.get('/session')).status).toBe(401)
  expect((await owner.get(team)).body).toMatchObject({ two_factor_required: false })
  const asked = await owner.send('PUT', `${team}/rules`, { two_factor_required: true })
  expect(asked.status, asked.text).toBe(200)
  expect((await owner.get(team)).body).toMatchObject({ two_factor_required: true })
  expect((await reader.get(team)).body).toMatchObject({
    code: 20002,
    reason: expect.stringMatching(/^two-factor is required/),
  })
  const entry = await world.eventually(async () => {
    const { actions } = (await owner.get(`/wallets/${world.shop.wallet_id}/actions`)).body
    return actions.find((one: { changes?: unknown }) => one.changes !== undefined)
  })
  expect(entry.changes).toEqual([{ field: 'two_factor_required', old: 'false', new: 'true' }])
  expect((await owner.send('PUT', `${team}/rules`, { two_factor_required: false })).status).toBe(200)
  expect((await reader.get(team)).status).toBe(200)
})

it('a session that nobody uses ends: of operators after 15 minutes, of others after 60', async () => {
  await unusedFor(14)
  expect((await operator.get('/session')).status).toBe(200)
  await unusedFor(16)
  expect((await operator.get('/session')).status).toBe(401)
  expect((await reader.get('/session')).status).toBe(200)
  // Idle time counts from the last request, and an ended session stays ended.
  await unusedFor(61)
  expect((await reader.get('/session')).status).toBe(401)
  await unusedFor(0)
  for (const who of [operator, reader]) expect((await who.get('/session')).status).toBe(401)
})
