// Eupago in production, over a fake.
import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { after, minute, systemClock } from '../../../src/kernel/time.ts'
import { openPostgres } from '../../../src/storage/index.ts'
import { createProductionWorld, type ProductionWorld, type TestMerchant } from '../../connections/world.ts'
import type { GatewayProcess } from '../../gateway-process.ts'
import { found, needle, rowsOf } from '../../needles.ts'
import { expectHandled, expectHeld, type SentWebhook } from '../hostile-webhooks.ts'
import { type FakeEupago, startFakeEupago } from './fake.ts'

const phone = '+351912345678'
let passed = 0
let fake: FakeEupago
let world: ProductionWorld
let gateway: GatewayProcess
let shop: TestMerchant
let address: string

beforeAll(async () => {
  fake = await startFakeEupago(() => after(systemClock.now(), passed), new Set([phone]))
  world = await createProductionWorld()
  gateway = await world.start()
  shop = await world.merchant('Loja', 'MB,MBWAY,WALLET')
})
afterAll(async () => {
  await world?.stop()
  await fake?.close()
})

const operation = async (id: string) => (await shop.call(`/api/v2/operations/${id}`)).body
const becomes = (id: string, status: string) =>
  expect.poll(async () => (await operation(id)).status).toBe(status)
const deliver = async ({ headers, body }: SentWebhook) =>
  (await fetch(world.local + address, { method: 'POST', headers, body })).status

async function ask(amount: number): Promise<string> {
  const asked = { method: 'MBWAY', type: 'PAYMENT', amount, currency: 'EUR', mbway: { phone } }
  const { status, body } = await shop.call('/api/v2/payment', asked)
  expect([status, body.status]).toEqual([200, 'PENDING'])
  await expect.poll(() => fake.askedFor(body.id).length).toBe(1)
  return body.id
}

function connect(...more: string[]) {
  const secrets = Object.entries(fake.secrets).flatMap(([name, secret]) => [
    ...['--secret', `${name}=@${world.file(`${secret}\n`)}`],
  ])
  const settings = Object.entries(fake.settings).flatMap(([name, value]) => ['--setting', `${name}=${value}`])
  return world.command(['connect', 'eupago', ...settings, ...secrets, ...more])
}

it('is connected: checks the keys, and lists what a person must do', async () => {
  const refused = await connect()
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('--allow-unproven')])
  const connected = await connect('--allow-unproven')
  expect(connected).toMatchObject({ code: 0, json: { driver_is: 'unproven' } })
  expect(connected.out).toContain('Enter the webhook address above at the provider.')
  fake.habits.revoked = true
  expect((await world.command(['rails', 'check'])).code).toBe(1)
  fake.habits.revoked = false
  const checked = await world.cli('rails', 'check')
  const [{ webhook_url: url }] = checked.connections as [{ webhook_url: string }]
  expect(checked).toMatchObject({ ok: true })
  address = new URL(url).pathname
  fake.receiver = deliver
  await expect
    .poll(async () => (await shop.call('/api/v2/wallets/methods')).body.methods)
    .toEqual(['MB', 'MBWAY', 'WALLET'])
})

it('is paid after an approval on the phone, and not after a refusal or silence', async () => {
  const [paid, refused, left] = [await ask(7.5), await ask(8), await ask(9)]
  expect(await fake.answerPhone(paid, 'approve')).toBe(true)
  expect(await fake.answerPhone(refused, 'refuse')).toBe(true)
  await becomes(paid, 'COMPLETED')
  await becomes(refused, 'FAIL')
  passed += 5 * minute
  await fake.expire()
  await becomes(left, 'FAIL')
  expect(fake.taken()).toBe(750n)
  const refund = await shop.call(`/api/v2/operations/${paid}/refund`, { amount: 1.5 })
  expect(refund.body).toMatchObject({ status: 'COMPLETED' })
  expect(fake.taken()).toBe(600n)
})

it('is paid by a reference as Eupago wrote it', async () => {
  const before = fake.taken()
  const asked = { method: 'MB', type: 'PAYMENT', amount: 33.1, currency: 'EUR' }
  const { body: payment } = await shop.call('/api/v2/mb/pay', asked)
  expect(payment).toMatchObject({
    status: 'PENDING',
    mb: { entity: '82307', ref: expect.stringMatching(/^0/) },
  })
  expect(await fake.payReference(payment.mb, 3311n)).toBe(false)
  fake.habits.webhooks = 'twice'
  expect(await fake.payReference(payment.mb, 3310n)).toBe(true)
  fake.habits.webhooks = 'once'
  await becomes(payment.id, 'COMPLETED')
  expect(fake.taken()).toBe(before + 3310n)
})

it('refuses a number that is still payable for another operation', async () => {
  fake.habits.repeats = '000777888'
  const asked = { method: 'MB', type: 'PAYMENT', amount: 5, currency: 'EUR' }
  const { body: first } = await shop.call('/api/v2/mb/pay', asked)
  expect(first.mb).toMatchObject({ ref: '000777888' })
  expect(await shop.call('/api/v2/mb/pay', asked)).toMatchObject({ status: 503 })
  fake.habits.repeats = undefined
})

it('loses nothing while Eupago is down, and continues afterwards', async () => {
  const reference = { method: 'MB', type: 'PAYMENT', amount: 4, currency: 'EUR' }
  fake.provider.setDown(true)
  expect(await shop.call('/api/v2/mb/pay', reference)).toMatchObject({ status: 503, body: { code: 40021 } })
  await gateway.kill()
  gateway = await world.start()
  fake.provider.setDown(false)
  const later = await ask(2)
  expect(await fake.answerPhone(later, 'approve')).toBe(true)
  await becomes(later, 'COMPLETED')
  expect(await shop.call('/api/v2/mb/pay', reference)).toMatchObject({ status: 200 })
})

it('ignores hostile webhooks, signed or not', async () => {
  const sign = (text: string): SentWebhook => {
    const signature = createHmac('sha256', fake.secrets.webhook_key).update(text).digest('base64')
    return { headers: { 'content-type': 'application/json', 'x-signature': signature }, body: text }
  }
  const meaning = (text: string) =>
    /^[A-Za-z0-9+/=]+$/.test(text) ? Buffer.from(text, 'base64').toString('hex') : text
  await expectHeld(sign, async (sent) => ({ status: await deliver(sent) }), meaning)
  await expectHandled(world.local, 'eupago')
  expect(await world.cli('rails', 'webhooks')).toEqual({ webhooks: [] })
})

it('shows its keys nowhere, and keeps its books right', async () => {
  const needles = Object.entries(fake.secrets).map(([name, secret]) => needle(name, secret))
  await world.cli('rails', 'list', '--all')
  expect(found(needles, 'the output', world.printed())).toEqual([])
  const database = openPostgres({ url: world.databaseUrl })
  try {
    for (const { table, text } of await rowsOf(database)) expect(found(needles, table, text)).toEqual([])
  } finally {
    await database.close()
  }
  expect(await world.cli('audit')).toMatchObject({ ok: true, problems: [] })
})
