// A gateway in production mode on drivers of a hundred lines each: nothing of the core needs the sandbox.
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { composeGateway, type Gateway, type RailDrivers } from '../../src/compose.ts'
import { loadConfig } from '../../src/config.ts'
import { type App, drain } from '../../src/http/index.ts'
import { cents } from '../../src/kernel/money.ts'
import { unwrap } from '../../src/kernel/result.ts'
import { after, minute, systemClock } from '../../src/kernel/time.ts'
import { openRuntime } from '../../src/runtime.ts'
import { formTo, openPage, type Page, submit } from '../browserless.ts'
import { createEmptyPostgresDatabase } from '../database.ts'
import { freePort } from '../free-port.ts'
import { addressOf, authenticatingAcquirer, seenCards } from './memory/authenticating-acquirer.ts'
import { memoryBank } from './memory/bank.ts'
import { memoryMobileWallet } from './memory/mobile-wallet.ts'
import { memoryOnlineWallet } from './memory/online-wallet.ts'
import { memoryReferenceNetwork } from './memory/reference-network.ts'
import { issuerCards, memoryIssuer } from './memory/three-d-secure.ts'

const phone = '+351912345678'
const mobile = memoryMobileWallet(systemClock.now, new Set([phone]), (notice) =>
  gateway.notices.mobileWallet(notice),
)
const issuer = memoryIssuer((url) => passedOn(url))
/** While it cannot be reached nobody says how a card's issuer is asked. */
let isDirectoryDown = false
const threeDSecure: RailDrivers['threeDSecure'] = {
  ...issuer.threeDSecure,
  async versions(cardNumber) {
    if (isDirectoryDown) throw Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
    return issuer.threeDSecure.versions(cardNumber)
  },
}
/** Whose acquirer has the issuer authenticate customers itself. */
const leftToAcquirer = new Set<bigint>()
/** Whose customers type their card into the acquirer's own form. */
const withCardForm = new Set<bigint>()
const cards = authenticatingAcquirer(
  (merchantId) => leftToAcquirer.has(merchantId),
  undefined,
  (merchantId) => withCardForm.has(merchantId),
)
const network = memoryReferenceNetwork(systemClock.now)
const { directDebit, creditTransfer } = memoryBank()
const every = new Set(['CC', 'MB', 'MBWAY', 'PAYPAL', 'WALLET', 'SEPA', 'BANK'] as const)
const capabilities = {
  ours: { methods: every, cardsAtAcquirer: false },
  theirs: { methods: every, cardsAtAcquirer: true },
}
const drivers: RailDrivers = {
  capabilitiesOf: (walletId) => capabilities[withCardForm.has(walletId) ? 'theirs' : 'ours'],
  acquirer: cards.acquirer,
  threeDSecure,
  mobileWallet: mobile.wallet,
  onlineWallet: memoryOnlineWallet().wallet,
  ...{ directDebit, creditTransfer, referenceNetwork: network.network },
  creditorAccount: {
    name: 'Pagamentos Exemplo',
    iban: 'PT50000201231234567890154',
    ...{ bic: 'EXMPPTPL', creditorId: 'PT31ZZZ654321' },
  },
}

const dataDir = mkdtempSync(join(tmpdir(), 'comporta-production-'))
let gateway: Gateway
let app: App
let local: string
let key: string
/** Of the merchant in {@link leftToAcquirer}. */
let otherKey: string
/** Of the merchant in {@link withCardForm}. */
let formKey: string
let formEsbToken: string
let esbToken: string
let minutesPassed = 0

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
  const clock = { ...runtime.clock, now: () => after(systemClock.now(), minutesPassed * minute) }
  gateway = composeGateway({ ...runtime, clock }, drivers)
  app = gateway.createApp()
  await app.listen({ host: '127.0.0.1', port })
  await gateway.startWork()
  const { wallets } = gateway.commands
  const shop = {
    name: 'Loja',
    email: 'loja@example.com',
    rights: ['partner', 'pci_dss'],
    methods: ['CC', 'MB', 'MBWAY'],
  } as const
  const { wallet } = unwrap(await wallets.createMerchant(shop))
  key = unwrap(await wallets.createKey(wallet.id, ['mb_pay', 'checkout', 'operations'])).key
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
})
afterAll(async () => {
  await drain(app, { graceMs: 1000 })
  await gateway.close()
  rmSync(dataDir, { recursive: true, force: true })
})

async function call(path: string, body?: unknown, as = key, more: Record<string, string> = {}) {
  const response = await fetch(local + path, {
    headers: { authorization: `Comporta ${as}`, 'content-type': 'application/json', ...more },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  })
  const answer = (await response.json()) as Record<string, unknown> & { id: string }
  expect([response.status, answer]).toEqual([200, expect.anything()])
  return answer
}

/** An address of the gateway as a proxy in front of it would pass it on. */
const passedOn = (url: string) => local + new URL(url).pathname + new URL(url).search

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

it('has a card sent again later while 3-D Secure cannot be reached', async () => {
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

it('takes a payment by a card whose issuer asks for a code', async () => {
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

describe('a merchant whose acquirer has the issuer authenticate customers', () => {
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

  /** The address of the acquirer's page, where the customer is led from `page`. */
  function acquirersPage(page: Page): string {
    const { action, method, fields } = formTo(page, 'acquirer.example')
    expect(method).toBe('get')
    return `${action}?${new URLSearchParams(fields)}`
  }

  /** The customer's browser comes back to `url`, and goes on to where that leads. */
  async function comeBack(url: string, { cookies }: Page): Promise<Page> {
    const returned = await openPage(passedOn(url), { cookies, within: local })
    return openPage(passedOn(returned.url), { cookies, within: local })
  }

  async function payments(extInvoiceId: string) {
    const { elements } = await call(`/api/v2/operations?ext_invoiceid=${extInvoiceId}`, undefined, otherKey)
    return elements
  }

  it('is paid by a customer who confirms on the page of the acquirer', async () => {
    const checkout = await openCheckout('A-1')
    const asked = await submit(checkout, formTo(checkout, '/card'), { ...typed, number: seenCard })
    expect(asked.url).toContain('/bank')
    expect((await openPage(checkout.url, { cookies: asked.cookies })).url).toBe(asked.url)
    const back = await cards.answerPage(acquirersPage(asked), 'confirm')
    expect((await comeBack(back, asked)).text).toContain('Payment made')
    expect(await payments('A-1')).toMatchObject([{ status: 'COMPLETED', method: 'CC', amount: 30 }])
  })

  it('is paid at once by a customer whom nobody wants to see', async () => {
    const checkout = await openCheckout('A-2')
    const paid = await submit(checkout, formTo(checkout, '/card'), { ...typed, number: '4111111111111111' })
    expect(paid.text).toContain('Payment made')
  })

  it('lets a customer who was refused try another card', async () => {
    const checkout = await openCheckout('A-3')
    const asked = await submit(checkout, formTo(checkout, '/card'), { ...typed, number: seenCard })
    const back = await cards.answerPage(acquirersPage(asked), 'refuse')
    const again = await comeBack(back, asked)
    expect(again.text).not.toContain('Payment made')
    const other = { ...typed, number: '5555555555554444' }
    expect((await submit(again, formTo(again, '/card'), other)).text).toContain('Payment made')
  })

  it('is paid by a customer who confirmed and did not come back, once the acquirer sends a notice', async () => {
    const checkout = await openCheckout('A-4')
    const asked = await submit(checkout, formTo(checkout, '/card'), { ...typed, number: seenCard })
    const page = acquirersPage(asked)
    await cards.answerPage(page, 'confirm')
    await gateway.notices.card(new URL(page).searchParams.get('request') ?? '')
    expect(await payments('A-4')).toMatchObject([{ status: 'COMPLETED' }])
    await gateway.notices.card(randomUUID())
  })

  it('does not show the page again to a customer who came back without an answer, and waits', async () => {
    const checkout = await openCheckout('A-5')
    const asked = await submit(checkout, formTo(checkout, '/card'), { ...typed, number: seenCard })
    const { returnUrl } = cards.pendingAt(acquirersPage(asked))
    const waiting = await comeBack(returnUrl, asked)
    expect(waiting.text).toContain('Confirming with your bank')
    await cards.answerPage(acquirersPage(asked), 'confirm')
    minutesPassed += 1
    await gateway.administration.runDue(after(systemClock.now(), minutesPassed * minute))
    expect(await payments('A-5')).toMatchObject([{ status: 'COMPLETED' }])
  })

  it('closes the page after 15 minutes, and lets the customer begin again', async () => {
    const checkout = await openCheckout('A-6')
    const asked = await submit(checkout, formTo(checkout, '/card'), { ...typed, number: seenCard })
    minutesPassed += 16
    await gateway.administration.runDue(after(systemClock.now(), minutesPassed * minute))
    await expect(cards.answerPage(acquirersPage(asked), 'confirm')).rejects.toThrow('closed')
    const again = await openPage(checkout.url, { cookies: asked.cookies })
    const other = { ...typed, number: '5555555555554444' }
    expect((await submit(again, formTo(again, '/card'), other)).text).toContain('Payment made')
  })

  it('stores a card whose holder confirmed on the page of the acquirer', async () => {
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

describe('a merchant whose acquirer has a card form of its own', () => {
  const urls = { url_confirm: 'https://shop.example/ok', url_cancel: 'https://shop.example/no' }

  async function openCheckout(extInvoiceId: string, more: object = {}) {
    const payment = { amount: 40, currency: 'EUR', ext_invoiceid: extInvoiceId }
    const checkout = await call('/api/v2/checkout', { payment, ...urls, ...more }, formKey)
    return openPage(passedOn(String(checkout.url_redirect)))
  }

  /** Chooses to pay by card, and comes to the page with the acquirer's form. */
  const goToForm = (checkout: Page) => submit(checkout, formTo(checkout, '/card'))

  /** Where the customer answers: the request that the page's form is for. */
  function formIn(page: Page): string {
    const [, request = ''] = /data-request="([^"]+)"/.exec(page.html) ?? []
    return addressOf({ cardForm: { script: '', attributes: { 'data-request': request } } })
  }

  async function payments(extInvoiceId: string) {
    const { elements } = await call(`/api/v2/operations?ext_invoiceid=${extInvoiceId}`, undefined, formKey)
    return elements
  }

  it('is paid on the form, which a page of ours shows, and takes no card itself', async () => {
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

  it('closes the form that a customer leaves, and shows another one', async () => {
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

  it('takes no card by the card API, and offers cards for no subscription', async () => {
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

it('takes a payment that the reference network reports', async () => {
  const { id, mb } = await call('/api/v2/mb/pay', {
    ...{ amount: 12.5, currency: 'EUR', method: 'MB', type: 'PAYMENT', ext_invoiceid: 'P-2' },
  })
  const { entity, ref } = mb as { entity: string; ref: string }
  const payment = { id: randomUUID(), entity, ref, amount: cents(1250) }
  expect(await network.pay(gateway.notices.references, payment)).toMatchObject({ kind: 'accepted' })
  expect(await call(`/api/v2/operations/${id}`)).toMatchObject({ status: 'COMPLETED', amount: 12.5 })
})

it('holds nothing of the sandbox, and its books are right', async () => {
  expect((await fetch(`${local}/sandbox`)).status).toBe(404)
  expect(gateway.commands).not.toHaveProperty('clock')
  const { ok, problems } = await gateway.commands.audit()
  expect({ ok, problems }).toEqual({ ok: true, problems: [] })
})
