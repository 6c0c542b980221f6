// ifthenpay in production, over a fake.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { orderStemOf } from '../../../drivers/ifthenpay/orders.ts'
import { after, minute, systemClock } from '../../../src/kernel/time.ts'
import { openPostgres } from '../../../src/storage/index.ts'
import { formTo, openPage, submit } from '../../browserless.ts'
import { createProductionWorld, type ProductionWorld, type TestMerchant } from '../../connections/world.ts'
import type { GatewayProcess } from '../../gateway-process.ts'
import { found, needle, rowsOf } from '../../needles.ts'
import { expectHandled } from '../hostile-webhooks.ts'
import { type FakeIfthenpay, startFakeIfthenpay } from './fake.ts'

const phone = '+351912345678'
let passed = 0
let fake: FakeIfthenpay
let world: ProductionWorld
let gateway: GatewayProcess
let shop: TestMerchant
let address: string

beforeAll(async () => {
  fake = await startFakeIfthenpay(() => after(systemClock.now(), passed), new Set([phone]))
  world = await createProductionWorld()
  gateway = await world.start()
  shop = await world.merchant('Loja', 'CC,MB,MBWAY,WALLET')
})
afterAll(async () => {
  await world?.stop()
  await fake?.close()
})

const ordersOf = (key: string) => fake.ordersOf(orderStemOf(key))
const operation = async (id: string) => (await shop.call(`/api/v2/operations/${id}`)).body
const becomes = (id: string, status: string) =>
  expect.poll(async () => (await operation(id)).status).toBe(status)
const call = async (query: Record<string, string> | URLSearchParams) =>
  (await fetch(`${world.local}${address}?${new URLSearchParams(query)}`)).status

async function ask(amount: number): Promise<string> {
  const asked = { method: 'MBWAY', type: 'PAYMENT', amount, currency: 'EUR', mbway: { phone } }
  const { status, body } = await shop.call('/api/v2/payment', asked)
  expect([status, body.status]).toEqual([200, 'PENDING'])
  await expect.poll(() => ordersOf(body.id).length).toBe(1)
  return body.id
}
const answer = (id: string, said: 'approve' | 'refuse') =>
  fake.answerPhone(ordersOf(id)[0]?.requestId ?? '', said)

function connect(...more: string[]) {
  const secrets = Object.entries(fake.secrets).flatMap(([name, secret]) => [
    ...['--secret', `${name}=@${world.file(`${secret}\n`)}`],
  ])
  const settings = Object.entries(fake.settings).flatMap(([name, value]) => ['--setting', `${name}=${value}`])
  return world.command(['connect', 'ifthenpay', ...settings, ...secrets, ...more])
}

it('is connected: checks the backoffice key, registers callbacks, and lists what a person must do', async () => {
  const refused = await connect()
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('--allow-unproven')])
  const connected = await connect('--allow-unproven')
  expect(connected).toMatchObject({ code: 0, json: { driver_is: 'unproven' } })
  expect(connected.out).toContain('Still to do:')
  expect([...fake.callbacks.keys()].sort()).toEqual(['CCARD', 'MB', 'MBWAY'])
  fake.habits.revoked = true
  expect((await world.command(['rails', 'check'])).code).toBe(1)
  fake.habits.revoked = false
  const checked = await world.cli('rails', 'check')
  const [{ webhook_url: url }] = checked.connections as [{ webhook_url: string }]
  expect(checked).toMatchObject({ ok: true })
  address = new URL(url).pathname
  for (const template of fake.callbacks.values())
    expect(template.startsWith(`${url}?key=[ANTI_PHISHING_KEY]`)).toBe(true)
  fake.receiver = call
  await expect
    .poll(async () => (await shop.call('/api/v2/wallets/methods')).body.methods)
    .toEqual(['CC', 'MB', 'MBWAY', 'WALLET'])
})

it('is paid after an approval on the phone, and not after a refusal or silence', async () => {
  const [paid, refused, left] = [await ask(7.5), await ask(8), await ask(9)]
  expect(await answer(paid, 'approve')).toBe(true)
  expect(await answer(refused, 'refuse')).toBe(true)
  await becomes(paid, 'COMPLETED')
  await becomes(refused, 'FAIL')
  passed += 4 * minute
  expect(await answer(left, 'approve')).toBe(false)
  await becomes(left, 'FAIL')
  expect(fake.taken()).toBe(750n)
  const refund = await shop.call(`/api/v2/operations/${paid}/refund`, { amount: 1.5 })
  expect(refund.body).toMatchObject({ status: 'COMPLETED' })
  expect(fake.taken()).toBe(600n)
})

it('is paid by a reference as ifthenpay wrote it, also with the second callback', async () => {
  const before = fake.taken()
  for (const callbacks of ['once', 'lost'] as const) {
    const asked = { method: 'MB', type: 'PAYMENT', amount: 33.1, currency: 'EUR' }
    const { body: payment } = await shop.call('/api/v2/mb/pay', asked)
    expect(payment).toMatchObject({
      status: 'PENDING',
      mb: { entity: '12345', ref: expect.stringMatching(/^0/) },
    })
    expect(await fake.payReference(payment.mb, 3311n)).toBe(false)
    fake.habits.callbacks = callbacks
    expect(await fake.payReference(payment.mb, 3310n)).toBe(true)
    fake.habits.callbacks = 'once'
    // ifthenpay sends it again up to 13 times.
    const order = fake.ordersOf('').find(({ reference }) => reference === payment.mb.ref)?.orderId ?? ''
    if (callbacks === 'lost') expect(await call({ key: fake.secrets.anti_phishing_key, order })).toBe(200)
    await becomes(payment.id, 'COMPLETED')
  }
  expect(fake.taken()).toBe(before + 6620n)
})

it('refuses a number that is still payable for another operation', async () => {
  fake.habits.repeats = '000777888'
  const asked = { method: 'MB', type: 'PAYMENT', amount: 5, currency: 'EUR' }
  const { body: first } = await shop.call('/api/v2/mb/pay', asked)
  expect(first.mb).toMatchObject({ ref: '000777888' })
  expect(await shop.call('/api/v2/mb/pay', asked)).toMatchObject({ status: 503 })
  fake.habits.repeats = undefined
})

it('is paid by card on the page of ifthenpay', async () => {
  const checkout = await shop.call('/api/v2/checkout', {
    payment: { amount: 21.05, currency: 'EUR' },
    url_confirm: 'https://shop.example/ok',
    url_cancel: 'https://shop.example/no',
  })
  const here = (url: string) => world.local + new URL(url).pathname + new URL(url).search
  const page = await openPage(here(checkout.body.url_redirect))
  const shown = await submit(page, formTo(page, '/card'), {}, { within: world.local })
  const before = fake.taken()
  const { action, fields } = formTo(shown, fake.provider.url)
  const back = await fake.answerPage(`${action}?${new URLSearchParams(fields)}`, 'confirm')
  const returned = await openPage(here(back), { cookies: shown.cookies, within: world.local })
  expect((await openPage(here(returned.url), { cookies: shown.cookies })).text).toContain('Payment made')
  expect(fake.taken()).toBe(before + 2105n)
})

it('acknowledges callbacks of other systems, and refuses those without the key', async () => {
  const { anti_phishing_key: key } = fake.secrets
  expect(await call({ key, order: 'ORDER-1' })).toBe(200)
  expect(await call({ key: 'another-key-000', order: 'ORDER-1' })).toBe(401)
  expect(await call({})).toBe(401)
  expect(fake.acknowledged.every((status) => status === 200)).toBe(true)
})

it('ignores hostile callbacks with the key', async () => {
  const { anti_phishing_key: key } = fake.secrets
  const odd = ['\0', '%', '__proto__', "'; drop table rail_webhooks", 'n'.repeat(4_000), '\ud800', '../..']
  for (const order of odd) expect(await call({ key, order, request: order, at: order })).toBe(200)
  await expectHandled(world.local, 'ifthenpay')
  expect(await world.cli('rails', 'webhooks')).toEqual({ webhooks: [] })
})

it('loses nothing while ifthenpay is down, and continues afterwards', async () => {
  const id = await ask(6)
  expect(await answer(id, 'approve')).toBe(true)
  await becomes(id, 'COMPLETED')
  const reference = { method: 'MB', type: 'PAYMENT', amount: 4, currency: 'EUR' }
  fake.provider.setDown(true)
  expect(await shop.call('/api/v2/mb/pay', reference)).toMatchObject({ status: 503, body: { code: 40021 } })
  await gateway.kill()
  gateway = await world.start()
  fake.provider.setDown(false)
  const later = await ask(2)
  expect(await answer(later, 'approve')).toBe(true)
  await becomes(later, 'COMPLETED')
  expect(await shop.call('/api/v2/mb/pay', reference)).toMatchObject({ status: 200 })
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
