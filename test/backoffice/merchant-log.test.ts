// Actions of operators in a merchant's log.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { authorizing } from '../authorizing.ts'
import { openWorld } from '../gateway-here.ts'
import { type SignedIn, signIn } from '../people.ts'
import { type Route, withRoutes } from '../security/routes.ts'
import { payByToken } from '../stored-cards.ts'
import type { Json, World } from '../world.ts'

let world: World
let routes: Route[]
let owner: SignedIn
let operator: SignedIn
let wallet: number

beforeAll(async () => {
  ;[world, routes] = await withRoutes(() => openWorld('postgres'))
  owner = await signIn(world, 'owner@demo.example')
  operator = await signIn(world, 'operator@demo.example')
  wallet = world.shop.wallet_id
})
afterAll(() => world?.stop())

/** The newest entry of that action in the merchant's log, as soon as the action is over. */
const logged = (action: string, email?: string): Promise<Json> =>
  world.eventually(async () => {
    const { actions } = (await owner.get(`/wallets/${wallet}/actions`)).body
    const found = actions.find((one: Json) => one.action === action && (email ?? one.email) === one.email)
    return found?.status > 0 ? found : undefined
  })

it('logs the change of a merchant by an operator with both values, without the operator’s address', async () => {
  const { body } = await operator.get(`/operator/merchants/${wallet}`)
  const change = { split_fee_fixed: '0.75', fees: { CC: '2%+0.40' } }
  expect((await operator.send('PATCH', `/operator/merchants/${wallet}`, change)).status).toBe(200)
  const entry = await logged('Change a merchant')
  expect(entry).toMatchObject({ email: operator.email, status: 200 })
  expect(entry.changes).toContainEqual({
    field: 'split_fee_fixed',
    old: body.split_fee_fixed,
    new: '0.75',
  })
  expect(entry.changes.map((one: Json) => one.field)).toContain('fee_schedule')
  expect(entry.address).toBeUndefined()
  const plain = await signIn(world, 'owner@plain.example')
  const others = (await plain.get(`/wallets/${plain.wallet_id}/actions`)).body.actions
  expect(others.filter((one: Json) => one.email === operator.email)).toEqual([])
})

it('logs each page of a merchant that an operator reads once', async () => {
  for (const _ of [1, 2]) expect((await operator.get(`/wallets/${wallet}/payments`)).status).toBe(200)
  const entry = await logged('Read as operator')
  const target = `/backoffice/api/wallets/${wallet}/payments`
  expect(entry).toMatchObject({ email: operator.email, target })
  const { actions } = (await owner.get(`/wallets/${wallet}/actions`)).body
  const read = actions.filter((one: Json) => one.action === 'Read as operator')
  expect(read.filter((one: Json) => one.target === target)).toHaveLength(1)
  expect(actions.filter((one: Json) => one.email === owner.email && one.action.startsWith('Read'))).toEqual(
    [],
  )
})

it('commands that change money or rights of a merchant are in its log, with old and new values', async () => {
  const said = async (action: string, ...args: string[]) => {
    const { code, text, json } = await world.cli(...args)
    expect(code, text).toBe(0)
    return { json, entry: await logged(action, 'command line') }
  }
  const set = await said('Change a merchant', 'merchant', 'set', String(wallet), '--payment-limit', '900.00')
  expect(set.entry.changes).toEqual([{ field: 'payment_limit', old: '', new: '900.00' }])
  const made = await said('Make an API key', 'key', 'create', String(wallet), '--permissions', 'operations')
  expect(made.entry.changes).toEqual([{ field: `key ${made.json.id}`, old: '', new: 'operations' }])
  const revoked = await said('Revoke an API key', 'key', 'revoke', made.json.id)
  expect(revoked.entry.changes).toEqual([{ field: `key ${made.json.id}`, old: 'operations', new: '' }])
  await said('Invite somebody', 'user', 'create', '--wallet', String(wallet), '--email', 'x@demo.example')
  const reset = await said('Make a link for a new password', 'user', 'reset', 'reader@demo.example')
  expect(reset.entry.target).toBe('reader@demo.example')
  const removed = await said('Remove an account', 'user', 'remove', 'reader@demo.example')
  expect(removed.entry.changes).toContainEqual({
    field: 'team reader@demo.example',
    old: 'read_only',
    new: '',
  })
  // The log has failed actions, but no command lines that cannot be read.
  expect((await world.cli('payout', '--wallet', String(wallet), '--amount', '90000.00')).code).toBe(1)
  expect(await logged("Order a payout to the merchant's IBAN", 'command line')).toMatchObject({ status: 400 })
  const before = (await owner.get(`/wallets/${wallet}/actions`)).body.actions.length
  expect((await world.cli('merchant', 'set', String(wallet), '--payment-limit', 'much')).code).toBe(2)
  expect((await owner.get(`/wallets/${wallet}/actions`)).body.actions).toHaveLength(before)
  await world.cli('merchant', 'set', String(wallet), '--payment-limit', 'none')
})

it('a merchant that is made begins its log with that, on the pages and by command', async () => {
  const made = await operator.send('POST', '/operator/merchants', { name: 'New', email: 'new@example.com' })
  const byCommand = await world.cli('merchant', 'create', '--name', 'Other', '--email', 'o@example.com')
  for (const id of [made.body.wallet_id, byCommand.json.wallet_id]) {
    const actions = await world.eventually(async () => {
      const all = (await operator.get('/operator/actions')).body.actions
      const own = all.filter((one: Json) => one.wallet_id === id && one.action === 'Create a merchant')
      return own.length > 0 && own
    })
    expect(actions[0].changes.map((one: Json) => one.field)).toEqual(
      expect.arrayContaining(['name', 'email']),
    )
  }
})

it('logs changes of the team with old and new values', async () => {
  const key = await owner.send('POST', `/wallets/${wallet}/developers/keys`, {
    name: 'till',
    permissions: ['checkout'],
  })
  const entry = await logged('Make an API key', owner.email)
  expect(entry.changes).toEqual([{ field: `key ${key.body.id}`, old: '', new: 'checkout' }])
})

it('finds the person behind a request by its idempotency key', async () => {
  const iban = ['--iban', 'PT50000201231234567890154']
  expect((await world.cli('merchant', 'set', String(wallet), ...iban)).code).toBe(0)
  const { storeCard, authorize } = authorizing(() => world)
  const token = await storeCard()
  const [captured, released] = [(await authorize(token, 50)).id, (await authorize(token, 50)).id]
  const paid = (await payByToken(world, token, { amount: 100 })).id
  const ways: ((id: string) => [Json, Record<string, string>?])[] = [
    (id) => [{ request_id: id }],
    (id) => [{}, { 'idempotency-key': id }],
    (id) => [{ request_id: id }, { 'idempotency-key': randomUUID() }],
    (id) => [{ payment: { request_id: id } }, { 'idempotency-key': randomUUID() }],
    (id) => [{ request_id: null, authorization: { request_id: id.toUpperCase() } }],
  ]
  for (const way of ways) {
    for (const path of [
      `operations/${paid}/refund`,
      `authorizations/${captured}/capture`,
      `authorizations/${released}/release`,
      'payouts',
    ]) {
      const [key, headers] = way(randomUUID())
      const asked = { type: 'partial', amount: 1, ...key }
      const made = await owner.send('POST', `/wallets/${wallet}/${path}`, asked, headers)
      expect([path, made.status, made.body.reason]).toEqual([path, 200, undefined])
      const { id } = made.body
      const askers = (await owner.get(`/wallets/${wallet}/askers?ids=${id}`)).body
      expect([path, key, askers[id]?.role]).toEqual([path, key, 'owner'])
    }
  }
})

it('every route by which operators change something says whose log has it', () => {
  const changing = routes.filter(({ url, method }) => url.includes('/api/operator/') && method !== 'GET')
  expect(changing.length).toBeGreaterThan(10)
  expect(changing.filter(({ people }) => people.concerns === undefined)).toEqual([])
  const ofNoMerchant = changing.filter(({ people }) => people.concerns === 'gateway')
  // Add a route to this list only if it concerns the money and rights of no single merchant.
  expect(ofNoMerchant.map(({ url }) => url.replace(/.*\/operator\//, '')).sort()).toEqual([
    'audit',
    'bank/download',
    'bank/export',
    'bank/import',
    'differences/:id/explain',
    'master-keys/rotate',
    'rails/:id/check',
  ])
})
