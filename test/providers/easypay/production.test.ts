// Easypay in production, as operators, merchants and customers use it, over a fake.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemClock } from '../../../src/kernel/time.ts'
import { openPostgres } from '../../../src/storage/index.ts'
import { formTo, openPage, submit } from '../../browserless.ts'
import { createProductionWorld, type ProductionWorld, type TestMerchant } from '../../connections/world.ts'
import type { GatewayProcess } from '../../gateway-process.ts'
import { found, needle, rowsOf } from '../../needles.ts'
import { expectHandled, type SentWebhook } from '../hostile-webhooks.ts'
import { accountId, apiKey, type FakeEasypay, phone, startFakeEasypay } from './fake.ts'

let fake: FakeEasypay
let world: ProductionWorld
let gateway: GatewayProcess
let shop: TestMerchant
let address: string

beforeAll(async () => {
  fake = await startFakeEasypay(() => systemClock.now())
  world = await createProductionWorld()
  gateway = await world.start()
  shop = await world.merchant('Loja', 'CC,MB,MBWAY,WALLET')
})
afterAll(async () => {
  await world?.stop()
  await fake?.close()
})

const operation = async (id: string) => (await shop.call(`/api/v2/operations/${id}`)).body
const becomes = (id: string, status: string) =>
  expect.poll(async () => (await operation(id)).status).toBe(status)
const ask = async (amount: number, more: object = {}) => {
  const asked = { method: 'MBWAY', type: 'PAYMENT', amount, currency: 'EUR', mbway: { phone }, ...more }
  const { status, body } = await shop.call('/api/v2/payment', asked)
  expect([status, body.status]).toEqual([200, 'PENDING'])
  await expect.poll(() => fake.made(body.id)).toBe(1)
  return body.id as string
}

async function deliver({ headers, body }: SentWebhook): Promise<number> {
  return (await fetch(world.local + address, { method: 'POST', headers, body })).status
}
async function deliverAll(): Promise<void> {
  for (const one of fake.notifications()) expect(await deliver(one)).toBe(200)
}

function connect(...more: string[]) {
  const secret = world.file(apiKey)
  return world.command([
    ...['connect', 'easypay', `account_id=${accountId}`, '--secret', `api_key=@${secret}`],
    ...more,
  ])
}

it('is connected, registers its address, and lists what a person must do', async () => {
  const base = ['--setting', `api_base=${fake.provider.url}`]
  const refused = await connect(...base)
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('--allow-unproven')])
  fake.generic = 'https://shop.example/old-plugin'
  const taken = await connect(...base, '--allow-unproven')
  expect([taken.code, taken.err]).toEqual([1, expect.stringContaining('sends notifications elsewhere')])
  expect(fake.generic).toBe('https://shop.example/old-plugin')
  fake.generic = ''
  const made = await connect(...base, '--allow-unproven')
  expect(made).toMatchObject({ code: 0, json: { driver_is: 'unproven', ok: true } })
  expect(made.out).toContain('Card redirect')
  const checked = await world.cli('rails', 'check')
  const [{ webhook_url: url, checks }] = checked.connections as [{ webhook_url: string; checks: object[] }]
  expect(fake.generic).toBe(url)
  expect(checks).toContainEqual(
    expect.objectContaining({ name: 'notifications', detail: expect.stringContaining('this connection') }),
  )
  address = new URL(url).pathname
  await expect
    .poll(async () => (await shop.call('/api/v2/wallets/methods')).body.methods)
    .toEqual(['CC', 'MB', 'MBWAY', 'WALLET'])
})

it('reports a refused key without repeating it', async () => {
  fake.isRevoked = true
  const failed = await world.command(['rails', 'check'])
  expect([failed.code, failed.err]).toEqual([1, expect.stringMatching(/127\.0\.0\.1:\d+ .*HTTP 403/)])
  expect(failed.err).not.toContain(apiKey)
  fake.isRevoked = false
  expect(await world.cli('rails', 'check')).toMatchObject({ ok: true })
})

it('is paid after an approval on the phone, and not after a refusal', async () => {
  const [paid, refused, silent] = [await ask(7.5), await ask(8), await ask(9)]
  expect(fake.approve(paid)).toBe(true)
  expect(fake.refuse(refused)).toBe(true)
  await deliverAll()
  await becomes(paid, 'COMPLETED')
  await becomes(refused, 'FAIL')
  // Without a notification, the gateway asks.
  expect(fake.approve(silent)).toBe(true)
  fake.notifications()
  await becomes(silent, 'COMPLETED')
  expect(fake.movements(paid)).toEqual([750n])
  const refund = await shop.call(`/api/v2/operations/${paid}/refund`, { amount: 2.5 })
  expect(refund.body).toMatchObject({ status: 'COMPLETED' })
  expect(fake.movements(refund.body.id)).toEqual([-250n])
})

it('is paid on Easypay’s card page, and refunded', async () => {
  const checkout = await shop.call('/api/v2/checkout', {
    payment: { amount: 21.05, currency: 'EUR' },
    url_confirm: 'https://shop.example/ok',
    url_cancel: 'https://shop.example/no',
  })
  const here = (url: string) => world.local + new URL(url).pathname + new URL(url).search
  const page = await openPage(here(checkout.body.url_redirect))
  const shown = await submit(page, formTo(page, '/card'), {})
  const url = new RegExp(`${fake.provider.url}/page/[0-9a-f-]+`).exec(`${shown.url} ${shown.html}`)?.[0] ?? ''
  fake.payPage(url, 'confirm')
  await deliverAll()
  const paid = async () => (await shop.call(`/api/v2/checkout/${checkout.body.id}`)).body.payment
  await expect.poll(async () => (await paid()).status).toBe('COMPLETED')
  const { id } = await paid()
  const refund = await shop.call(`/api/v2/operations/${id}/refund`, { amount: 1.05 })
  expect(refund.body).toMatchObject({ status: 'COMPLETED' })
})

it('is paid by a reference, with the amount that was asked', async () => {
  const asked = { method: 'MB', type: 'PAYMENT', amount: 33.1, currency: 'EUR' }
  const { body: payment } = await shop.call('/api/v2/mb/pay', asked)
  expect(payment).toMatchObject({
    status: 'PENDING',
    mb: { entity: '11683', ref: expect.stringMatching(/^\d{9}$/) },
  })
  expect(fake.payReference(payment.mb, 3310n)).toBe(true)
  await deliverAll()
  await becomes(payment.id, 'COMPLETED')
})

it('holds, captures in parts and voids the rest of another hold', async () => {
  const [hold, other] = [await ask(50, { type: 'AUTH' }), await ask(30, { type: 'AUTH' })]
  for (const id of [hold, other]) fake.approve(id)
  await deliverAll()
  for (const id of [hold, other]) await becomes(id, 'COMPLETED')
  for (const amount of [20, 10.01]) {
    const captured = await shop.call(`/api/v2/authorizations/${hold}/capture`, { amount })
    expect(captured.body).toMatchObject({ type: 'CAPTURE', status: 'COMPLETED', amount })
    expect(fake.movements(captured.body.id)).toEqual([BigInt(Math.round(amount * 100))])
  }
  const release = await shop.call(`/api/v2/authorizations/${other}/release`, { amount: 30 })
  expect(release.body).toMatchObject({ type: 'RELEASE', status: 'COMPLETED' })
  expect(fake.movements(other)).toEqual([])
})

it('believes no notification, and asks Easypay', async () => {
  const id = await ask(3)
  const forged = { id: randomUUID(), key: id, type: 'capture', status: 'success', value: '3.00' }
  for (let times = 0; times < 2; times++)
    expect(await deliver({ headers: {}, body: JSON.stringify(forged) })).toBe(200)
  await expectHandled(world.local, 'easypay')
  expect((await operation(id)).status).toBe('PENDING')
  for (const body of ['', '[', 'null', '{}', '{"id":1}', '{"key":"__proto__"}', '\0', '[[]]'])
    expect(await deliver({ headers: {}, body })).toBe(401)
  expect(fake.refuse(id)).toBe(true)
  await deliverAll()
  await becomes(id, 'FAIL')
  expect(await world.cli('rails', 'webhooks')).toEqual({ webhooks: [] })
})

it('loses nothing while Easypay is down, and continues afterwards', async () => {
  const id = await ask(6)
  fake.approve(id)
  await deliverAll()
  await becomes(id, 'COMPLETED')
  fake.provider.interrupt(1, 'after', /^POST \/refund/)
  const refund = await shop.call(`/api/v2/operations/${id}/refund`, { amount: 6 })
  expect(refund).toMatchObject({ status: 200, body: { status: 'PENDING' } })
  fake.provider.setDown(true)
  const reference = { method: 'MB', type: 'PAYMENT', amount: 4, currency: 'EUR' }
  expect(await shop.call('/api/v2/mb/pay', reference)).toMatchObject({ status: 503, body: { code: 40021 } })
  await gateway.kill()
  gateway = await world.start()
  fake.provider.setDown(false)
  await becomes(refund.body.id, 'COMPLETED')
  expect(fake.movements(refund.body.id)).toEqual([-600n])
  expect(await shop.call('/api/v2/mb/pay', reference)).toMatchObject({ status: 200 })
})

it('shows its key nowhere, and keeps its books right', async () => {
  const needles = [needle('api_key', apiKey)]
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
