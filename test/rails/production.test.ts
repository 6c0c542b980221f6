// A gateway in production mode on drivers of a hundred lines each: nothing of the core needs the sandbox.
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { composeGateway, type Gateway, type RailDrivers } from '../../src/compose.ts'
import { loadConfig } from '../../src/config.ts'
import { type App, drain } from '../../src/http/index.ts'
import { cents } from '../../src/kernel/money.ts'
import { unwrap } from '../../src/kernel/result.ts'
import { systemClock } from '../../src/kernel/time.ts'
import { openRuntime } from '../../src/runtime.ts'
import { formTo, openPage, submit } from '../browserless.ts'
import { createEmptyPostgresDatabase } from '../database.ts'
import { freePort } from '../free-port.ts'
import { memoryAcquirer } from './memory/acquirer.ts'
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
const network = memoryReferenceNetwork(systemClock.now)
const { directDebit, creditTransfer } = memoryBank()
const drivers: RailDrivers = {
  acquirer: memoryAcquirer(),
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
  gateway = composeGateway(await openRuntime(config.value, pino({ level: 'silent' })), drivers)
  app = gateway.createApp()
  await app.listen({ host: '127.0.0.1', port })
  await gateway.startWork()
  const { wallets } = gateway.commands
  const shop = {
    name: 'Loja',
    email: 'loja@example.com',
    rights: ['partner'],
    methods: ['CC', 'MB', 'MBWAY'],
  } as const
  const { wallet } = unwrap(await wallets.createMerchant(shop))
  key = unwrap(await wallets.createKey(wallet.id, ['mb_pay', 'checkout', 'operations'])).key
})
afterAll(async () => {
  await drain(app, { graceMs: 1000 })
  await gateway.close()
  rmSync(dataDir, { recursive: true, force: true })
})

async function call(path: string, body?: unknown) {
  const response = await fetch(local + path, {
    headers: { authorization: `Comporta ${key}`, 'content-type': 'application/json' },
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
