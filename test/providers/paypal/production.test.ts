// Production with PayPal, as operators, merchants and customers use it.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { lisbonDayOf } from '../../../src/kernel/lisbon.ts'
import { systemClock } from '../../../src/kernel/time.ts'
import { formTo, openPage, submit } from '../../browserless.ts'
import { createProductionWorld, type ProductionWorld, type TestMerchant } from '../../connections/world.ts'
import { clientId, clientSecret, type FakeEvent, type FakePaypal, startPaypal } from './fake.ts'
import { newSigner } from './signer.ts'

const signer = newSigner()
let world: ProductionWorld
let fake: FakePaypal
let shop: TestMerchant

beforeAll(async () => {
  ;[world, fake] = await Promise.all([createProductionWorld(), startPaypal(signer)])
  await world.start()
  shop = await world.merchant('Padaria', 'PAYPAL', {
    rights: 'partner',
    permissions: 'checkout,operations,refund,authorizations,subscriptions',
  })
  await world.cli('merchant', 'set', String(shop.id), '--subscription-methods', 'PAYPAL')
})
afterAll(async () => {
  await world?.stop()
  await fake?.provider.close()
})

const given = () => [
  `client_id=${clientId}`,
  `client_secret=@${world.file(clientSecret)}`,
  `api_base=${fake.provider.url}`,
]

it('is connected by one command, which registers the webhook and lists what is left', async () => {
  const unproven = await world.command(['connect', 'paypal', ...given()])
  expect([unproven.code, unproven.out]).toEqual([1, expect.stringContaining('--allow-unproven')])
  const more = ['--setting', `webhook_certificates=${signer.root}`, '--allow-unproven']
  const connected = await world.command(['connect', 'paypal', ...given(), ...more])
  expect([connected.code, connected.out]).toEqual([0, expect.stringContaining('Still to do:\n1. ')])
  const { settings, ok, by_hand: byHand } = connected.json
  const [webhook] = fake.webhooks
  expect({ settings, ok, byHand }).toMatchObject({
    ...{ settings: { webhook_id: webhook?.id }, ok: true },
    byHand: [
      ...[expect.stringContaining('Transaction search'), expect.any(String)],
      ...[expect.stringContaining('Vault'), expect.any(String)],
    ],
  })
  expect(webhook?.url).toMatch(/^https:\/\/pay\.example\.com\/rails\/paypal\/\w{22}$/)
  // Again: the same webhook.
  expect(await world.command(['connect', 'paypal', ...given()])).toMatchObject({ code: 0 })
  expect(fake.webhooks).toHaveLength(1)
  expect(world.printed()).not.toContain(clientSecret)
})

it('uses PayPal’s own sandbox with --test, and refuses wrong keys', async () => {
  const driver = (
    (await world.cli('rails', 'drivers')).drivers as { driver: string; settings: { name: string }[] }[]
  ).find(({ driver }) => driver === 'paypal')
  expect(driver?.settings.map(({ name }) => name)).toContain('client_secret')
  const wrong = [`client_id=${clientId}`, `client_secret=@${world.file('wrongwrongwrongwrong')}`]
  const other = await world.merchant('Outra', 'PAYPAL')
  const options = [
    `api_base=${fake.provider.url}`,
    '--wallet',
    String(other.id),
    '--allow-unproven',
    '--test',
  ]
  const refused = await world.command(['connect', 'paypal', ...wrong, ...options])
  expect(refused).toMatchObject({
    code: 1,
    json: { ok: false, settings: { api_base: fake.provider.url } },
  })
  const none = await world.command(['connect', 'bank-files', '--test'])
  expect([none.code, none.out]).toEqual([1, expect.stringContaining('has no sandbox of its own')])
})

async function webhook({ headers, body }: FakeEvent): Promise<number> {
  const path = new URL(fake.webhooks[0]?.url ?? '').pathname
  return (await fetch(world.local + path, { method: 'POST', headers, body })).status
}

const passedOn = (url: string) => world.local + new URL(url).pathname + new URL(url).search

async function atPaypal() {
  const asked = { payment: { amount: 12.5, currency: 'EUR' }, url_confirm: 'https://shop.example/ok' }
  const { body: checkout } = await shop.call('/api/v2/checkout', asked)
  const page = await openPage(passedOn(String(checkout.url_redirect)))
  const gone = await submit(page, formTo(page, '/paypal'), {}, { within: world.local })
  expect(gone.url).toMatch(/^https:\/\/www\.paypal\.com\/checkoutnow\?token=/)
  const orders = [...fake.provider.calls].filter((call) => call === 'POST /v2/checkout/orders')
  expect(orders.length).toBeGreaterThan(0)
  const id = String(checkout.payment.id)
  const token = new URL(gone.url).searchParams.get('token') ?? ''
  return { id, key: fake.keyOf(token), page: passedOn(String(checkout.url_redirect)) }
}

const today = () => lisbonDayOf(systemClock.now())
const operation = async (id: string) => (await shop.call(`/api/v2/operations/${id}`)).body

async function paid() {
  const payment = await atPaypal()
  fake.agree(payment.key)
  expect(await webhook(fake.events.at(-1) as FakeEvent)).toBe(200)
  await expect.poll(async () => (await operation(payment.id)).status).toBe('COMPLETED')
  return payment
}

it('takes a payment after the customer’s agreement, by the webhook alone', async () => {
  await expect.poll(async () => (await shop.call('/api/v2/wallets/methods')).body.methods).toContain('PAYPAL')
  const { id, key } = await paid()
  expect(await operation(id)).toMatchObject({ method: 'PAYPAL', amount: 12.5, refundable: true })
  expect(fake.moved(key)).toBe(1250n)
  const captured = fake.events.at(-1) as FakeEvent
  expect(await Promise.all([webhook(captured), webhook(captured)])).toEqual([200, 200])
  expect(await webhook({ ...captured, body: captured.body.replace('12.50', '99.99') })).toBe(401)
  expect(fake.moved(key)).toBe(1250n)
})

it('shows a declined payment, and takes a new attempt', async () => {
  const { id, key, page } = await atPaypal()
  fake.agree(key, { problem: 'INSTRUMENT_DECLINED' })
  await webhook(fake.events.at(-1) as FakeEvent)
  await expect.poll(async () => (await openPage(page)).text).toContain('PayPal declined')
  expect(await operation(id)).toMatchObject({ status: 'PENDING' })
  const again = await openPage(page)
  const gone = await submit(again, formTo(again, '/paypal'), {}, { within: world.local })
  const second = fake.keyOf(new URL(gone.url).searchParams.get('token') ?? '')
  expect(second).not.toBe(key)
  fake.agree(second)
  await webhook(fake.events.at(-1) as FakeEvent)
  await expect.poll(async () => (await operation(id)).status).toBe('COMPLETED')
  expect([fake.moved(key), fake.moved(second)]).toEqual([0n, 1250n])
})

it('stays PENDING during a review of days, and ends as PayPal decides', async () => {
  const [good, bad] = [await atPaypal(), await atPaypal()]
  for (const { key, id } of [good, bad]) {
    fake.agree(key, { pending: 'PENDING_REVIEW' })
    await webhook(fake.events.at(-1) as FakeEvent)
    await expect.poll(() => fake.ordersOf(key)[0]?.captures.length).toBe(1)
    expect(await webhook(fake.events.at(-1) as FakeEvent)).toBe(200)
    expect((await operation(id)).status).toBe('PENDING')
  }
  fake.endReview(good.key, 'COMPLETED')
  await webhook(fake.events.at(-1) as FakeEvent)
  await expect.poll(async () => (await operation(good.id)).status).toBe('COMPLETED')
  fake.endReview(bad.key, 'DECLINED')
  await webhook(fake.events.at(-1) as FakeEvent)
  await expect.poll(async () => (await openPage(bad.page)).text).toContain('PayPal declined')
})

it('accepts a subscription with its first payment, charges it, and ends it with the permission', async () => {
  const subscription = { amount: 30, currency: 'EUR', frequency: 1, period: 'MONTH', start_date: today() }
  const asked = {
    ...{ payment: { amount: 12.5, currency: 'EUR' }, subscription },
    url_confirm: 'https://shop.example/ok',
  }
  const { body: checkout } = await shop.call('/api/v2/checkout', asked)
  const page = await openPage(passedOn(String(checkout.url_redirect)))
  const gone = await submit(page, formTo(page, '/paypal'), {}, { within: world.local })
  expect(gone.url).toMatch(/^https:\/\/www\.paypal\.com\/agreements\/approve/)
  fake.agreeToSave()
  // The customer comes back, which causes an inquiry.
  await openPage(passedOn(String(checkout.url_redirect)))
  const { id } = checkout.subscription
  const status = async () => (await shop.call(`/api/v2/subscriptions/${id}`)).body.status
  await expect.poll(status).toBe('APPROVED')
  expect(await operation(checkout.payment.id)).toMatchObject({ status: 'COMPLETED', method: 'PAYPAL' })
  const payment = { amount: 7.5, currency: 'EUR', ext_invoiceid: 'CHARGED' }
  const { body: charge } = await shop.call(`/api/v2/subscriptions/${id}/charge`, { payment })
  const charged = async () => (await shop.call(`/api/v2/subscriptions/${id}/charge/${charge.id}`)).body.status
  await expect.poll(charged).toBe('SUCCESS')
  const { elements } = (await shop.call('/api/v2/operations?ext_invoiceid=CHARGED')).body
  expect(fake.moved(elements[0].id)).toBe(750n)
  fake.endAccount(fake.accounts().at(-1) ?? '')
  expect(await webhook(fake.events.at(-1) as FakeEvent)).toBe(200)
  await expect.poll(status).toBe('CANCELED')
  expect(await world.cli('audit')).toMatchObject({ ok: true, problems: [] })
})

it('refunds in parts, at most the payment, and books a dispute', async () => {
  const { id, key } = await paid()
  const refund = (amount: number) => shop.call(`/api/v2/operations/${id}/refund`, { type: 'partial', amount })
  expect((await refund(4)).body).toMatchObject({ status: 'COMPLETED', amount: -4 })
  expect((await refund(9)).status).toBe(409)
  expect(fake.moved(key)).toBe(850n)
  fake.dispute(key, 850n)
  expect(await webhook(fake.events.at(-1) as FakeEvent)).toBe(200)
  const children = async () => (await shop.call(`/api/v2/operations?type=REFUND&parent=${id}`)).body.elements
  await expect
    .poll(async () => (await children()).map(({ amount }: { amount: number }) => amount).sort())
    .toEqual([-4, -8.5])
  expect(await world.cli('audit')).toMatchObject({ ok: true, problems: [] })
})

it('reserves an amount, captures a part, refunds it, and releases only the whole rest', async () => {
  const asked = { authorization: { amount: 20, currency: 'EUR' }, url_confirm: 'https://shop.example/ok' }
  async function authorized() {
    const { body: checkout } = await shop.call('/api/v2/checkout', asked)
    const page = await openPage(passedOn(String(checkout.url_redirect)))
    const gone = await submit(page, formTo(page, '/paypal'), {}, { within: world.local })
    const key = fake.keyOf(new URL(gone.url).searchParams.get('token') ?? '')
    fake.agree(key)
    await webhook(fake.events.at(-1) as FakeEvent)
    const id = String(checkout.authorization.id)
    await expect.poll(async () => (await operation(id)).status).toBe('COMPLETED')
    return { id, key }
  }
  const act = (id: string, verb: string, amount?: number) =>
    shop.call(`/api/v2/authorizations/${id}/${verb}`, amount === undefined ? {} : { amount })
  const first = await authorized()
  expect(await operation(first.id)).toMatchObject({ type: 'AUTH', method: 'PAYPAL', amount: 20 })
  const part = await act(first.id, 'release', 5)
  expect([part.status, part.body.reason]).toEqual([409, expect.stringContaining('amount must be 20.00')])
  const { body: captured } = await act(first.id, 'capture', 8)
  expect(captured).toMatchObject({ type: 'CAPTURE', status: 'COMPLETED', amount: 8 })
  expect(fake.moved(first.key)).toBe(800n)
  const refund = await shop.call(`/api/v2/operations/${captured.id}/refund`, { type: 'partial', amount: 3 })
  expect(refund.body).toMatchObject({ status: 'COMPLETED', amount: -3 })
  expect(fake.moved(first.key)).toBe(500n)
  const second = await authorized()
  expect((await act(second.id, 'release')).body).toMatchObject({ type: 'RELEASE', status: 'COMPLETED' })
  expect((await act(second.id, 'capture', 1)).status).toBe(409)
  expect(fake.moved(second.key)).toBe(0n)
  expect(await world.cli('audit')).toMatchObject({ ok: true, problems: [] })
})

it('sent no request that PayPal’s documents do not allow', () => {
  expect(fake.faults).toEqual([])
})
