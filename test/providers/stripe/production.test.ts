// Production with Stripe, as operators, merchants and customers use it.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPostgres } from '../../../src/storage/index.ts'
import { formTo, openPage, type Page, submit } from '../../browserless.ts'
import { createProductionWorld, type ProductionWorld } from '../../connections/world.ts'
import type { GatewayProcess } from '../../gateway-process.ts'
import { cardNeedle, found, needle, rowsOf } from '../../needles.ts'
import { expectHandled, expectHeld } from '../hostile-webhooks.ts'
import { startHttpProvider } from '../http-provider.ts'
import { refundSucceedsLater } from './cards.ts'
import { creditor } from './connect.ts'
import {
  type FakeStripe,
  newSecretKey,
  secretKey,
  signature,
  startStripe,
  strangersKey,
  webhookSecret,
} from './index.ts'

let world: ProductionWorld
let fake: FakeStripe
let gateway: GatewayProcess
let key: string
let esbToken: string
let webhookUrl: string
let paidId: string

beforeAll(async () => {
  ;[world, fake] = await Promise.all([createProductionWorld(), startStripe()])
  gateway = await world.start()
  const made = await world.cli(
    ...['merchant', 'create', '--name', 'Loja', '--email', 'loja@example.com'],
    ...['--rights', 'partner,pci_dss', '--methods', 'CC,MBWAY,MB,SEPA'],
  )
  esbToken = String(made.esb_token)
  const permissions =
    'mb_pay,checkout,operations,refund,card,card_plain,authorizations,subscriptions,callbacks'
  key = String(
    (await world.cli('key', 'create', String(made.wallet_id), '--permissions', permissions)).api_key,
  )
})
afterAll(async () => {
  await world?.stop()
  await fake?.provider.close()
})

// biome-ignore lint/suspicious/noExplicitAny: what came over the wire is looked at field by field
type Answer = any

async function call(path: string, body?: unknown): Promise<Answer> {
  const { status, answer } = await ask(path, body)
  expect([path, status, answer]).toEqual([path, 200, expect.anything()])
  return answer
}

async function ask(path: string, body?: unknown): Promise<{ status: number; answer: Answer }> {
  const response = await fetch(world.local + path, {
    headers: {
      ...{ authorization: `Comporta ${key}`, 'content-type': 'application/json' },
      'proxy-authorization': `ESBToken=${esbToken}`,
    },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  })
  return { status: response.status, answer: await response.json() }
}

const passedOn = (url: string) => world.local + new URL(url).pathname + new URL(url).search
const statusOf = async (id: string) => (await call(`/api/v2/operations/${id}`)).status
const paymentsOf = async (invoice: string) =>
  (await call('/api/v2/operations')).elements.filter(
    (one: { ext_invoiceid?: string }) => one.ext_invoiceid === invoice,
  )

async function send({ body }: { readonly body: string }, signedWith = webhookSecret): Promise<number> {
  const headers = { 'stripe-signature': signature(body, signedWith), 'content-type': 'application/json' }
  return (await fetch(webhookUrl, { method: 'POST', headers, body })).status
}

function lastEvent(type: string): { readonly body: string } {
  const event = fake.events.findLast((one) => one.type === type)
  if (event === undefined) throw new Error(`Stripe has no event ${type}`)
  return event
}

const seenCard = '4000000000003220'
const typed = { name: 'Ana Silva', expiry: '12 / 35', vcode: '123' }
const shopUrls = {
  callback: 'https://shop.example/operation',
  cardsecure_url_confirm: 'https://shop.example/ok',
  cardsecure_url_cancel: 'https://shop.example/no',
}

async function openCheckout(ext_invoiceid: string): Promise<Page> {
  const checkout = await call('/api/v2/checkout', {
    payment: { amount: 10, currency: 'EUR', ext_invoiceid },
    ...{ url_confirm: 'https://shop.example/ok', url_cancel: 'https://shop.example/no' },
  })
  return openPage(passedOn(checkout.url_redirect))
}

const stripesPage = (page: Page) => formTo(page, fake.provider.url).action

async function storeCard(number = '4242424242424242'): Promise<string> {
  const request_id = randomUUID()
  const newCard = {
    ...{ number, name: 'Ana Silva', vcode: '123' },
    valdate: '12/2035',
    email: 'ana@example.com',
  }
  const { callback: _, ...urls } = shopUrls
  const asked = await call('/prows/v2/creditcard', { request_id, ...urls, newCard })
  const page = await openPage(passedOn(asked.cardsecure_url_redirect))
  await submit(page, formTo(page, '/secure/'), {}, { within: world.local })
  return (await call(`/api/v2/requests/${request_id}`)).token
}

it('is set with the permission for an unproven driver', async () => {
  const [apiKey, hook] = [world.file(secretKey), world.file(webhookSecret)]
  const set = [
    ...['rails', 'set', 'stripe', '--setting', `api_base=${fake.provider.url}`],
    ...['--setting', 'reference_email=loja@example.com'],
    ...Object.entries(creditor).flatMap(([name, value]) => ['--setting', `${name}=${value}`]),
    ...['--secret', `secret_key=@${apiKey}`, '--secret', `webhook_secret=@${hook}`],
  ]
  const refused = await world.command(set)
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('--allow-unproven')])
  const wrong = ['rails', 'set', 'stripe', '--allow-unproven', '--secret', `secret_key=@${hook}`]
  expect((await world.command([...wrong, '--secret', `webhook_secret=@${hook}`])).err).toContain(
    'secret_key must be a key such as sk_test_',
  )
  const lacking = set.toSpliced(set.indexOf(`creditor_id=${creditor.creditor_id}`) - 1, 2)
  const alone = ['--allow-unproven', '--rails', 'directDebit']
  expect((await world.command([...lacking, ...alone])).err).toContain(
    '--setting creditor_id is required for directDebit: ',
  )
  const stale = set.map((word) =>
    word === `secret_key=@${apiKey}` ? `secret_key=@${world.file('sk_test_stale')}` : word,
  )
  expect(await world.command([...stale, '--allow-unproven'])).toMatchObject({
    ...{ code: 1, err: expect.stringMatching(/127\.0\.0\.1:\d+ refused the key \(HTTP 401\)/) },
  })
  // A proxy that answers with its own JSON must not count as Stripe.
  const proxy = await startHttpProvider(async () => ({
    ...{ status: 404, headers: { 'content-type': 'application/json' }, body: '{"message":"no such path"}' },
  }))
  const elsewhere = set.map((word) => (word.startsWith('api_base=') ? `api_base=${proxy.url}` : word))
  expect(await world.command([...elsewhere, '--allow-unproven'])).toMatchObject({
    ...{ code: 1, err: expect.stringContaining('the check failed: the server is not Stripe') },
  })
  await proxy.close()
  await world.cli(...set, '--allow-unproven')
  await expect.poll(async () => (await call('/api/v2/wallets/methods')).methods).toContain('CC')
  const checked = await world.cli('rails', 'check')
  expect(checked).toMatchObject({ ok: true, connections: [{ driver: 'stripe' }] })
  const [{ webhook_url: url }] = checked.connections as [{ webhook_url: string }]
  webhookUrl = world.local + new URL(url).pathname
})

it('keeps its account: accepts a new key of it, and no key of another', async () => {
  const key = (text: string) => ['rails', 'set', 'stripe', '--secret', `secret_key=@${world.file(text)}`]
  const stranger = await world.command(key(strangersKey))
  expect([stranger.code, stranger.err]).toEqual([
    1,
    expect.stringMatching(
      /account acct_Comporta1 in test mode cannot change; .* belong to acct_Stranger2 in test mode: /,
    ),
  ])
  await world.cli(...key(newSecretKey))
  fake.provider.setEndless(true)
  expect((await world.command(['rails', 'check'])).err).toContain('answered more than 1 MiB')
  fake.provider.setEndless(false)
  fake.provider.setDown(true)
  expect((await world.command(key(secretKey))).err).toMatch(
    /the provider did not name the account of these secrets \(127\.0\.0\.1:\d+ failed \(HTTP 503\)\)/,
  )
  // Other secrets can be changed.
  const hook = `webhook_secret=@${world.file(webhookSecret)}`
  const set = await world.command(['rails', 'set', 'stripe', '--secret', hook])
  expect([set.code, set.err]).toEqual([
    1,
    expect.stringContaining('The connection is set, but its check failed'),
  ])
  fake.provider.setDown(false)
  // A connection that an older version stored gets the account of its key.
  const database = openPostgres({ url: world.databaseUrl })
  const accounts = async () =>
    (await database.run<{ account: string | null }>({ text: 'select account from rail_connections' })).map(
      ({ account }) => account,
    )
  await database.run({ text: 'update rail_connections set account = null' })
  expect((await world.command(key(strangersKey))).err).toContain(
    'account acct_Comporta1 in test mode cannot change',
  )
  expect(await accounts()).toEqual([null])
  await world.cli('rails', 'check')
  expect(await accounts()).toEqual(['acct_Comporta1 in test mode'])
  await database.close()
  await world.cli(...key(secretKey))
})

it('takes a card at a checkout, with the issuer’s page', async () => {
  const page = await openCheckout('S-1')
  const asked = await submit(page, formTo(page, '/card'), { ...typed, number: seenCard })
  const back = await fake.answerPage(stripesPage(asked), 'confirm')
  const returned = await openPage(passedOn(back), { cookies: asked.cookies, within: world.local })
  expect((await openPage(passedOn(returned.url), { cookies: asked.cookies })).text).toContain('Payment made')
  const [payment] = await paymentsOf('S-1')
  paidId = payment.id
  expect(payment).toMatchObject({ status: 'COMPLETED', method: 'CC', amount: 10 })
  expect(await call(`/api/v2/operations/${payment.id}/refund`, { amount: 4 })).toMatchObject({
    ...{ status: 'COMPLETED', type: 'REFUND' },
  })
})

it('lets a declined customer try another card', async () => {
  const page = await openCheckout('S-2')
  const declined = await submit(page, formTo(page, '/card'), { ...typed, number: '4000000000009995' })
  expect(declined.text).not.toContain('Payment made')
  const other = { ...typed, number: '4242424242424242' }
  expect((await submit(declined, formTo(declined, '/card'), other)).text).toContain('Payment made')
})

it('learns by webhook about a customer who did not return, once', async () => {
  const page = await openCheckout('S-3')
  const asked = await submit(page, formTo(page, '/card'), { ...typed, number: seenCard })
  await fake.answerPage(stripesPage(asked), 'confirm')
  const paid = lastEvent('payment_intent.succeeded')
  expect(await send(paid, 'whsec_somebody_else')).toBe(401)
  expect(await paymentsOf('S-3')).toMatchObject([{ status: 'PENDING' }])
  expect([await send(paid), await send(paid)]).toEqual([200, 200])
  await expect.poll(() => paymentsOf('S-3')).toMatchObject([{ status: 'COMPLETED' }])
  for (const event of [...fake.events].reverse()) expect(await send(event)).toBe(200)
  await expect.poll(async () => (await world.command(['rails', 'webhooks'])).json.webhooks).toEqual([])
  expect(await paymentsOf('S-3')).toHaveLength(1)
  const metrics = await (await fetch(`${world.local}/metrics`)).text()
  expect(metrics).toContain('comporta_rail_webhooks_total{driver="stripe",outcome="refused"} 1')
  const strange = { id: 'evt_strange', object: 'event', type: 'customer.created', data: { object: {} } }
  expect(await send({ body: JSON.stringify(strange) })).toBe(200)
})

it('charges a stored card, and holds, captures, refunds and releases on it', async () => {
  const token = await storeCard()
  const asked = { amount: 20, currency: 'EUR', method: 'CC', ...shopUrls, card: { token } }
  expect(await call('/prows/v2/payment', asked)).toMatchObject({ status: 'COMPLETED' })
  const { id } = await call('/prows/v2/authorization', asked)
  const captured = await call(`/api/v2/authorizations/${id}/capture`, { amount: 5 })
  await call(`/api/v2/authorizations/${id}/capture`, { amount: 3 })
  expect(fake.intentOf(id)).toMatchObject({ amount_received: 800, amount_capturable: 1200 })
  expect(await call(`/api/v2/operations/${captured.id}/refund`, { amount: 5 })).toMatchObject({
    status: 'COMPLETED',
  })
  expect(fake.intentOf(id)?.charge?.amount_refunded).toBe(500)
  const other = await call('/prows/v2/authorization', asked)
  await call(`/api/v2/authorizations/${other.id}/release`, {})
  expect(fake.intentOf(other.id)).toMatchObject({ status: 'canceled', amount_capturable: 0 })
})

it('reports that Stripe refused a small amount', async () => {
  const asked = {
    amount: 0.3,
    currency: 'EUR',
    method: 'CC',
    ...shopUrls,
    card: { token: await storeCard() },
  }
  const { status, answer } = await ask('/prows/v2/payment', asked)
  expect([status, answer.code, answer.reason]).toEqual([
    402,
    30007,
    'amount_too_small: the provider does not accept so small an amount',
  ])
  expect(await call(`/api/v2/operations/${answer.operation_id}`)).toMatchObject({ status: 'FAIL' })
  const phone = { method: 'MBWAY', type: 'PAYMENT', ...{ amount: 0.3, currency: 'EUR' } }
  const { id } = await call('/api/v2/payment', { ...phone, mbway: { phone: '+351912345678' } })
  await expect.poll(() => statusOf(id)).toBe('FAIL')
  expect(await refusalLines()).toEqual(expect.arrayContaining([expect.objectContaining({ connection: 1 })]))
})

async function refusalLines(): Promise<unknown[]> {
  const lines = () =>
    gateway
      .output()
      .split('\n')
      .filter((line) => line.includes('Stripe refused a request'))
  await expect.poll(lines).not.toEqual([])
  return lines().map((line) => JSON.parse(line))
}

describe('a hold', () => {
  const day = 24 * 3600 * 1000
  const timeOf = (date: string) => Date.parse(date.replace('+0000', 'Z'))
  const read = (id: string) => call(`/api/v2/authorizations/${id}`)
  const overNow = { status: 409, answer: { code: 10013, reason: expect.stringContaining('ended the hold') } }

  async function hold(amount = 20) {
    const asked = { amount, currency: 'EUR', method: 'CC', ...shopUrls, card: { token: await storeCard() } }
    return call('/prows/v2/authorization', asked)
  }

  async function toldOf(id: string) {
    const { events } = await call('/api/v2/events?limit=100')
    return events
      .map(({ body }: Answer) => body)
      .filter(({ parent_operation_id: parent, type }: Answer) => parent === id && type === 'RELEASE')
  }

  it('shows Stripe’s end of the hold; captures show the end of the month', async () => {
    const { id, date, expires } = await hold()
    expect(Math.abs(timeOf(expires) - timeOf(date) - 7 * day)).toBeLessThan(day)
    const captured = await call(`/api/v2/authorizations/${id}/capture`, { amount: 5 })
    expect(timeOf(captured.expires) - timeOf(date)).toBeGreaterThanOrEqual(28 * day)
  })

  it('is released with a callback if Stripe ended it', async () => {
    const { id } = await hold()
    await call(`/api/v2/authorizations/${id}/capture`, { amount: 5 })
    fake.endHold(id)
    expect(await send(lastEvent('payment_intent.canceled'))).toBe(200)
    await expect
      .poll(async () => (await read(id)).releases)
      .toMatchObject([{ amount: 15, status: 'COMPLETED', channel: 'RAIL' }])
    expect(timeOf((await read(id)).expires)).toBeLessThanOrEqual(Date.now())
    await expect.poll(() => toldOf(id)).toMatchObject([{ event: 'COMPLETED', amount: 15 }])
    for (const verb of ['capture', 'release'])
      expect(await ask(`/api/v2/authorizations/${id}/${verb}`, { amount: 1 })).toMatchObject(overNow)
    expect(await send(lastEvent('payment_intent.canceled'))).toBe(200)
    expect((await read(id)).releases).toHaveLength(1)
  })

  it.each(['capture', 'release'])(
    'that Stripe has ended without saying so is found by a %s',
    async (verb) => {
      const { id } = await hold()
      fake.endHold(id)
      const request_id = randomUUID()
      const refused = await ask(`/api/v2/authorizations/${id}/${verb}`, { amount: 4, request_id })
      expect(refused).toMatchObject(overNow)
      expect(await ask(`/api/v2/authorizations/${id}/${verb}`, { amount: 4, request_id })).toEqual(refused)
      expect((await read(id)).releases).toMatchObject([{ amount: 20, channel: 'RAIL' }])
      expect(await ask(`/api/v2/authorizations/${id}/${verb}`, {})).toMatchObject(overNow)
    },
  )

  it('with one capture is released by it', async () => {
    fake.setSeveralCaptures(false)
    const { id } = await hold()
    fake.setSeveralCaptures(true)
    await call(`/api/v2/authorizations/${id}/capture`, { amount: 5 })
    expect(await send(lastEvent('payment_intent.succeeded'))).toBe(200)
    await expect.poll(async () => (await read(id)).releases).toMatchObject([{ amount: 15, channel: 'RAIL' }])
    await expect.poll(() => toldOf(id)).toMatchObject([{ event: 'COMPLETED', amount: 15 }])
  })
})

/** Sends the event, and waits until the gateway has handled it. The gateway must not ask Stripe before. */
async function report(type: string): Promise<void> {
  const handled = async () => {
    const metrics = await (await fetch(`${world.local}/metrics`)).text()
    return Number(/rail_webhooks_total\{driver="stripe",outcome="handled"\} (\d+)/.exec(metrics)?.[1] ?? 0)
  }
  const before = await handled()
  expect(await send(lastEvent(type))).toBe(200)
  await expect.poll(handled).toBe(before + 1)
}

async function refundedLater(id: string, amount: number): Promise<void> {
  fake.setLaterRefunds(true)
  const refund = await call(`/api/v2/operations/${id}/refund`, { amount })
  fake.setLaterRefunds(false)
  expect(refund).toMatchObject({ status: 'PENDING', type: 'REFUND' })
  fake.endRefund(refund.id, 'succeeded')
  await report('refund.updated')
  expect(await statusOf(refund.id)).toBe('COMPLETED')
}

describe('a request with a lost answer', () => {
  it.each([
    ['payment', 'payment_intent.succeeded'],
    ['authorization', 'payment_intent.amount_capturable_updated'],
  ])('is a %s by token that Stripe’s event decides', async (kind, event) => {
    const asked = {
      amount: 7,
      currency: 'EUR',
      method: 'CC',
      ...shopUrls,
      card: { token: await storeCard() },
    }
    fake.provider.interrupt(1, 'after', /\/confirm$/)
    const { id, status } = await call(`/prows/v2/${kind}`, asked)
    expect(status).toBe('PENDING')
    await report(event)
    expect(await statusOf(id)).toBe('COMPLETED')
  })

  it('is a capture that the event of its hold decides', async () => {
    const asked = {
      amount: 7,
      currency: 'EUR',
      method: 'CC',
      ...shopUrls,
      card: { token: await storeCard() },
    }
    const { id } = await call('/prows/v2/authorization', asked)
    fake.provider.interrupt(1, 'after', /\/capture$/)
    const capture = await call(`/api/v2/authorizations/${id}/capture`, {})
    expect(capture.status).toBe('PENDING')
    await report('payment_intent.succeeded')
    expect(await statusOf(capture.id)).toBe('COMPLETED')
  })

  it('is a refund that the event of its bank decides', async () => {
    const token = await storeCard(refundSucceedsLater)
    const asked = { amount: 7, currency: 'EUR', method: 'CC', ...shopUrls, card: { token } }
    const { id } = await call('/prows/v2/payment', asked)
    const refund = await call(`/api/v2/operations/${id}/refund`, { amount: 4 })
    expect(refund.status).toBe('PENDING')
    fake.endRefund(refund.id, 'succeeded')
    await report('refund.updated')
    expect(await statusOf(refund.id)).toBe('COMPLETED')
  })
})

describe('a subscription', () => {
  async function accept(number: string, answer?: 'confirm') {
    const today = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Lisbon' }).format(new Date())
    const client = { name: 'Ana Silva', email: 'ana@example.com' }
    const opened = await call('/api/v2/checkout', {
      subscription: { amount: 20, currency: 'EUR', frequency: 1, period: 'MONTH', start_date: today, client },
      payment: { amount: 3, currency: 'EUR' },
      ...{ url_confirm: 'https://shop.example/ok', url_cancel: 'https://shop.example/no' },
    })
    const page = await openPage(passedOn(opened.url_redirect))
    const asked = await submit(page, formTo(page, '/card'), { ...typed, number })
    if (answer !== undefined) {
      const back = await fake.answerPage(stripesPage(asked), answer)
      await openPage(passedOn(back), { cookies: asked.cookies, within: world.local })
    }
    const first = await paymentsAt(opened.payment.id)
    expect(first).toMatchObject({ setup_future_usage: 'off_session', amount_received: 300 })
    return opened as { payment: { id: string }; subscription: { id: string } }
  }

  async function paymentsAt(id: string) {
    await expect.poll(() => statusOf(id)).toBe('COMPLETED')
    const intent = lastCardIntent()
    const confirmed = fake.requests.findLast(
      ({ path }) => path === `/v1/payment_intents/${intent?.id}/confirm`,
    )
    return { ...intent, ...Object.fromEntries(new URLSearchParams(confirmed?.body)) }
  }

  function lastCardIntent() {
    const made = fake.requests.findLast(({ kind }) => kind === 'POST payment_intents')
    return fake.intentOf(new URLSearchParams(made?.body).get('metadata[comporta_key]') ?? '')
  }

  async function charged(subscription: { id: string }) {
    const path = `/api/v2/subscriptions/${subscription.id}/charge`
    const { id } = await call(path, { payment: { amount: 20, currency: 'EUR' } })
    const status = async () => (await call(`${path}/${id}`)).status
    await expect.poll(status).toMatch(/^(SUCCESS|FAIL)$/)
    return call(`${path}/${id}`)
  }

  it('is first paid by its customer, and charged later without them', async () => {
    const { subscription } = await accept('4242424242424242')
    const before = fake.requests.length
    expect(await charged(subscription)).toMatchObject({ status: 'SUCCESS' })
    const sent = fake.requests.slice(before)
    const confirmed = sent.find(({ kind }) => kind.endsWith('/confirm'))
    expect(new URLSearchParams(confirmed?.body).get('off_session')).toBe('true')
    expect(lastCardIntent()).toMatchObject({ amount: 2000, status: 'succeeded' })
    // A later charge has no security code.
    expect(sent.find(({ kind }) => kind === 'POST payment_methods')?.body).not.toContain('cvc')
  })

  it.each([
    ['has no money by then', '4000000000000341', undefined, 'insufficient_funds'],
    ['needs the holder’s authentication', seenCard, 'confirm', 'authentication_required'],
  ] as const)('is not paid by a card that %s', async (_, number, answer, decline) => {
    const { subscription } = await accept(number, answer)
    expect(await charged(subscription)).toMatchObject({ status: 'FAIL' })
    expect(lastCardIntent()).toMatchObject({
      ...{ status: 'requires_payment_method', amount_received: 0, problem: { decline_code: decline } },
    })
  })
})

it('asks a customer on the phone, and learns the approval by webhook', async () => {
  const asked = { method: 'MBWAY', type: 'PAYMENT', amount: 7.5, currency: 'EUR' }
  const { id, status } = await call('/api/v2/payment', { ...asked, mbway: { phone: '+351912345678' } })
  expect(status).toBe('PENDING')
  expect(fake.answerPhone(id, 'approve')).toBe(true)
  expect(await send(lastEvent('payment_intent.succeeded'))).toBe(200)
  await expect.poll(() => statusOf(id)).toBe('COMPLETED')
  expect(await call(`/api/v2/operations/${id}/refund`, { amount: 3.5 })).toMatchObject({
    status: 'COMPLETED',
  })
  await refundedLater(id, 4)
})

it('gets a reference from Stripe, and books its payment once', async () => {
  const asked = { amount: 12.5, currency: 'EUR', method: 'MB', type: 'PAYMENT', ext_invoiceid: 'S-5' }
  const { id, mb } = await call('/api/v2/mb/pay', asked)
  expect(mb).toMatchObject({ entity: '11249', ref: expect.stringMatching(/^\d{9}$/) })
  expect(fake.payReference(mb.ref)).toBe(true)
  const paid = lastEvent('payment_intent.succeeded')
  expect([await send(paid), await send(paid)]).toEqual([200, 200])
  await expect.poll(() => statusOf(id)).toBe('COMPLETED')
})

describe('a direct debit through Stripe', () => {
  const bank = {
    ...{ name: 'Comporta Lda', iban: 'NL41MOCK0000000001', bic: 'MOCKNL2A' },
    creditor_id: 'PT73ZZZ123456',
  }
  const debtor = { holder: 'Ana Sousa', iban: 'DE89370400440532013000', email: 'ana@example.com' }
  const keyOf = async (id: string) => {
    const asked = fake.requests.findLast(({ kind }) => kind === 'POST payment_intents')
    expect(await statusOf(id)).toBe('PENDING')
    return new URLSearchParams(asked?.body).get('metadata[comporta_key]') ?? ''
  }
  async function ordered(invoice: string) {
    const page = await openCheckout(invoice)
    const shown = await submit(page, formTo(page, '/sepa'), debtor)
    const [payment] = await paymentsOf(invoice)
    return { shown, id: String(payment.id), key: await keyOf(payment.id) }
  }

  it('names its creditor, although transfers arrive at our bank', async () => {
    const options = Object.entries(bank).flatMap(([name, value]) => ['--setting', `${name}=${value}`])
    expect((await world.command(['rails', 'set', 'bank-files', ...options])).err).toContain(
      'directDebit is served by connection',
    )
    await world.cli('rails', 'set', 'bank-files', ...options, '--rails', 'creditTransfer')
    const page = await openCheckout('S-6')
    expect(page.text).toContain(
      'you authorize Loja Exemplo (creditor identifier DE98ZZZ09999999999) and Stripe, its payment service provider,',
    )
    const { email: _, ...withoutEmail } = debtor
    const again = await submit(page, formTo(page, '/sepa'), withoutEmail)
    expect(again.text).toContain('Enter your e-mail address.')
    const form = formTo(again, '/sepa')
    const other = { ...form, fields: { ...form.fields, creditor: bank.creditor_id } }
    // The form comes from a page with another creditor, so the customer sees the new mandate.
    await submit(again, other, debtor)
    expect(await paymentsOf('S-6')).toMatchObject([{ status: 'NEW' }])
    expect(fake.requests.some(({ body }) => body.includes('sepa_debit'))).toBe(false)
  })

  it('is paid days later, once, and refunded over Stripe without a bank order', async () => {
    const { shown, id, key: debit } = await ordered('S-7')
    expect(shown.text).toContain('DE89 •••• 3000')
    const confirmed = fake.requests.findLast(({ kind }) => kind.endsWith('/confirm'))
    const sent = Object.fromEntries(new URLSearchParams(confirmed?.body))
    expect(sent).toMatchObject({
      'payment_method_data[billing_details][email]': debtor.email,
      'payment_method_data[sepa_debit][iban]': debtor.iban,
      'mandate_data[customer_acceptance][online][ip_address]': expect.stringMatching(/127\.0\.0\.1|::1/),
      'mandate_data[customer_acceptance][online][user_agent]': expect.stringMatching(/./),
    })
    expect(fake.answerDebit(debit)).toBe(true)
    const paid = lastEvent('payment_intent.succeeded')
    expect([await send(paid), await send(paid)]).toEqual([200, 200])
    await expect.poll(() => statusOf(id)).toBe('COMPLETED')
    expect(await call(`/api/v2/operations/${id}/refund`, { amount: 4 })).toMatchObject({
      ...{ status: 'COMPLETED', type: 'REFUND' },
    })
    expect(fake.movements(debit)).toEqual([1000n])
    expect(fake.intentOf(debit)?.charge?.amount_refunded).toBe(400)
    await refundedLater(id, 1)
    expect((await world.cli('bank', 'export')).files).toEqual([])
    // The debtor returns the rest, which Stripe reports as a dispute.
    fake.dispute(debit)
    expect(await send(lastEvent('charge.dispute.funds_withdrawn'))).toBe(200)
    await expect
      .poll(async () => (await call(`/api/v2/operations?type=REFUND&parent=${id}&limit=30`)).elements)
      .toMatchObject([{ amount: -5, channel: 'RAIL' }, { amount: -1 }, { amount: -4 }])
  })

  it('fails if the bank does not pay', async () => {
    const { id, key: debit } = await ordered('S-8')
    fake.answerDebit(debit, 'insufficient_funds')
    expect(await send(lastEvent('payment_intent.payment_failed'))).toBe(200)
    await expect.poll(() => statusOf(id)).toBe('FAIL')
    expect(fake.movements(debit)).toEqual([])
  })
})

it('books a late refund failure and a dispute once each', async () => {
  const token = await storeCard()
  const asked = { amount: 30, currency: 'EUR', method: 'CC', ...shopUrls, card: { token } }
  const [refunded, disputed] = [
    await call('/prows/v2/payment', asked),
    await call('/prows/v2/payment', asked),
  ]
  const refund = await call(`/api/v2/operations/${refunded.id}/refund`, { amount: 6 })
  const childrenOf = async (id: string) =>
    (await call(`/api/v2/operations?type=REFUND&parent=${id}&limit=30`)).elements
  fake.endRefund(refund.id, 'failed')
  const failed = lastEvent('refund.failed')
  expect([await send(failed), await send(failed)]).toEqual([200, 200])
  await expect
    .poll(() => childrenOf(refund.id))
    .toMatchObject([{ amount: 6, status: 'COMPLETED', channel: 'RAIL' }])

  const dispute = fake.dispute(disputed.id)
  const ofDispute = () => fake.events.filter(({ type }) => type.startsWith('charge.dispute.')).reverse()
  for (const event of ofDispute()) expect(await send(event)).toBe(200)
  await expect
    .poll(() => childrenOf(disputed.id))
    .toMatchObject([{ amount: -30, status: 'COMPLETED', channel: 'RAIL' }])
  const [taken] = await childrenOf(disputed.id)
  fake.winDispute(dispute)
  for (const event of ofDispute()) expect(await send(event)).toBe(200)
  await expect.poll(() => childrenOf(taken.id)).toMatchObject([{ amount: 30, status: 'COMPLETED' }])
  expect(await childrenOf(disputed.id)).toHaveLength(1)
})

it('leaves a payment with a lost answer PENDING, and completes it after a restart', async () => {
  const token = await storeCard()
  const asked = { amount: 7, currency: 'EUR', method: 'CC', ...shopUrls, card: { token } }
  fake.provider.interrupt(1, 'after', /\/confirm$/)
  const { id, status } = await call('/prows/v2/payment', asked)
  expect(status).toBe('PENDING')
  await gateway.kill()
  gateway = await world.start()
  await expect.poll(() => statusOf(id)).toBe('COMPLETED')
  expect(fake.movements(id)).toEqual([700n])
})

it('loses nothing while Stripe is down', async () => {
  const page = await openCheckout('S-4')
  const asked = await submit(page, formTo(page, '/card'), { ...typed, number: seenCard })
  const back = await fake.answerPage(stripesPage(asked), 'confirm')
  fake.provider.setDown(true)
  const returned = await openPage(passedOn(back), { cookies: asked.cookies, within: world.local })
  expect((await openPage(passedOn(returned.url), { cookies: asked.cookies })).text).not.toContain(
    'Payment made',
  )
  expect(await paymentsOf('S-4')).toMatchObject([{ status: 'PENDING' }])
  expect(await call(`/api/v2/operations/${paidId}/refund`, { amount: 1 })).toMatchObject({
    status: 'PENDING',
  })
  const checked = await world.command(['rails', 'check'])
  expect([checked.code, checked.err]).toEqual([1, expect.stringContaining('FAILED')])
  fake.provider.setDown(false)
  expect(await send(fake.events.at(-1) ?? { body: '' })).toBe(200)
  await expect.poll(() => paymentsOf('S-4')).toMatchObject([{ status: 'COMPLETED' }])
})

it('ignores hostile webhooks, signed or not', async () => {
  const sign = (body: string) => ({
    headers: { 'stripe-signature': signature(body, webhookSecret), 'content-type': 'application/json' },
    body,
  })
  await expectHeld(sign, ({ headers, body }) => fetch(webhookUrl, { method: 'POST', headers, body }))
})

it('stores signed events of other systems, and does not retry them', async () => {
  const keys = ['order 4711', '', '\0', 'n'.repeat(10_000), 4711, null, {}, randomUUID(), "'; drop table x"]
  const types = ['payment_intent.succeeded', 'refund.updated', 'charge.dispute.created']
  const events = types.flatMap((type) =>
    keys.map((comporta_key, n) => ({
      ...{ id: `evt_${type}_${n}`, object: 'event', type },
      data: { object: { id: n % 2 === 0 ? `x_${n}\0` : undefined, metadata: { comporta_key } } },
    })),
  )
  for (const event of events) expect(await send({ body: JSON.stringify(event) })).toBe(200)
  await expectHandled(world.local, 'stripe')
  expect(await world.cli('rails', 'webhooks')).toEqual({ webhooks: [] })
})

it('shows secrets and cards nowhere, and keeps its books right', async () => {
  const needles = [needle('secret key', secretKey), needle('webhook secret', webhookSecret)]
  const cards = [cardNeedle(seenCard), cardNeedle('4242424242424242'), cardNeedle('4000000000009995')]
  await world.cli('rails', 'list', '--all')
  expect(found([...needles, ...cards], 'the output', world.printed())).toEqual([])
  const database = openPostgres({ url: world.databaseUrl })
  try {
    for (const { table, text } of await rowsOf(database))
      expect(found([...needles, ...cards], table, text)).toEqual([])
  } finally {
    await database.close()
  }
  expect(await world.cli('audit')).toMatchObject({ ok: true, problems: [] })
})
