// An operator connects providers over HTTP.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openPostgres, statement } from '../../src/storage/index.ts'
import { type Provider, startProvider } from '../connections/provider.ts'
import { createProductionWorld, type ProductionWorld, type TestMerchant } from '../connections/world.ts'
import type { SignedIn } from '../people.ts'
import { clientId, clientSecret, type FakePaypal, startPaypal } from '../providers/paypal/fake.ts'
import { newSigner } from '../providers/paypal/signer.ts'
import type { Answer, Json } from '../world.ts'
import { newPerson } from './production-operator.ts'

const signer = newSigner()
const secrets = [clientSecret, 'a-very-secret-token', 'a-wrong-secret-token']
const [, token = '', wrongToken = ''] = secrets
let world: ProductionWorld
let fake: FakePaypal
let provider: Provider
let stall: TestMerchant
let operator: SignedIn
let owner: SignedIn
const answers: string[] = []

beforeAll(async () => {
  ;[world, fake, provider] = await Promise.all([
    createProductionWorld(),
    startPaypal(signer),
    startProvider(new Set()),
  ])
  provider.open('own', token)
  await world.start()
  stall = await world.merchant('Banca', 'MBWAY,PAYPAL')
  operator = await newPerson(world, 'operator@example.com', '--operator')
  owner = await newPerson(world, 'owner@example.com', '--wallet', String(stall.id))
})
afterAll(async () => {
  await world?.stop()
  await Promise.all([fake?.provider.close(), provider?.close()])
})

async function connect(body: Json, by = operator): Promise<Answer> {
  const answer = await by.send('POST', '/operator/rails', body)
  answers.push(answer.text)
  return answer
}

const ofTest = (more: Json = {}) => ({
  ...{ driver: 'testwallet', settings: { url: provider.url, account: 'own' }, secrets: { token } },
  ...more,
})

it('lists the settings of each driver', async () => {
  const { body } = await operator.get('/operator/rails')
  const driverOf = (name: string) => body.drivers.find((one: Json) => one.name === name)
  expect(driverOf('testwallet')).toMatchObject({ has_test: false, proven: true })
  expect(driverOf('testwallet').settings).toContainEqual({
    ...{ name: 'token', secret: true, required: true, help: 'Token of the account.' },
  })
  expect(driverOf('paypal').has_test).toBe(true)
})

it('connects a provider, registers the webhook, checks it and lists the steps by hand', async () => {
  const body = {
    ...{ driver: 'paypal', test: true, secrets: { client_secret: clientSecret } },
    settings: {
      ...{ client_id: clientId, api_base: fake.provider.url, webhook_certificates: signer.root },
    },
  }
  const refused = await connect(body)
  expect(refused).toMatchObject({
    status: 409,
    body: { reason: expect.stringContaining('add allow_unproven') },
  })
  const { status, body: made } = await connect({ ...body, allow_unproven: true })
  expect([status, made]).toMatchObject([200, { ok: true, registered: true, connection: 1 }])
  expect(made.webhook).toMatch(/^https:\/\/pay\.example\.com\/rails\/paypal\/\w{22}$/)
  expect(fake.webhooks.map(({ url }) => url)).toEqual([made.webhook])
  expect(made.checks.length).toBeGreaterThan(1)
  expect(made.by_hand[0]).toContain('Transaction search')
})

it('shows the webhook address if the driver cannot register it, and logs it for the merchant', async () => {
  const { body: made } = await connect(ofTest({ wallet_id: stall.id }))
  expect(made).toMatchObject({ ok: true, registered: false })
  expect(made.by_hand).toEqual(['Enter the webhook address above at the provider.'])
  expect(made.webhook).toContain('/rails/testwallet/')
  const entry = () =>
    operator
      .get(`/wallets/${stall.id}/actions`)
      .then(({ body }) => body.actions.find((one: Json) => one.action === 'Set a connection'))
  await expect.poll(async () => (await entry())?.status).toBe(200)
  const field = `connection ${made.connection} testwallet`
  expect(await entry()).toMatchObject({
    email: 'operator@example.com',
    changes: [
      { field, old: '', new: expect.stringContaining('account=own') },
      { field: `${field} token`, old: '', new: 'replaced' },
    ],
  })
})

it('says which check failed for a wrong key', async () => {
  const { status, body } = await connect(ofTest({ driver: 'testpay', secrets: { token: wrongToken } }))
  expect([status, body.ok]).toEqual([200, false])
  expect(body.checks).toContainEqual(expect.objectContaining({ name: 'provider', ok: false }))
})

it.each([
  ['an unknown setting', () => ({ settings: { colour: token } }), 400, 'has no setting "colour"'],
  ['a missing secret', () => ({ secrets: {} }), 400, 'secrets.token is required'],
  ['a secret as setting', () => ({ settings: { token } }), 400, 'token is a secret'],
  ['a wrong address', () => ({ settings: { url: token, account: 'own' } }), 400, 'settings.url must be'],
  ['an unknown driver', () => ({ driver: 'nobody' }), 400, 'there is no driver'],
  ['a driver without sandbox', () => ({ test: true }), 400, 'no sandbox of its own'],
  ['an unknown wallet', () => ({ wallet_id: 99_999_999 }), 404, 'there is no wallet 99999999'],
  ['a number as secret', () => ({ secrets: { token: { [token]: token } } }), 400, 'token'],
])('refuses %s, and names the field', async (_, more, status, reason) => {
  const answer = await connect(ofTest(more()))
  expect([answer.status, answer.body.reason]).toEqual([status, expect.stringContaining(reason)])
})

it('refuses a person who is not operator', async () => {
  expect((await connect(ofTest(), owner)).status).toBe(403)
})

it('no secret is in an answer, a log or the database', async () => {
  const database = openPostgres({ url: world.databaseUrl })
  const rows = await database.run(
    statement<{ all: string }>(
      `select query_to_xml(format('select * from %I.%I', table_schema, table_name), true, true, '')::text as all
       from information_schema.tables where table_type = 'BASE TABLE'
         and table_schema not in ('pg_catalog', 'information_schema')`,
    ),
  )
  await database.close()
  const stored = rows.map(({ all }) => all).join('\n')
  expect(stored).toContain('account=own')
  const found = (text: string) => secrets.filter((secret) => text.includes(secret))
  expect([found(stored), found(world.printed()), found(answers.join('\n'))]).toEqual([[], [], []])
  const { text } = await operator.get('/operator/rails')
  expect(found(text)).toEqual([])
})
