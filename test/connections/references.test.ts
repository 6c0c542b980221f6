// References of a merchant's own provider, with crashes.
import { createHmac, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { cents } from '../../src/kernel/money.ts'
import type { ReferenceName } from '../../src/rails/index.ts'
import { openPostgres, statement } from '../../src/storage/index.ts'
import type { GatewayProcess } from '../gateway-process.ts'
import { type Provider, startProvider } from './provider.ts'
import { createProductionWorld, type ProductionWorld, type TestMerchant } from './world.ts'

const signing = `signing-${randomUUID()}`
const asked = { amount: 10, currency: 'EUR' }

let world: ProductionWorld
let provider: Provider
let account: ReturnType<Provider['open']>
let gateway: GatewayProcess
let shop: TestMerchant

beforeAll(async () => {
  provider = await startProvider(new Set())
  account = provider.open('own', 'own-token')
  world = await createProductionWorld()
  gateway = await world.start()
  shop = await world.merchant('Loja', 'MB', { rights: 'partner', permissions: 'mb_reference' })
  const settings = ['--setting', `url=${provider.url}`, '--setting', 'account=own']
  const secrets = [`token=@${world.file('own-token')}`, `signing=@${world.file(signing)}`]
  const options = [...settings, ...secrets.flatMap((secret) => ['--secret', secret])]
  await world.cli('rails', 'set', 'testrefs', ...options, '--merchant', String(shop.id))
})
afterAll(async () => {
  await world?.stop()
  await provider?.close()
})

async function made() {
  const { status, body } = await shop.call('/api/v2/mb/pay', asked)
  expect([status, body]).toEqual([200, expect.anything()])
  return { id: String(body.id), name: body.mb as ReferenceName }
}
const statusOf = async (id: string) => (await shop.call(`/api/v2/operations/${id}`)).body.status

async function webhook(key: string): Promise<void> {
  const { connections } = (await world.cli('rails', 'check')) as { connections: { webhook_url: string }[] }
  const body = JSON.stringify({ id: randomUUID(), about: key, kind: 'reference' })
  const signature = createHmac('sha256', signing).update(body).digest('hex')
  const url = world.local + new URL(connections[0]?.webhook_url ?? '').pathname
  const headers = { 'x-signature': signature }
  expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(200)
}

async function entries() {
  const { entries: listed } = (await world.cli('suspense', 'list', '--all')) as {
    entries: { payment_id: string; state: string }[]
  }
  return listed
}

async function isDueNow(table: string): Promise<void> {
  const database = openPostgres({ url: world.databaseUrl })
  await database.run(statement(`update ${table} set due_at = now() where due_at is not null`))
  await database.close()
}

async function booksAreRight(): Promise<void> {
  expect(await world.cli('audit')).toMatchObject({ ok: true, problems: [] })
}

it('is the same reference after a crash between provider and database', async () => {
  const methods = async () => (await shop.call('/api/v2/wallets/methods')).body.methods
  await expect.poll(methods).toContain('MB')
  const body = { ...asked, request_id: randomUUID() }
  provider.loseAnswerOf('create', () => gateway.kill())
  await expect(shop.call('/api/v2/mb/pay', body)).rejects.toThrow()
  gateway = await world.start()
  const [first] = account.references.requests
  const answer = await shop.call('/api/v2/mb/pay', body)
  expect(answer.status).toBe(200)
  expect(account.references.made(first?.key ?? '')).toEqual([answer.body.mb])
  expect(account.references.requests.map(({ key }) => key)).toEqual([first?.key, first?.key])
})

it('is withdrawn without a repetition', async () => {
  provider.loseAnswerOf('create', () => gateway.kill())
  await expect(shop.call('/api/v2/mb/pay', { ...asked, amount: 11 })).rejects.toThrow()
  gateway = await world.start()
  const [name] = account.references.made(account.references.requests.at(-1)?.key ?? '')
  expect(account.references.isPayable(name as ReferenceName)).toBe(true)
  await isDueNow('bank_reference_requests')
  await expect.poll(() => account.references.isPayable(name as ReferenceName)).toBe(false)
})

it('is paid once, and a second payment is refunded once, despite crashes', async () => {
  const { id, name } = await made()
  account.references.payAnyway(name, cents(1000))
  const second = account.references.payAnyway(name, cents(1000))
  provider.loseAnswerOf('paymentsOf', () => gateway.kill())
  await webhook(second.key ?? '').catch(() => undefined)
  await gateway.kill()
  await isDueNow('rail_webhooks')
  gateway = await world.start()
  provider.loseAnswerOf('refundPayment', () => gateway.kill())
  await expect
    .poll(() => account.calls.filter((one) => one === 'referenceNetwork.refundPayment').length)
    .toBe(1)
  await gateway.kill()
  await isDueNow('suspense_entries')
  gateway = await world.start()
  await expect
    .poll(async () => (await entries()).map(({ payment_id, state }) => [payment_id, state]))
    .toEqual([[second.id, 'REFUNDED']])
  expect(await statusOf(id)).toBe('COMPLETED')
  expect(account.references.refunded(second.id)).toBe(1000n)
  await booksAreRight()
})
