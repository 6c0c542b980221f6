// SIBS in production, over an imitation of SPG.
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { after, minute, systemClock } from '../../../src/kernel/time.ts'
import { openPostgres } from '../../../src/storage/index.ts'
import { formTo, openPage, submit } from '../../browserless.ts'
import { createProductionWorld, type ProductionWorld, type TestMerchant } from '../../connections/world.ts'
import type { GatewayProcess } from '../../gateway-process.ts'
import { found, needle, rowsOf } from '../../needles.ts'
import { expectHandled, expectHeld } from '../hostile-webhooks.ts'
import { type FakeSibs, startFakeSibs } from './fake.ts'
import { encrypted, encryptedText, type Sent } from './outbox.ts'

const phone = '+351912345678'
let passed = 0
let fake: FakeSibs
let world: ProductionWorld
let gateway: GatewayProcess
let shop: TestMerchant
let address: string

beforeAll(async () => {
  fake = await startFakeSibs(() => after(systemClock.now(), passed), new Set([phone]))
  world = await createProductionWorld()
  gateway = await world.start()
  shop = await world.merchant('Loja', 'CC,MB,MBWAY,WALLET')
})
afterAll(async () => {
  await world?.stop()
  await fake?.close()
})

const ask = async (amount: number, more: object = {}) => {
  const asked = { method: 'MBWAY', type: 'PAYMENT', amount, currency: 'EUR', mbway: { phone }, ...more }
  const { status, body } = await shop.call('/api/v2/payment', asked)
  expect([status, body.status]).toEqual([200, 'PENDING'])
  return body.id as string
}
const operation = async (id: string) => (await shop.call(`/api/v2/operations/${id}`)).body
const becomes = (id: string, status: string) =>
  expect.poll(async () => (await operation(id)).status).toBe(status)
const isAsked = (id: string) => expect.poll(() => fake.questions(id)).toBe(1)

async function deliver({ headers, body }: Sent) {
  const response = await fetch(world.local + address, { method: 'POST', headers, body })
  return { status: response.status, body: await response.text() }
}

function connect(...more: string[]) {
  const secrets = Object.entries(fake.secrets).flatMap(([name, secret]) => [
    ...['--secret', `${name}=@${world.file(`${secret}\n`)}`],
  ])
  const settings = Object.entries(fake.settings).flatMap(([name, value]) => ['--setting', `${name}=${value}`])
  return world.command(['rails', 'set', 'sibs', ...settings, ...secrets, ...more])
}

function cardFormIn(html: string) {
  const text = (escaped = '') =>
    escaped
      .replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
      .replaceAll('&quot;', '"')
      .replaceAll('&amp;', '&')
  const element = /<form[^>]*class="[^"]*paymentSPG[^"]*"[^>]*>/.exec(html)?.[0] ?? ''
  const attributes = [...element.matchAll(/([a-z-]+)="([^"]*)"/g)].map(([, name, value]) => [
    name,
    text(value),
  ])
  return {
    script: text(/<script[^>]*src="([^"]*widget\.js[^"]*)"/.exec(html)?.[1]),
    attributes: Object.fromEntries(attributes) as Record<string, string>,
  }
}

it('needs --allow-unproven, and prints the webhook address', async () => {
  const refused = await connect()
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('--allow-unproven')])
  expect(await connect('--allow-unproven')).toMatchObject({ code: 0, json: { driver_is: 'unproven' } })
  const checked = await world.cli('rails', 'check')
  const [{ webhook_url: url }] = checked.connections as [{ webhook_url: string }]
  expect(checked).toMatchObject({ ok: true })
  address = new URL(url).pathname
  fake.outbox.receiver = deliver
  await expect
    .poll(async () => (await shop.call('/api/v2/wallets/methods')).body.methods)
    .toEqual(['CC', 'MB', 'MBWAY', 'WALLET'])
})

it('reports wrong credentials without repeating them', async () => {
  const wrong = world.file('another-token')
  const args = ['rails', 'set', 'sibs', '--secret', `token=@${wrong}`, '--allow-unproven']
  for (const failed of [await world.command(args), await world.command(['rails', 'check'])]) {
    expect(failed.code).toBe(1)
    expect(failed.err).not.toContain('another-token')
  }
  fake.provider.setEndless(true)
  expect((await world.command(['rails', 'check'])).err).toContain('answered more than 1 MiB')
  fake.provider.setEndless(false)
  const right = world.file(fake.secrets.token)
  await world.cli('rails', 'set', 'sibs', '--secret', `token=@${right}`)
  expect(await world.cli('rails', 'check')).toMatchObject({ ok: true })
})

it('is paid after an approval on the phone, and not after a refusal or silence', async () => {
  const [paid, refused, left] = [await ask(7.5), await ask(8), await ask(9)]
  for (const id of [paid, refused, left]) await isAsked(id)
  expect(await fake.approve(paid)).toBe(true)
  expect(await fake.refuse(refused)).toBe(true)
  await becomes(paid, 'COMPLETED')
  await becomes(refused, 'FAIL')
  passed += 4 * minute
  expect(await fake.approve(left)).toBe(false)
  await becomes(left, 'FAIL')
  expect(fake.money()).toEqual({ taken: 750n, held: 0n })
  expect(fake.outbox.acknowledged.at(-1)).toMatch(
    /^200 \{"statusCode":"000","statusMsg":"Success","notificationID":"n-\d+"\}$/,
  )
})

it('is paid on a checkout, also if the notification precedes the answer', async () => {
  const checkout = await shop.call('/api/v2/checkout', {
    payment: { amount: 12.34, currency: 'EUR' },
    url_confirm: 'https://shop.example/ok',
    url_cancel: 'https://shop.example/no',
  })
  const here = (url: string) => world.local + new URL(url).pathname + new URL(url).search
  const page = await openPage(here(checkout.body.url_redirect))
  const before = fake.money().taken
  fake.hurry = true
  await submit(page, formTo(page, '/mbway'), { phone: '912345678' })
  fake.hurry = false
  await expect
    .poll(async () => (await shop.call(`/api/v2/checkout/${checkout.body.id}`)).body.payment.status)
    .toBe('COMPLETED')
  expect(fake.money().taken).toBe(before + 1234n)
})

it('is paid by card on the form of SIBS, and refunded', async () => {
  const checkout = await shop.call('/api/v2/checkout', {
    payment: { amount: 21.05, currency: 'EUR' },
    url_confirm: 'https://shop.example/ok',
    url_cancel: 'https://shop.example/no',
  })
  const here = (url: string) => world.local + new URL(url).pathname + new URL(url).search
  const page = await openPage(here(checkout.body.url_redirect))
  const shown = await submit(page, formTo(page, '/card'), {})
  expect(shown.headers.get('content-security-policy')).toContain(fake.provider.url)
  const before = fake.money().taken
  const back = await fake.payForm(cardFormIn(shown.html), 'confirm')
  const returned = await openPage(here(back), { cookies: shown.cookies, within: world.local })
  expect((await openPage(here(returned.url), { cookies: shown.cookies })).text).toContain('Payment made')
  const { payment } = (await shop.call(`/api/v2/checkout/${checkout.body.id}`)).body
  expect(payment).toMatchObject({ status: 'COMPLETED', method: 'CC' })
  expect(fake.money().taken).toBe(before + 2105n)
  const refund = await shop.call(`/api/v2/operations/${payment.id}/refund`, { amount: 1.05 })
  expect(refund.body).toMatchObject({ status: 'COMPLETED' })
  expect(fake.money().taken).toBe(before + 2000n)
})

it('is paid by a reference of SIBS', async () => {
  const asked = { method: 'MB', type: 'PAYMENT', amount: 33.1, currency: 'EUR' }
  const { body: payment } = await shop.call('/api/v2/mb/pay', asked)
  expect(payment).toMatchObject({
    status: 'PENDING',
    mb: { entity: '52055', ref: expect.stringMatching(/^5\d{8}$/) },
  })
  const before = fake.money().taken
  expect(await fake.payReference(payment.mb, 3311n)).toBe(false)
  expect(await fake.payReference(payment.mb, 3310n)).toBe(true)
  await becomes(payment.id, 'COMPLETED')
  expect(fake.money().taken).toBe(before + 3310n)
  expect(await fake.payReference(payment.mb, 3310n)).toBe(false)
})

it('reports that references need an entity', async () => {
  const set = ['rails', 'set', 'sibs']
  for (const args of [
    [...set, '--unset', 'reference_entity'],
    ['rails', 'check'],
  ]) {
    const failed = await world.command(args)
    expect([failed.code, failed.err]).toEqual([1, expect.stringContaining('set reference_entity')])
  }
  await world.cli(...set, '--setting', 'reference_entity=52055')
  expect(await world.cli('rails', 'check')).toMatchObject({ ok: true })
})

it('holds, captures in parts, releases and refunds, each once', async () => {
  const before = fake.money()
  const hold = await ask(50, { type: 'AUTH' })
  await isAsked(hold)
  await fake.approve(hold)
  await becomes(hold, 'COMPLETED')
  expect(fake.money().held).toBe(before.held + 5000n)
  const capture = async (amount: number) =>
    (await shop.call(`/api/v2/authorizations/${hold}/capture`, { amount })).body
  const first = await capture(20)
  expect(first).toMatchObject({ type: 'CAPTURE', status: 'COMPLETED', amount: 20 })
  expect(await capture(10.01)).toMatchObject({ status: 'COMPLETED' })
  const refund = await shop.call(`/api/v2/operations/${first.id}/refund`, { amount: 5 })
  expect(refund).toMatchObject({ status: 200, body: { status: 'COMPLETED' } })
  expect(fake.money()).toEqual({ taken: before.taken + 2501n, held: before.held + 1999n })

  const other = await ask(30, { type: 'AUTH' })
  await isAsked(other)
  await fake.approve(other)
  await becomes(other, 'COMPLETED')
  const release = await shop.call(`/api/v2/authorizations/${other}/release`, { amount: 30 })
  expect(release.body).toMatchObject({ type: 'RELEASE', status: 'COMPLETED' })
  expect(fake.money()).toEqual({ taken: before.taken + 2501n, held: before.held + 1999n })
})

it('accepts each notification once, and none with a wrong tag', async () => {
  fake.outbox.receiver = undefined
  const id = await ask(3)
  await isAsked(id)
  await fake.approve(id)
  const [sent] = fake.outbox.kept.splice(0)
  if (sent === undefined) throw new Error('nothing was sent')
  const outcomes = async () => {
    const text = await (await fetch(`${world.local}/metrics`)).text()
    const count = (outcome: string) =>
      Number(new RegExp(`webhooks_total\\{driver="sibs",outcome="${outcome}"\\} (\\d+)`).exec(text)?.[1] ?? 0)
    return { refused: count('refused'), accepted: count('accepted'), repeated: count('repeated') }
  }
  const before = await outcomes()
  const forged = encrypted(randomBytes(32), { transactionID: 's2', notificationID: 'forged' })
  const tampered = {
    ...sent,
    headers: { ...sent.headers, 'x-authentication-tag': 'AAAAAAAAAAAAAAAAAAAAAA==' },
  }
  expect((await deliver(forged)).status).toBe(401)
  expect((await deliver(tampered)).status).toBe(401)
  expect((await operation(id)).status).toBe('PENDING')
  expect((await deliver(sent)).status).toBe(200)
  expect((await deliver(sent)).status).toBe(200)
  await becomes(id, 'COMPLETED')
  expect(await outcomes()).toEqual({
    refused: before.refused + 2,
    accepted: before.accepted + 1,
    repeated: before.repeated + 1,
  })
  fake.outbox.receiver = deliver
})

it('charges under a mandate without a request, and follows its changes', async () => {
  const asked = { phone, type: 'ONECLICK', name: 'Ana Silva' }
  const { body } = await shop.call('/api/v2/mandate/mbway', asked)
  const id = body.mandate_id as string
  await isAsked(id)
  const mandate = async () => (await shop.call(`/api/v2/mandate/mbway/${id}`)).body
  expect(await fake.approve(id, { limit: 100_00n, expiryDate: '2035-12-31' })).toBe(true)
  await expect.poll(mandate).toMatchObject({ state: 'ACTIVE', amount_limit: 100, expiry_date: '2035-12-31' })
  const payment = await ask(40)
  await becomes(payment, 'COMPLETED')
  expect(fake.questions(payment)).toBe(0)
  expect(await mandate()).toMatchObject({ amount_available: 60 })
  // The limit includes undecided charges.
  fake.decidesMandatesAfterMs = 1500
  const later = await ask(35)
  await becomes(later, 'COMPLETED')
  fake.decidesMandatesAfterMs = 0
  expect(fake.questions(later)).toBe(0)
  expect(await mandate()).toMatchObject({ amount_available: 25 })
  await fake.change(id, 'suspend')
  await expect.poll(mandate).toMatchObject({ state: 'SUSPENDED' })
  const other = await ask(5)
  await isAsked(other)
  await fake.change(id, 'resume')
  await expect.poll(mandate).toMatchObject({ state: 'ACTIVE' })
  await fake.change(id, 'cancel')
  await expect.poll(mandate).toMatchObject({ state: 'VOIDED' })
})

it('loses nothing while SIBS is down, and continues afterwards', async () => {
  const id = await ask(6)
  await isAsked(id)
  await fake.approve(id)
  await becomes(id, 'COMPLETED')
  const before = fake.money().taken
  fake.provider.interrupt(1, 'after', /\/refund$/)
  const refund = await shop.call(`/api/v2/operations/${id}/refund`, { amount: 6 })
  expect(refund).toMatchObject({ status: 200, body: { status: 'PENDING' } })
  fake.provider.setDown(true)
  const payment = await ask(2)
  const reference = { method: 'MB', type: 'PAYMENT', amount: 4, currency: 'EUR' }
  expect(await shop.call('/api/v2/mb/pay', reference)).toMatchObject({ status: 503, body: { code: 40021 } })
  await gateway.kill()
  gateway = await world.start()
  fake.provider.setDown(false)
  await isAsked(payment)
  await fake.approve(payment)
  await becomes(payment, 'COMPLETED')
  await becomes(refund.body.id, 'COMPLETED')
  expect(fake.money().taken).toBe(before - 400n)
  expect(await shop.call('/api/v2/mb/pay', reference)).toMatchObject({ status: 200 })
})

it('ignores hostile notifications, encrypted or not', async () => {
  const key = Buffer.from(fake.secrets.webhook_secret, 'base64')
  const decoded = (text: string) => Buffer.from(text, 'base64').toString('hex')
  await expectHeld((text) => encryptedText(key, text), deliver, decoded)
  await expectHandled(world.local, 'sibs')
  expect(await world.cli('rails', 'webhooks')).toEqual({ webhooks: [] })
})

it('shows its secrets nowhere, and keeps its books right', async () => {
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
