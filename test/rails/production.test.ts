// The gateway runs in production with small drivers, so its core does not need the sandbox.
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { audit } from '../../src/audits/index.ts'
import { runCommand } from '../../src/cli/commands/commands.ts'
import type { CommandContext } from '../../src/cli/context.ts'
import { composeGateway, type Gateway, type RailDrivers } from '../../src/compose.ts'
import { loadConfig } from '../../src/config.ts'
import { type App, drain } from '../../src/http/index.ts'
import { cents } from '../../src/kernel/money.ts'
import { unwrap } from '../../src/kernel/result.ts'
import { after, type Instant, minute, systemClock } from '../../src/kernel/time.ts'
import type {
  MobileWalletLack,
  ReferenceAnswer,
  ReferenceName,
  ReferencePayment,
} from '../../src/rails/index.ts'
import { openRuntime } from '../../src/runtime.ts'
import { type Database, statement } from '../../src/storage/index.ts'
import { suspenseChecks } from '../../src/suspense/audit.ts'
import { formTo, openPage, type Page, submit } from '../browserless.ts'
import { createEmptyPostgresDatabase } from '../database.ts'
import { freePort } from '../free-port.ts'
import { addressOf, authenticatingAcquirer, seenCards } from './memory/authenticating-acquirer.ts'
import { ibans, memoryBank } from './memory/bank.ts'
import { memoryMobileWallet } from './memory/mobile-wallet.ts'
import { memoryOnlineWallet } from './memory/online-wallet.ts'
import { memoryReferenceNetwork } from './memory/reference-network.ts'
import { memoryReferenceProvider } from './memory/reference-provider.ts'
import { issuerCards, memoryIssuer } from './memory/three-d-secure.ts'

const phone = '+351912345678'
/** Functions that the mobile wallet lacks at the moment. */
let lacking: readonly MobileWalletLack[] = []
const mobile = memoryMobileWallet(systemClock.now, new Set([phone]), (notice) =>
  gateway.notices.mobileWallet(notice),
)
const issuer = memoryIssuer((url) => passedOn(url))
/** While this is true, the 3-D Secure server does not answer. */
let isDirectoryDown = false
const threeDSecure: RailDrivers['threeDSecure'] = {
  ...issuer.threeDSecure,
  async versions(cardNumber) {
    if (isDirectoryDown) throw Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
    return issuer.threeDSecure.versions(cardNumber)
  },
}
/** Merchants whose acquirer authenticates customers. */
const leftToAcquirer = new Set<bigint>()
/** Merchants whose acquirer has a card form. */
const withCardForm = new Set<bigint>()
const cards = authenticatingAcquirer(
  (merchantId) => leftToAcquirer.has(merchantId),
  undefined,
  (merchantId) => withCardForm.has(merchantId),
)
const network = memoryReferenceNetwork(systemClock.now)
/** The provider of the merchants in {@link atProvider}. */
const provider = memoryReferenceProvider(
  now,
  { payableManyTimes: false, openAmount: false, startsLater: false, validityDaysMax: 7 },
  () => givesBack,
  {
    get repeatsLost() {
      return repeatsLost
    },
    get needsAccount() {
      return needsAccount
    },
  },
)
let givesBack = false
let repeatsLost = false
let needsAccount = false
const atProvider = new Set<bigint>()
const bank = memoryBank()
const { directDebit, creditTransfer } = bank
const every = new Set(['CC', 'MB', 'MBWAY', 'PAYPAL', 'WALLET', 'SEPA', 'BANK'] as const)
const capabilities = {
  ours: { methods: every, cardsAtAcquirer: false },
  theirs: { methods: every, cardsAtAcquirer: true },
  none: { methods: new Set<never>(), cardsAtAcquirer: false },
}
let isServed = true
const drivers: RailDrivers = {
  capabilitiesOf: (walletId) =>
    isServed ? capabilities[withCardForm.has(walletId) ? 'theirs' : 'ours'] : capabilities.none,
  acquirer: cards.acquirer,
  threeDSecure,
  mobileWallet: { ...mobile.wallet, lacks: () => lacking },
  onlineWallet: memoryOnlineWallet().wallet,
  ...{ directDebit, creditTransfer },
  referenceNetworks: {
    serving: (walletId) => (atProvider.has(walletId) ? provider.network : network.network),
    own: network.network,
    made: provider.network,
  },
  creditorAccount: {
    name: 'Pagamentos Exemplo',
    iban: 'PT50000201231234567890154',
    ...{ bic: 'EXMPPTPL', creditorId: 'PT31ZZZ654321' },
  },
}

const dataDir = mkdtempSync(join(tmpdir(), 'comporta-production-'))
let gateway: Gateway
let database: Database
let openAnother: () => Promise<Gateway>
let app: App
let local: string
let key: string
let otherKey: string
let formKey: string
let formEsbToken: string
let esbToken: string
let minutesPassed = 0
let beforeWork: number
let providerKey: string

function now(): Instant {
  return after(systemClock.now(), minutesPassed * minute)
}

async function pass(minutes: number): Promise<void> {
  minutesPassed += minutes
  await gateway.administration.runDue(now())
}

beforeAll(async () => {
  const keyFile = join(dataDir, 'master.key')
  writeFileSync(keyFile, `1 ${Buffer.alloc(32, 7).toString('base64')}\n`, { mode: 0o600 })
  const port = await freePort()
  local = `http://127.0.0.1:${port}`
  const config = loadConfig({
    MODE: 'production',
    DATABASE_URL: await createEmptyPostgresDatabase(),
    BASE_URL: 'https://pay.example.com',
    MASTER_KEY_FILE: keyFile,
    DATA_DIR: dataDir,
    PORT: String(port),
  })
  if (!config.ok) throw new Error(config.refusal.join('; '))
  const runtime = await openRuntime(config.value, pino({ level: 'silent' }))
  database = runtime.database
  const clock = { ...runtime.clock, now }
  gateway = composeGateway({ ...runtime, clock }, drivers)
  openAnother = async () => {
    const other = await openRuntime(config.value, pino({ level: 'silent' }))
    return composeGateway({ ...other, clock }, drivers)
  }
  app = gateway.createApp()
  await app.listen({ host: '127.0.0.1', port })
  beforeWork = (await fetch(`${local}/readyz`)).status
  await gateway.startWork()
  const { wallets } = gateway.commands
  const shop = {
    name: 'Loja',
    email: 'loja@example.com',
    rights: ['partner', 'pci_dss'],
    methods: ['CC', 'MB', 'MBWAY'],
  } as const
  const { wallet } = unwrap(await wallets.createMerchant(shop))
  key = unwrap(await wallets.createKey(wallet.id, ['mb_pay', 'checkout', 'operations', 'subscriptions'])).key
  const other = unwrap(
    await wallets.createMerchant({ ...shop, name: 'Outra Loja', email: 'outra@example.com' }),
  )
  leftToAcquirer.add(other.wallet.id)
  esbToken = other.esbToken ?? ''
  otherKey = unwrap(
    await wallets.createKey(other.wallet.id, ['checkout', 'operations', 'card', 'card_plain']),
  ).key
  const third = unwrap(
    await wallets.createMerchant({ ...shop, name: 'Terceira Loja', email: 'terceira@example.com' }),
  )
  leftToAcquirer.add(third.wallet.id)
  withCardForm.add(third.wallet.id)
  formEsbToken = third.esbToken ?? ''
  formKey = unwrap(
    await wallets.createKey(third.wallet.id, [
      'checkout',
      'operations',
      'authorizations',
      'subscriptions',
      'card',
      'card_plain',
    ]),
  ).key
  const fourth = unwrap(
    await wallets.createMerchant({ ...shop, name: 'Quarta Loja', email: 'quarta@example.com' }),
  )
  atProvider.add(fourth.wallet.id)
  providerKey = unwrap(
    await wallets.createKey(fourth.wallet.id, ['mb_pay', 'mb_reference', 'checkout', 'operations']),
  ).key
})
afterAll(async () => {
  await drain(app, { graceMs: 1000 })
  await gateway.close()
  rmSync(dataDir, { recursive: true, force: true })
})

async function send(path: string, init: RequestInit, as = key, more: Record<string, string> = {}) {
  const headers = { authorization: `Comporta ${as}`, 'content-type': 'application/json', ...more }
  const response = await fetch(local + path, { ...init, headers })
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Record<string, unknown> & { id: string },
  }
}

const post = (path: string, body: unknown, as?: string) =>
  send(path, { method: 'POST', body: JSON.stringify(body) }, as)

async function call(path: string, body?: unknown, as = key, more: Record<string, string> = {}) {
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
  const { status, body: answer } = await send(path, init, as, more)
  expect([status, answer]).toEqual([200, expect.anything()])
  return answer
}

const passedOn = (url: string) => local + new URL(url).pathname + new URL(url).search

it('is ready only after its workers have started', async () => {
  expect(beforeWork).toBe(503)
  expect((await fetch(`${local}/readyz`)).status).toBe(200)
})

it('takes a payment by card', async () => {
  const checkout = await call('/api/v2/checkout', {
    payment: { amount: 10, currency: 'EUR', ext_invoiceid: 'P-1' },
    url_confirm: 'https://shop.example/ok',
    url_cancel: 'https://shop.example/no',
  })
  const page = await openPage(passedOn(String(checkout.url_redirect)))
  expect(page.html).not.toMatch(/sandbox/i)
  const paid = await submit(page, formTo(page, '/card'), {
    ...{ number: '4111111111111111', name: 'Ana Silva', expiry: '12 / 35', vcode: '123' },
  })
  expect(paid.text).toContain('Payment made')
  const [operation] = (await call('/api/v2/operations')).elements as unknown[]
  expect(operation).toMatchObject({ status: 'COMPLETED', method: 'CC', amount: 10 })
})

it('asks for the card again while 3-D Secure is down', async () => {
  const checkout = await call('/api/v2/checkout', {
    payment: { amount: 11, currency: 'EUR', ext_invoiceid: 'P-4' },
    url_confirm: 'https://shop.example/ok',
    url_cancel: 'https://shop.example/no',
  })
  const page = await openPage(passedOn(String(checkout.url_redirect)))
  const card = { number: '4111111111111111', name: 'Ana Silva', expiry: '12 / 35', vcode: '123' }
  isDirectoryDown = true
  const refused = await submit(page, formTo(page, '/card'), card).finally(() => {
    isDirectoryDown = false
  })
  expect(refused.status).toBe(503)
  expect(await call('/api/v2/operations?ext_invoiceid=P-4')).toMatchObject({ elements: [{ status: 'NEW' }] })
  const paid = await submit(page, formTo(page, '/card'), card)
  expect(paid.text).toContain('Payment made')
})

it('takes a payment by a card with a challenge', async () => {
  const checkout = await call('/api/v2/checkout', {
    payment: { amount: 20, currency: 'EUR', ext_invoiceid: 'P-3' },
    url_confirm: 'https://shop.example/ok',
    url_cancel: 'https://shop.example/no',
  })
  const page = await openPage(passedOn(String(checkout.url_redirect)))
  const [number] = issuerCards.challenged
  const asked = await submit(page, formTo(page, '/card'), {
    ...{ number, name: 'Ana Silva', expiry: '12 / 35', vcode: '123' },
  })
  const { creq = '', threeDSSessionData = '' } = formTo(asked, 'acs.example').fields
  const { url, cres } = await issuer.answerChallenge(creq, 'right code')
  const back = { action: passedOn(url), method: 'post', fields: { cres, threeDSSessionData } }
  const { url: next, cookies } = await submit(asked, back, {}, { within: local })
  expect((await openPage(passedOn(next), { cookies })).text).toContain('Payment made')
  expect(await call('/api/v2/operations?ext_invoiceid=P-3')).toMatchObject({
    elements: [{ status: 'COMPLETED', method: 'CC', amount: 20 }],
  })
})

describe('a merchant whose acquirer authenticates customers', () => {
  const typed = { name: 'Ana Silva', expiry: '12 / 35', vcode: '123' }
  const [seenCard = ''] = seenCards

  async function openCheckout(extInvoiceId: string) {
    const checkout = await call(
      '/api/v2/checkout',
      {
        payment: { amount: 30, currency: 'EUR', ext_invoiceid: extInvoiceId },
        url_confirm: 'https://shop.example/ok',
        url_cancel: 'https://shop.example/no',
      },
      otherKey,
    )
    return openPage(passedOn(String(checkout.url_redirect)))
  }

  function acquirersPage(page: Page): string {
    const { action, method, fields } = formTo(page, 'acquirer.example')
    expect(method).toBe('get')
    return `${action}?${new URLSearchParams(fields)}`
  }

  async function comeBack(url: string, { cookies }: Page): Promise<Page> {
    const returned = await openPage(passedOn(url), { cookies, within: local })
    return openPage(passedOn(returned.url), { cookies, within: local })
  }

  async function payments(extInvoiceId: string) {
    const { elements } = await call(`/api/v2/operations?ext_invoiceid=${extInvoiceId}`, undefined, otherKey)
    return elements
  }

  it('is paid after a confirmation on the acquirer’s page', async () => {
    const checkout = await openCheckout('A-1')
    const asked = await submit(checkout, formTo(checkout, '/card'), { ...typed, number: seenCard })
    expect(asked.url).toContain('/bank')
    expect((await openPage(checkout.url, { cookies: asked.cookies })).url).toBe(asked.url)
    const back = await cards.answerPage(acquirersPage(asked), 'confirm')
    expect((await comeBack(back, asked)).text).toContain('Payment made')
    expect(await payments('A-1')).toMatchObject([{ status: 'COMPLETED', method: 'CC', amount: 30 }])
  })

  it('is paid at once without the page', async () => {
    const checkout = await openCheckout('A-2')
    const paid = await submit(checkout, formTo(checkout, '/card'), { ...typed, number: '4111111111111111' })
    expect(paid.text).toContain('Payment made')
  })

  it('lets a refused customer try another card', async () => {
    const checkout = await openCheckout('A-3')
    const asked = await submit(checkout, formTo(checkout, '/card'), { ...typed, number: seenCard })
    const back = await cards.answerPage(acquirersPage(asked), 'refuse')
    const again = await comeBack(back, asked)
    expect(again.text).not.toContain('Payment made')
    const other = { ...typed, number: '5555555555554444' }
    expect((await submit(again, formTo(again, '/card'), other)).text).toContain('Payment made')
  })

  it('is paid by a notice if the customer does not return', async () => {
    const checkout = await openCheckout('A-4')
    const asked = await submit(checkout, formTo(checkout, '/card'), { ...typed, number: seenCard })
    const page = acquirersPage(asked)
    await cards.answerPage(page, 'confirm')
    await gateway.notices.card(new URL(page).searchParams.get('request') ?? '')
    expect(await payments('A-4')).toMatchObject([{ status: 'COMPLETED' }])
    await gateway.notices.card(randomUUID())
  })

  it('waits, without the page again, for a customer who returned without an answer', async () => {
    const checkout = await openCheckout('A-5')
    const asked = await submit(checkout, formTo(checkout, '/card'), { ...typed, number: seenCard })
    const { returnUrl } = cards.pendingAt(acquirersPage(asked))
    const waiting = await comeBack(returnUrl, asked)
    expect(waiting.text).toContain('Confirming with your bank')
    await cards.answerPage(acquirersPage(asked), 'confirm')
    await pass(1)
    expect(await payments('A-5')).toMatchObject([{ status: 'COMPLETED' }])
  })

  it('closes the page after 15 minutes, and allows another attempt', async () => {
    const checkout = await openCheckout('A-6')
    const asked = await submit(checkout, formTo(checkout, '/card'), { ...typed, number: seenCard })
    await pass(16)
    await expect(cards.answerPage(acquirersPage(asked), 'confirm')).rejects.toThrow('closed')
    const again = await openPage(checkout.url, { cookies: asked.cookies })
    const other = { ...typed, number: '5555555555554444' }
    expect((await submit(again, formTo(again, '/card'), other)).text).toContain('Payment made')
  })

  it('stores a card after a confirmation on the acquirer’s page', async () => {
    const request_id = randomUUID()
    const esb = { 'proxy-authorization': `ESBToken=${esbToken}` }
    const body = {
      ...{ request_id, cardsecure_url_confirm: 'https://shop.example/ok' },
      cardsecure_url_cancel: 'https://shop.example/no',
      newCard: {
        number: seenCard,
        name: 'Ana Silva',
        vcode: '123',
        valdate: '12/2035',
        email: 'ana@example.com',
      },
    }
    const asked = await call('/prows/v2/creditcard', body, otherKey, esb)
    const page = await openPage(passedOn(String(asked.cardsecure_url_redirect)))
    const led = await submit(page, formTo(page, '/secure/'))
    const back = await cards.answerPage(acquirersPage(led), 'confirm')
    const returned = await openPage(passedOn(back), { cookies: led.cookies, within: local })
    expect(returned.url).toContain('shop.example/ok')
    const stored = await call(`/api/v2/requests/${request_id}`, undefined, otherKey)
    expect(stored.token).toMatch(/\S{16,}/)
  })
})

describe('a merchant whose acquirer has a card form', () => {
  const urls = { url_confirm: 'https://shop.example/ok', url_cancel: 'https://shop.example/no' }

  async function openCheckout(extInvoiceId: string, more: object = {}) {
    const payment = { amount: 40, currency: 'EUR', ext_invoiceid: extInvoiceId }
    const checkout = await call('/api/v2/checkout', { payment, ...urls, ...more }, formKey)
    return openPage(passedOn(String(checkout.url_redirect)))
  }

  const goToForm = (checkout: Page) => submit(checkout, formTo(checkout, '/card'))

  function formIn(page: Page): string {
    const [, request = ''] = /data-request="([^"]+)"/.exec(page.html) ?? []
    return addressOf({ cardForm: { script: '', attributes: { 'data-request': request } } })
  }

  async function payments(extInvoiceId: string) {
    const { elements } = await call(`/api/v2/operations?ext_invoiceid=${extInvoiceId}`, undefined, formKey)
    return elements
  }

  it('is paid on the form, and takes no card itself', async () => {
    const checkout = await openCheckout('F-1')
    expect(checkout.html).not.toContain('cc-number')
    const form = await goToForm(checkout)
    expect(form.html).toContain('<script src="https://acquirer.example/form.js" defer></script>')
    expect(form.html).toContain('class="acquirer-card"')
    expect(form.headers.get('content-security-policy')).toMatch(
      /script-src 'self' https:\/\/acquirer\.example;/,
    )
    expect(cards.pendingAt(formIn(form)).card).toBeUndefined()
    const back = await cards.answerPage(formIn(form), 'confirm')
    const returned = await openPage(passedOn(back), { cookies: form.cookies, within: local })
    const shown = await openPage(passedOn(returned.url), { cookies: form.cookies, within: local })
    expect(shown.text).toContain('Payment made')
    expect(await payments('F-1')).toMatchObject([{ status: 'COMPLETED', method: 'CC', amount: 40 }])
  })

  it('closes an abandoned form, and shows another one', async () => {
    const checkout = await openCheckout('F-2')
    const form = await goToForm(checkout)
    const address = formIn(form)
    const left = await submit(form, formTo(form, '/withdraw'))
    expect(left.text).toContain('You have not been charged')
    await expect(cards.answerPage(address, 'confirm')).rejects.toThrow('closed')
    const again = await goToForm(left)
    await cards.answerPage(formIn(again), 'confirm')
    await gateway.notices.card(cards.pendingAt(formIn(again)).key)
    expect(await payments('F-2')).toMatchObject([{ status: 'COMPLETED' }])
  })

  it('is paid once by a customer with two tabs', async () => {
    const one = await openCheckout('F-4')
    const second = await openPage(one.url)
    const form = await goToForm(one)
    const late = await goToForm(second)
    // Both tabs show the same form.
    const requests = new Set([form, late].map((page) => /data-request="([^"]+)"/.exec(page.html)?.[1]))
    requests.delete(undefined)
    expect(requests.size).toBe(1)
    const back = await cards.answerPage(formIn(form), 'confirm')
    const leaves = late.forms.find(({ action }) => action.includes('/withdraw'))
    const [returned, left] = await Promise.all([
      openPage(passedOn(back), { cookies: form.cookies, within: local }),
      leaves === undefined ? undefined : submit(late, leaves, {}, { within: local }),
    ])
    expect((await openPage(passedOn(returned.url), { cookies: form.cookies })).text).toContain('Payment made')
    expect(left?.text ?? '').not.toContain('You have not been charged')
    expect((await openPage(one.url)).text).toContain('Payment made')
    expect(await payments('F-4')).toMatchObject([{ status: 'COMPLETED', amount: 40 }])
  })

  it('holds money for captures on the form', async () => {
    const authorization = { amount: 50, currency: 'EUR', ext_invoiceid: 'F-3' }
    const { url_redirect } = await call('/api/v2/checkout', { authorization, ...urls }, formKey)
    const form = await goToForm(await openPage(passedOn(String(url_redirect))))
    const address = formIn(form)
    await cards.answerPage(address, 'confirm')
    await gateway.notices.card(cards.pendingAt(address).key)
    const [held] = (await payments('F-3')) as { id: string }[]
    expect(held).toMatchObject({ status: 'COMPLETED', type: 'AUTH', amount: 50 })
    const captured = await call(`/api/v2/authorizations/${held?.id}/capture`, { amount: 20 }, formKey)
    expect(captured).toMatchObject({ type: 'CAPTURE', status: 'COMPLETED', amount: 20 })
  })

  it('accepts no card by the card API, and no subscription by card', async () => {
    const refused = await fetch(`${local}/prows/v2/creditcard`, {
      method: 'POST',
      headers: {
        authorization: `Comporta ${formKey}`,
        'proxy-authorization': `ESBToken=${formEsbToken}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({
        request_id: randomUUID(),
        cardsecure_url_confirm: 'https://shop.example/ok',
        cardsecure_url_cancel: 'https://shop.example/no',
        newCard: {
          ...{ number: '4111111111111111', name: 'Ana Silva', vcode: '123', valdate: '12/2035' },
          email: 'ana@example.com',
        },
      }),
    })
    expect([refused.status, await refused.json()]).toMatchObject([403, { code: 20002 }])
    const subscription = {
      amount: 10,
      currency: 'EUR',
      frequency: 1,
      period: 'MONTH',
      description: 'Box',
      start_date: '2027-01-01',
    }
    const { url_redirect } = await call(
      '/api/v2/checkout',
      { subscription: { ...subscription, client: { phone } }, ...urls },
      formKey,
    )
    const page = await openPage(passedOn(String(url_redirect)))
    expect(page.forms.map(({ action }) => action).join()).toMatch(/mbway/)
    expect(page.forms.map(({ action }) => action).join()).not.toMatch(/\/card/)
  })
})

it('takes a payment that is approved on a phone', async () => {
  const asked = { method: 'MBWAY', type: 'PAYMENT', amount: 7.5, currency: 'EUR', mbway: { phone } }
  const { id, status } = await call('/api/v2/payment', asked)
  expect(status).toBe('PENDING')
  const [question = ''] = mobile.waiting()
  expect(await mobile.approve(question)).toBe(true)
  expect(await call(`/api/v2/operations/${id}`)).toMatchObject({ status: 'COMPLETED', method: 'MBWAY' })
})

it('refuses requests that the mobile wallet’s provider cannot serve, and names the reason', async () => {
  const { wallets } = gateway.commands
  const shop = {
    name: 'Quinta Loja',
    email: 'quinta@example.com',
    rights: ['partner'],
    methods: ['MBWAY'],
  } as const
  const { wallet } = unwrap(await wallets.createMerchant(shop))
  const permissions = ['checkout', 'mandates', 'authorizations', 'operations'] as const
  const { key: own } = unwrap(await wallets.createKey(wallet.id, permissions))
  const hold = { method: 'MBWAY', type: 'AUTH', amount: 20, currency: 'EUR', mbway: { phone } }
  const refused = (reason: string, status: number) => ({
    status,
    body: { reason: expect.stringContaining(reason) },
  })
  lacking = ['mandates', 'holds']
  expect(await post('/api/v2/payment', hold, own)).toMatchObject(refused('has no authorizations', 403))
  const mandate = { phone, type: 'ONECLICK' }
  expect(await post('/api/v2/mandate/mbway', mandate, own)).toMatchObject(refused('has no mandates', 403))
  lacking = []
  const { id } = await call('/api/v2/payment', hold, own)
  expect(await mobile.approve(mobile.waiting().at(-1) ?? '')).toBe(true)
  lacking = ['partial releases']
  const release = `/api/v2/authorizations/${id}/release`
  expect(await post(release, { amount: 5 }, own)).toMatchObject(refused('amount must be 20.00', 409))
  expect(await post(release, {}, own)).toMatchObject({ status: 200, body: { amount: 20 } })
  lacking = []
})

it('takes a payment that the reference network reports', async () => {
  const { id, mb } = await call('/api/v2/mb/pay', {
    ...{ amount: 12.5, currency: 'EUR', method: 'MB', type: 'PAYMENT', ext_invoiceid: 'P-2' },
  })
  const { entity, ref } = mb as { entity: string; ref: string }
  const payment = { id: randomUUID(), entity, ref, amount: cents(1250) }
  expect(await network.pay(gateway.notices.references, payment)).toMatchObject({ kind: 'accepted' })
  expect(await call(`/api/v2/operations/${id}`)).toMatchObject({ status: 'COMPLETED', amount: 12.5 })
})

describe('a merchant with references of a provider', () => {
  const asked = { amount: 12.5, currency: 'EUR', method: 'MB', type: 'PAYMENT' }
  const day = 24 * 60
  const inDays = (days: number) => new Date(now() + days * day * minute).toISOString()
  const notice = (payment: ReferencePayment | undefined) =>
    gateway.notices.references.receive(payment as ReferencePayment)
  const statusOf = async (id: string) =>
    (await call(`/api/v2/operations/${id}`, undefined, providerKey)).status

  const suspenseOf = (paymentId: string) =>
    database.run<{ wallet: string }>({
      text: `select wallet_id::text as wallet from suspense_entries where payment_id = '${paymentId}'`,
    })

  async function pay(body: object = {}) {
    const made = await call('/api/v2/mb/pay', { ...asked, ...body }, providerKey)
    return { id: made.id, name: made.mb as ReferenceName, expires: String(made.expires) }
  }

  it('is paid once under the provider’s number, despite two notices', async () => {
    const { id, name, expires } = await pay({ ext_invoiceid: 'T-1', expires: inDays(3) })
    expect(name.entity).toBe('10611')
    expect(provider.requests.at(-1)).toMatchObject({
      ...{ merchant: { name: 'Quarta Loja' }, amountMin: 1250n, amountMax: 1250n, payableOnce: true },
      ...{ description: 'T-1', expires: Date.parse(expires.replace('+0000', 'Z')) },
    })
    const paid = provider.pay(name, cents(1250))
    const answers = await Promise.all(Array.from({ length: 20 }, () => notice(paid)))
    expect(answers).toEqual(Array(20).fill({ kind: 'accepted', operationId: id }))
    expect(await statusOf(id)).toBe('COMPLETED')
    expect(await call('/api/v2/operations?ext_invoiceid=T-1', undefined, providerKey)).toMatchObject({
      total: 1,
    })
  })

  it('finds a payment with a lost notice within hours', async () => {
    const { id, name } = await pay({ expires: inDays(3) })
    provider.pay(name, cents(1250))
    await pass(5 * 60)
    expect(await statusOf(id)).toBe('PENDING')
    await pass(2 * 60)
    expect(await statusOf(id)).toBe('COMPLETED')
  })

  it('counts payments before the end, then ends the reference at the provider', async () => {
    const [paid, open] = [await pay({ expires: inDays(3) }), await pay({ expires: inDays(3) })]
    await pass(3 * day - 120)
    provider.pay(paid.name, cents(1250))
    await pass(day + 120)
    expect(await statusOf(paid.id)).toBe('COMPLETED')
    expect(await statusOf(open.id)).toBe('FAIL')
    expect(provider.isPayable(open.name)).toBe(false)
  })

  it('withdraws a deleted reference at the provider', async () => {
    const { id, name } = await pay()
    expect(provider.isPayable(name)).toBe(true)
    const { status } = await send(
      '/api/v2/mb/reference',
      { method: 'DELETE', body: JSON.stringify(name) },
      providerKey,
    )
    expect(status).toBe(200)
    await pass(0)
    expect(await statusOf(id)).toBe('VOIDED')
    expect(provider.isPayable(name)).toBe(false)
  })

  it('gets the same reference for the same request after a lost answer', async () => {
    const body = { ...asked, request_id: randomUUID(), expires: inDays(4) }
    provider.loseNextAnswer()
    expect(await post('/api/v2/mb/pay', body, providerKey)).toMatchObject({
      status: 503,
      body: { code: 40021, reason: expect.stringContaining('send the same request again') },
    })
    const lost = provider.requests.at(-1)
    const made = await call('/api/v2/mb/pay', body, providerKey)
    expect(provider.requests.at(-1)).toEqual(lost)
    const again = await post('/api/v2/mb/pay', body, providerKey)
    expect([again.body, again.headers.get('idempotent-replayed')]).toEqual([made, 'true'])
    // The answer is stored, so the gateway does not call the provider.
    expect(provider.requests.filter(({ key }) => key === lost?.key)).toHaveLength(2)
    const other = await post('/api/v2/mb/pay', { ...body, amount: 13 }, providerKey)
    expect(other).toMatchObject({ status: 422, body: { code: 10015 } })
    expect(provider.requests.filter(({ amountMax }) => amountMax === 1300n)).toEqual([])
  })

  it('makes one reference for concurrent requests with one request id', async () => {
    const body = { ...asked, request_id: randomUUID(), expires: inDays(4) }
    const before = provider.requests.length
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => post('/api/v2/mb/pay', body, providerKey)),
    )
    const made = answers.filter(({ status }) => status === 200).map(({ body: { id } }) => id)
    expect(new Set(made).size).toBe(1)
    expect(answers.filter(({ status }) => status !== 200 && status !== 409)).toEqual([])
    await pass(3)
    const keys = new Set(provider.requests.slice(before).map(({ key }) => key))
    const names = [...keys].flatMap((asked) => provider.made(asked))
    expect(names.filter((name) => provider.isPayable(name))).toHaveLength(1)
  })

  it('withdraws a lost reference', async () => {
    provider.loseNextAnswer()
    expect(await post('/api/v2/mb/pay', { ...asked, amount: 66 }, providerKey)).toMatchObject({ status: 503 })
    const lost = provider.requests.at(-1)
    const [name] = provider.made(lost?.key ?? '')
    expect(provider.isPayable(name as ReferenceName)).toBe(true)
    await pass(3)
    expect(provider.isPayable(name as ReferenceName)).toBe(false)
    await pass(3)
    expect(provider.withdrawals.filter((key) => key === lost?.key)).toHaveLength(1)
    // A payment of it stays in suspense for this merchant.
    const paid = provider.payAnyway(name as ReferenceName, cents(6600))
    expect(await notice(paid)).toEqual({ kind: 'refused', reason: 'unknown_reference' })
    const [{ wallet = '0' } = {}] = await suspenseOf(paid.id)
    expect(atProvider).toContain(BigInt(wallet))
  })

  it('refuses an invalid name, and withdraws it', async () => {
    provider.answerNext(() => ({ kind: 'named', entity: '1061', ref: '12345678' }))
    expect(await post('/api/v2/mb/pay', asked, providerKey)).toMatchObject({
      status: 503,
      body: { code: 40021 },
    })
    const { key: asking = '' } = provider.requests.at(-1) ?? {}
    await pass(3)
    expect(provider.withdrawals).toContain(asking)
  })

  it('accepts a repeated name only if the earlier reference is over', async () => {
    const first = await pay({ expires: inDays(3) })
    const sameName = (named: ReferenceAnswer) =>
      named.kind === 'named' ? { ...named, ...first.name } : named
    provider.answerNext(sameName)
    expect(await post('/api/v2/mb/pay', asked, providerKey)).toMatchObject({
      ...{ status: 503, body: { code: 40021, reason: expect.stringContaining('made no reference') } },
    })
    const { key: asking = '' } = provider.requests.at(-1) ?? {}
    await pass(0)
    expect(provider.withdrawals).toContain(asking)
    expect(provider.isPayable(first.name)).toBe(true)
    await pass(4 * day + 120)
    expect(await statusOf(first.id)).toBe('FAIL')
    provider.answerNext(sameName)
    expect((await pay()).name).toEqual(first.name)
  })

  it('is requested again after the provider declined', async () => {
    const body = { ...asked, request_id: randomUUID() }
    provider.answerNext(() => ({ kind: 'declined', reason: 'amount_not_possible' }))
    expect(await post('/api/v2/mb/pay', body, providerKey)).toMatchObject({
      ...{
        status: 400,
        body: { code: 10002, reason: expect.stringContaining('does not accept this amount') },
      },
    })
    const declined = provider.requests.at(-1)?.key
    await call('/api/v2/mb/pay', body, providerKey)
    expect(provider.requests.at(-1)?.key).not.toBe(declined)
    await pass(3)
    expect(provider.withdrawals).not.toContain(declined)
  })

  it('ends at the provider’s time, if that is earlier', async () => {
    const ends = (named: ReferenceAnswer) =>
      named.kind === 'named' ? { ...named, expires: after(now(), 3 * day * minute) } : named
    const latest = Date.parse(inDays(3))
    provider.answerNext(ends)
    const early = await pay({ expires: inDays(5) })
    expect(Date.parse(early.expires.replace('+0000', 'Z'))).toBeGreaterThan(latest - 1000)
    expect(Date.parse(early.expires.replace('+0000', 'Z'))).toBeLessThanOrEqual(Date.parse(inDays(3)))
    provider.answerNext((named) => (named.kind === 'named' ? { ...named, expires: undefined } : named))
    expect(Date.parse((await pay({ expires: inDays(3) })).expires.replace('+0000', 'Z'))).toBeGreaterThan(
      latest,
    )
  })

  it('is refused if a slow provider’s reference was withdrawn meanwhile', async () => {
    const body = { ...asked, ext_invoiceid: 'T-slow' }
    provider.answerNext(async (named) => {
      await pass(3)
      return named
    })
    expect(await post('/api/v2/mb/pay', body, providerKey)).toMatchObject({
      ...{ status: 503, body: { code: 40021, reason: expect.stringContaining('took too long') } },
    })
    expect(provider.withdrawals).toContain(provider.requests.at(-1)?.key)
    const made = await call('/api/v2/operations?ext_invoiceid=T-slow', undefined, providerKey)
    expect(made).toMatchObject({ total: 0 })
  })

  it.each([
    ['/api/v2/mb/reference', { min_amount: 5, max_amount: 5 }, 403, 20002, 'for one payment only'],
    ['/api/v2/mb/reference', { min_amount: 5, max_amount: 9 }, 403, 20002, 'for one payment only'],
    [
      '/api/v2/mb/pay',
      { ...asked, expires: '2999-01-01' },
      400,
      10002,
      'expires must be at most 7 days ahead',
    ],
    [
      '/api/v2/mb/pay',
      { ...asked, instant: true, starts: 'in 1', expires: 'in 2' },
      ...([400, 10002, 'starts must be left out'] as const),
    ],
  ])('refuses an unsupported request: %s %o', async (path, wanted, status, code, reason) => {
    const body = Object.fromEntries(
      Object.entries(wanted).map(([name, value]) => [
        name,
        typeof value === 'string' && value.startsWith('in ') ? inDays(Number(value.slice(3))) : value,
      ]),
    )
    const before = provider.requests.length
    expect(await post(path, body, providerKey)).toMatchObject({
      status,
      body: { code, reason: expect.stringContaining(reason) },
    })
    expect(provider.requests).toHaveLength(before)
  })

  it('pays a checkout by reference, the same one after a lost answer', async () => {
    const checkout = await call(
      '/api/v2/checkout',
      {
        payment: { amount: 20, currency: 'EUR', ext_invoiceid: 'T-9' },
        url_confirm: 'https://shop.example/ok',
        url_cancel: 'https://shop.example/no',
      },
      providerKey,
    )
    const page = await openPage(passedOn(String(checkout.url_redirect)))
    provider.loseNextAnswer()
    const customer = { name: 'Ana Silva', email: 'ana@example.com', phone: '912345678' }
    const lost = await submit(page, formTo(page, '/mb?'), customer)
    expect(lost.text).toContain('The bank did not answer.')
    const shown = await submit(page, formTo(page, '/mb?'), customer)
    expect(shown.text).toContain('10611')
    const [first, second] = provider.requests.slice(-2)
    expect(second).toEqual(first)
    expect(second?.customer).toEqual({ email: 'ana@example.com', name: undefined })
    const [name] = provider.made(second?.key ?? '')
    expect(await notice(provider.pay(name as ReferenceName, cents(2000)))).toMatchObject({ kind: 'accepted' })
    expect(await call('/api/v2/operations?ext_invoiceid=T-9', undefined, providerKey)).toMatchObject({
      elements: [{ status: 'COMPLETED', method: 'MB', amount: 20, mb: name }],
    })
  })
})

describe('a wrong payment at a provider', () => {
  type Entry = Readonly<Record<string, unknown>> & { entry_id: string }
  const asked = { amount: 12.5, currency: 'EUR', method: 'MB', type: 'PAYMENT' }
  const commands = (...args: string[]) => runCommand(gateway.commands as CommandContext, args)
  const notice = (payment: ReferencePayment) => gateway.notices.references.receive(payment)

  async function entryOf(payment: ReferencePayment): Promise<Entry | undefined> {
    const { json } = await commands('suspense', 'list', '--all')
    return (json as { entries: Entry[] }).entries.find(({ payment_id }) => payment_id === payment.id)
  }

  async function paidTwice() {
    const made = await call('/api/v2/mb/pay', { ...asked, ext_invoiceid: 'S-1' }, providerKey)
    const name = made.mb as ReferenceName
    await notice(provider.payAnyway(name, cents(1250)))
    const second = provider.payAnyway(name, cents(1250))
    return { id: made.id, name, second }
  }

  async function metric(name: string): Promise<number> {
    const text = await (await fetch(`${local}/metrics`)).text()
    return Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1])
  }

  async function booksAreRight(): Promise<void> {
    const { ok, problems } = await gateway.commands.audit()
    expect({ ok, problems }).toEqual({ ok: true, problems: [] })
  }

  it('is kept once, and counted until the operator decides', async () => {
    const { second } = await paidTwice()
    const before = await metric('comporta_suspense_entries')
    const euros = await metric('comporta_suspense_euros')
    const answers = await Promise.all(Array.from({ length: 20 }, () => notice(second)))
    expect(answers).toEqual(Array(20).fill({ kind: 'refused', reason: 'duplicatepayment' }))
    await pass(1)
    expect(await entryOf(second)).toMatchObject({
      ...{ state: 'OPEN', amount: '12.50', reason: 'duplicatepayment', problem: 'not_possible' },
      wallet_id: expect.any(Number),
    })
    expect(await metric('comporta_suspense_entries')).toBe(before + 1)
    expect(await metric('comporta_suspense_euros')).toBe(euros + 12.5)
    expect(await metric('comporta_suspense_oldest_seconds')).toBeGreaterThan(0)
    await booksAreRight()
  })

  it.each([
    ['another amount', 'badamount'],
    ['after its end', 'expired'],
    ['a deleted one', 'deleted'],
    ['one that nobody knows', 'unknown_reference'],
  ])('%s is kept as %s', async (_, reason) => {
    const made = await call('/api/v2/mb/pay', asked, providerKey)
    const name = made.mb as ReferenceName
    if (reason === 'expired') await pass(3 * 24 * 60)
    if (reason === 'deleted')
      await send('/api/v2/mb/reference', { method: 'DELETE', body: JSON.stringify(name) }, providerKey)
    const paid = provider.payAnyway(name, cents(reason === 'badamount' ? 1249 : 1250))
    const payment = reason === 'unknown_reference' ? { ...paid, key: randomUUID() } : paid
    expect(await notice(payment)).toEqual({ kind: 'refused', reason })
    expect(await entryOf(payment)).toMatchObject({ reason, paid_at: expect.any(String) })
    await booksAreRight()
  })

  it('waits for its reference, and then pays it', async () => {
    const body = { ...asked, request_id: randomUUID() }
    provider.loseNextAnswer()
    expect(await post('/api/v2/mb/pay', body, providerKey)).toMatchObject({ status: 503 })
    const [name] = provider.made(provider.requests.at(-1)?.key ?? '')
    const payment = provider.payAnyway(name as ReferenceName, cents(1250))
    await expect(notice(payment)).rejects.toThrow('still being made')
    const { id } = await call('/api/v2/mb/pay', body, providerKey)
    expect(await notice(payment)).toEqual({ kind: 'accepted', operationId: id })
    expect(await entryOf(payment)).toBeUndefined()
    await booksAreRight()
  })

  it('of two references of a lost answer is settled once, and the other payment is kept', async () => {
    repeatsLost = true
    const body = { ...asked, request_id: randomUUID() }
    provider.loseNextAnswer()
    expect(await post('/api/v2/mb/pay', body, providerKey)).toMatchObject({ status: 503 })
    const { id, mb } = await call('/api/v2/mb/pay', body, providerKey)
    repeatsLost = false
    const names = provider.made(provider.requests.at(-1)?.key ?? '')
    expect(names).toHaveLength(2)
    const unseen = names.find(({ ref }) => ref !== (mb as ReferenceName).ref) as ReferenceName
    const [first, second] = [unseen, mb as ReferenceName].map((name) => provider.payAnyway(name, cents(1250)))
    expect(await notice(first as ReferencePayment)).toEqual({ kind: 'accepted', operationId: id })
    expect(await notice(second as ReferencePayment)).toEqual({ kind: 'refused', reason: 'duplicatepayment' })
    await pass(1)
    expect(await entryOf(first as ReferencePayment)).toBeUndefined()
    expect(await entryOf(second as ReferencePayment)).toMatchObject({ amount: '12.50' })
    await booksAreRight()
  })

  it('is refunded by the provider to the account that it asks for', async () => {
    needsAccount = true
    givesBack = true
    const { second } = await paidTwice()
    await notice(second)
    await pass(1)
    expect(await entryOf(second)).toMatchObject({ state: 'OPEN', problem: 'account_needed' })
    const { entry_id: id = '' } = (await entryOf(second)) ?? {}
    expect(await commands('suspense', 'refund', id)).toMatchObject({
      exitCode: 1,
      text: expect.stringContaining('name it with --iban and --name'),
    })
    const to = ['--iban', ibans.paid, '--name', 'Ana Silva', '--bic']
    expect(await commands('suspense', 'refund', id, ...to, 'no')).toMatchObject({ exitCode: 2 })
    expect(await commands('suspense', 'refund', id, ...to, 'bnpaptpl')).toMatchObject({
      json: { state: 'REFUNDED', refunded_by: 'rail' },
    })
    needsAccount = false
    givesBack = false
    expect(provider.refunded(second.id)).toBe(1250n)
    expect(provider.refundedTo(second.id)).toEqual([
      { iban: ibans.paid, holder: 'Ana Silva', bic: 'BNPAPTPL' },
    ])
    await booksAreRight()
  })

  it('is refunded by the provider, if possible', async () => {
    givesBack = true
    const { second } = await paidTwice()
    await notice(second)
    await pass(1)
    givesBack = false
    expect(await entryOf(second)).toMatchObject({ state: 'REFUNDED', refunded_by: 'rail' })
    expect(provider.refunded(second.id)).toBe(1250n)
    await pass(60)
    await notice(second)
    expect(provider.refunded(second.id)).toBe(1250n)
    await booksAreRight()
  })

  it('is returned by transfer, and reopened if the bank returns it', async () => {
    const { second } = await paidTwice()
    await notice(second)
    await pass(1)
    const { entry_id: id = '' } = (await entryOf(second)) ?? {}
    const toIban = (iban: string) => commands('suspense', 'refund', id, '--iban', iban, '--name', 'Ana Silva')
    expect(await toIban('PT5000020123123456789015')).toMatchObject({
      exitCode: 1,
      text: expect.stringContaining('iban must be a valid IBAN'),
    })
    expect(await commands('suspense', 'refund', id, '--iban', ibans.paid)).toMatchObject({ exitCode: 2 })
    isServed = false
    const withoutBank = await toIban(ibans.paid)
    isServed = true
    expect(withoutBank).toMatchObject({ exitCode: 1, text: expect.stringContaining('no bank for transfers') })
    const begun = await toIban(ibans.paid)
    expect(begun).toMatchObject({ exitCode: 0, json: { refunded_by: 'transfer' } })
    bank.passDay()
    await pass(24 * 60)
    expect(await entryOf(second)).toMatchObject({ state: 'REFUNDED', refunded_by: 'transfer' })
    expect(await toIban(ibans.paid)).toMatchObject({ exitCode: 1, text: expect.stringContaining('not open') })
    await booksAreRight()

    const other = await paidTwice()
    await notice(other.second)
    await pass(1)
    const { entry_id: another = '' } = (await entryOf(other.second)) ?? {}
    await commands('suspense', 'refund', another, '--iban', ibans.returned, '--name', 'Ana Silva')
    bank.passDay()
    await pass(24 * 60)
    expect(await entryOf(other.second)).toMatchObject({ state: 'OPEN', problem: expect.any(String) })
    await booksAreRight()
  })

  it('is paid once for a concurrent assignment and return', async () => {
    const { id: meant, second } = await paidTwice()
    await notice(second)
    await pass(1)
    const { entry_id: id = '' } = (await entryOf(second)) ?? {}
    const results = await Promise.all([
      ...Array.from({ length: 3 }, () => commands('suspense', 'assign', id, '--operation', meant)),
      commands('suspense', 'refund', id, '--iban', ibans.paid, '--name', 'Ana Silva'),
      commands('suspense', 'assign', id, '--operation', meant),
    ])
    expect(results.filter(({ exitCode }) => exitCode === 0)).toHaveLength(1)
    await booksAreRight()
  })

  it('is counted once for concurrent reports to two processes', async () => {
    const other = await openAnother()
    const gateways = [gateway, other]
    const everywhere = (payment: ReferencePayment) =>
      Promise.all(
        Array.from({ length: 30 }, (_, n) => gateways[n % 2]?.notices.references.receive(payment)),
      ) as Promise<{ kind: string }[]>
    try {
      for (let round = 0; round < 6; round++) {
        const made = await call('/api/v2/mb/pay', asked, providerKey)
        const name = made.mb as ReferenceName
        const [first, second] = [1, 2].map(() => provider.payAnyway(name, cents(1250)))
        const removed = { method: 'DELETE', body: JSON.stringify(name) }
        const [ofFirst, ofSecond] = await Promise.all([
          everywhere(first as ReferencePayment),
          everywhere(second as ReferencePayment),
          ...(round % 2 === 0 ? [] : [send('/api/v2/mb/reference', removed, providerKey)]),
        ])
        for (const answers of [ofFirst, ofSecond])
          expect(new Set(answers.map(({ kind }) => kind)).size).toBe(1)
        const { status } = await call(`/api/v2/operations/${made.id}`, undefined, providerKey)
        const accepted = [ofFirst, ofSecond].filter(([answer]) => answer?.kind === 'accepted')
        expect(accepted).toHaveLength(status === 'COMPLETED' ? 1 : 0)
        const entries = await Promise.all([
          entryOf(first as ReferencePayment),
          entryOf(second as ReferencePayment),
        ])
        expect(entries.filter((entry) => entry !== undefined)).toHaveLength(2 - accepted.length)
        await pass(1)
        const [kept] = entries.flatMap((entry) => entry?.entry_id ?? [])
        const on = (n: number, ...args: string[]) =>
          runCommand(gateways[n % 2]?.commands as CommandContext, ['suspense', ...args])
        const resolved = await Promise.all(
          Array.from({ length: 6 }, (_, n) =>
            n < 3
              ? on(n, 'assign', kept ?? '', '--operation', made.id)
              : on(n, 'refund', kept ?? '', '--iban', ibans.paid, '--name', 'Ana Silva'),
          ),
        )
        expect(resolved.filter(({ exitCode }) => exitCode === 0)).toHaveLength(1)
      }
    } finally {
      await other.close()
    }
    await booksAreRight()
  })

  it('is a payment with a callback after its assignment', async () => {
    const { id: meant, second } = await paidTwice()
    await notice(second)
    await pass(1)
    const { entry_id: id = '' } = (await entryOf(second)) ?? {}
    const assigned = await commands('suspense', 'assign', id, '--operation', meant)
    const { operation_id: paid } = assigned.json as { operation_id: string }
    expect(await call(`/api/v2/operations/${paid}`, undefined, providerKey)).toMatchObject({
      ...{ status: 'COMPLETED', method: 'MB', amount: 12.5, ext_invoiceid: 'S-1' },
    })
    await booksAreRight()
  })

  it.each([
    [
      'suspense_is_what_is_not_resolved',
      `update suspense_entries set amount = amount + 1 where state = 'OPEN'`,
    ],
    ['suspense_entries_are_booked', `update suspense_entries set amount = amount + 1`],
    [
      'suspense_was_assigned_once',
      `update suspense_entries set operation_id = gen_random_uuid() where state = 'ASSIGNED'`,
    ],
    [
      'suspense_by_transfer_has_its_order',
      `update bank_orders set amount = amount + 1 where wallet_id = 0 and kind = 'transfer'`,
    ],
  ])('the audit finds a breach of %s', async (check, sql) => {
    const broken = new Error('rolled back')
    const { problems } = await database
      .transaction(async (tx) => {
        await tx.run(statement(sql))
        const found = await audit(tx as never, suspenseChecks)
        throw Object.assign(broken, { found })
      })
      .catch((error) => (error === broken ? error.found : Promise.reject(error)))
    expect(problems.map((one: { check: string }) => one.check)).toContain(check)
    await booksAreRight()
  })
})

it('keeps charges waiting without a rail, and fails them after a day', async () => {
  const today = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Lisbon' }).format(now())
  const opened = await call('/api/v2/checkout', {
    subscription: {
      ...{ amount: 20, currency: 'EUR', frequency: 1, period: 'MONTH', start_date: today },
      client: { name: 'Ana Silva', email: 'ana@example.com' },
    },
    url_confirm: 'https://shop.example/ok',
    url_cancel: 'https://shop.example/no',
  })
  const page = await openPage(passedOn(String(opened.url_redirect)))
  const accepted = await submit(page, formTo(page, '/card'), {
    ...{ number: '4111111111111111', name: 'Ana Silva', expiry: '12 / 35', vcode: '123' },
  })
  expect(accepted.text).toContain('Subscription accepted')
  const path = `/api/v2/subscriptions/${(opened.subscription as { id: string }).id}/charge`
  const charge = async () => (await call(path, { payment: { amount: 5, currency: 'EUR' } })).id
  const statusOf = async (id: string) => (await call(`${path}/${id}`)).status

  isServed = false
  const [first, second] = [await charge(), await charge()]
  await pass(1)
  expect([await statusOf(first), await statusOf(second)]).toEqual(['PROCESSING', 'PROCESSING'])
  isServed = true
  await pass(1)
  await expect.poll(() => statusOf(first)).toBe('SUCCESS')
  await expect.poll(() => statusOf(second)).toBe('SUCCESS')

  isServed = false
  const third = await charge()
  await pass(23 * 60)
  expect(await statusOf(third)).toBe('PROCESSING')
  await pass(61)
  expect(await call(`${path}/${third}`)).toMatchObject({ status: 'FAIL' })
  isServed = true
})

it('has nothing of the sandbox, and its books are right', async () => {
  expect((await fetch(`${local}/sandbox`)).status).toBe(404)
  expect(gateway.commands).not.toHaveProperty('clock')
  const { ok, problems } = await gateway.commands.audit()
  expect({ ok, problems }).toEqual({ ok: true, problems: [] })
})
