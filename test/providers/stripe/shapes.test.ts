// Requests of the driver have the shape of Stripe's specification, checked by stripe-mock.
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { cents } from '../../../src/kernel/money.ts'
import { after, minute, systemClock } from '../../../src/kernel/time.ts'
import type { CardAuthorization } from '../../../src/rails/index.ts'
import type { Database } from '../../../src/storage/index.ts'
import { openTestDatabase } from '../../database.ts'
import { freePort } from '../../free-port.ts'
import { goProgram } from '../../go.ts'
import { patienceSeconds } from '../../patience.ts'
import { connectStripe, creditor } from './connect.ts'
import { type FakeStripe, secretKey, servedRequests, startStripe, webhookSecret } from './index.ts'

const program = goProgram('github.com/stripe/stripe-mock@v0.203.0')

const payment = (change: Partial<CardAuthorization> = {}): CardAuthorization => ({
  ...{ key: randomUUID(), merchant: { id: 1001n, name: 'Loja' }, amount: cents(1000), currency: 'EUR' },
  card: { number: '4242424242424242', expiry: { month: 12, year: 2035 }, vcode: '123', name: 'Ana Sousa' },
  intent: 'sale',
  ...change,
})

async function askEverything(database: Database, fake: FakeStripe): Promise<void> {
  const settings = { reference_email: 'loja@example.com', ...creditor }
  const account = { secretKey, webhookSecret, url: fake.provider.url }
  const rails = await connectStripe(database, account, { settings })
  const { acquirer, mobileWallet } = rails
  const follow = ({ key: original, merchant, currency }: CardAuthorization) => ({
    ...{ key: randomUUID(), original, merchant, amount: cents(400), currency },
  })
  const [sale, hold, charge] = [
    payment({ credentialOnFile: 'initial' }),
    payment({ intent: 'hold' }),
    payment({ credentialOnFile: 'merchant_initiated' }),
  ]
  for (const one of [sale, hold, charge]) await acquirer.authorize(one)
  const authentication = {
    ...{ eci: '05', value: 'AAIBBYNoEwAAACcKhAJkdQAAAAA=', version: '2.2.0' },
    dsTransId: 'f25084f0-5b16-4c0a-ae5d-b24808a95e4b',
  }
  await acquirer.authorize(payment({ authentication }))
  await acquirer.capture(follow(hold))
  await acquirer.release({ ...follow(hold), amount: 'all' })
  const refund = follow(sale)
  await acquirer.refund(refund)
  await acquirer.inquire(refund.key)
  await acquirer.reverse({ key: randomUUID(), original: charge.key })
  const browser = { acceptHeader: '*/*', userAgent: 'Mozilla/5.0', javascript: true }
  for (const intent of ['sale', 'verify'] as const) {
    const { authentication: _, ...asked } = payment()
    const card = { ...asked.card, number: '4000000000003220' }
    const customer = { ...asked, card, browser, intent, returnUrl: 'https://pay.example.com/back' }
    await acquirer.customers?.authorize(customer)
    await acquirer.cancel?.(customer.key)
  }
  const asked = {
    key: randomUUID(),
    merchant: { id: 1001n, name: 'Loja' },
    amount: cents(700),
    currency: 'EUR',
  }
  const expires = after(systemClock.now(), 4 * minute)
  await mobileWallet.requestPayment({ ...asked, phone: '+351912345678', expires, intent: 'sale' })
  await mobileWallet.withdrawPayment(asked.key)
  const mandate = { id: 'CMP-1', creditorId: creditor.creditor_id, signedOn: '2026-11-20' }
  await rails.directDebit.collect({
    ...{ ...asked, key: randomUUID(), reference: randomUUID(), dueOn: '2026-11-25' },
    debtor: { name: 'Ana Sousa', iban: 'DE89370400440532013000', email: 'ana@example.com' },
    mandate: { ...mandate, signedFrom: '203.0.113.7', signedWith: 'Mozilla/5.0' },
  })
  const network = rails.referenceNetworks.serving(1001n)
  if (network?.numbering !== 'theirs') throw new Error('no provider makes references')
  const bounds = { amountMin: cents(500), amountMax: cents(500), payableOnce: true }
  await network.create({ ...asked, ...bounds, key: randomUUID() })
}

describe.skipIf(program === undefined)('stripe-mock', () => {
  let database: Database
  let fake: FakeStripe
  let mock: ChildProcess
  let url: string
  beforeAll(async () => {
    ;[database, fake] = await Promise.all([openTestDatabase('pglite'), startStripe()])
    const [port, other] = [await freePort(), await freePort()]
    const ports = ['-http-port', String(port), '-https-port', String(other)]
    mock = spawn(program ?? '', ports, { stdio: 'ignore' })
    url = `http://127.0.0.1:${port}`
    await vi.waitFor(() => fetch(url), patienceSeconds * 1000)
    await askEverything(database, fake)
  })
  afterAll(async () => {
    mock?.kill()
    await fake?.provider.close()
    await database?.close()
  })

  const replay = (asked: { method: string; path: string; body: string }) =>
    fetch(url + asked.path, {
      method: asked.method,
      headers: {
        authorization: `Bearer ${secretKey}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      ...(asked.method === 'POST' && { body: asked.body }),
    })

  it('sends only valid requests of every kind', async () => {
    const kinds = new Set(fake.requests.map(({ kind }) => kind))
    // Webhooks and statements send these.
    const others = ['GET disputes/:id', 'GET balance_transactions']
    expect([...kinds, ...others].sort()).toEqual([...servedRequests].sort())
    for (const asked of fake.requests) {
      const answer = await replay(asked)
      expect([asked.kind, answer.status, answer.ok || (await answer.text())]).toEqual([asked.kind, 200, true])
    }
    const booked = '/v1/balance_transactions?created[gte]=1&created[lt]=2&limit=100&expand[0]=data.source'
    for (const path of ['/v1/balance', '/v1/account', '/v1/disputes/du_1', booked])
      expect((await replay({ method: 'GET', path, body: '' })).status).toBe(200)
  })

  it('stripe-mock refuses an unknown parameter', async () => {
    const wrong = { method: 'POST', path: '/v1/refunds', body: 'payment_intent=pi_1&amount_in_cents=5' }
    expect((await replay(wrong)).status).toBe(400)
  })
})
