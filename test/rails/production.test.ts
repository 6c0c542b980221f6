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
import type { MobileWallet, ThreeDSecure } from '../../src/rails/index.ts'
import { openRuntime } from '../../src/runtime.ts'
import { formTo, openPage, submit } from '../browserless.ts'
import { createEmptyPostgresDatabase } from '../database.ts'
import { freePort } from '../free-port.ts'
import { memoryAcquirer } from './memory/acquirer.ts'
import { memoryBank } from './memory/bank.ts'
import { memoryOnlineWallet } from './memory/online-wallet.ts'
import { memoryReferenceNetwork } from './memory/reference-network.ts'

/** An issuer that knows who is paying without asking. */
const threeDSecure: ThreeDSecure = {
  versions: async () => ({ version: '2.2.0' }),
  authenticate: async ({ messageVersion, threeDSServerTransID }) => ({
    messageType: 'ARes',
    ...{ messageVersion, threeDSServerTransID, dsTransID: randomUUID(), acsTransID: randomUUID() },
    ...{ transStatus: 'Y', eci: '05', authenticationValue: Buffer.alloc(20, 7).toString('base64') },
  }),
}

/** A network without customers: nobody is asked, and nothing was received. */
const mobileWallet = new Proxy({} as MobileWallet, {
  get: (_, verb) =>
    verb === 'then'
      ? undefined
      : async () => (verb === 'findCustomer' ? { kind: 'not_registered' } : { kind: 'not_found' }),
})

const network = memoryReferenceNetwork(systemClock.now)
const { directDebit, creditTransfer } = memoryBank()
const drivers: RailDrivers = {
  acquirer: memoryAcquirer(),
  threeDSecure,
  mobileWallet,
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
  const shop = { name: 'Loja', email: 'loja@example.com', rights: ['partner'] } as const
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

/** An address of the gateway as whoever stands in front of it would pass it on. */
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
