// Production with connections that an operator sets while it runs.
import { createHmac, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { providerReports } from '../../src/connections/index.ts'
import { after, systemClock } from '../../src/kernel/time.ts'
import { checkProduction } from '../../src/production.ts'
import { openPostgres } from '../../src/storage/index.ts'
import { formTo, openPage, submit } from '../browserless.ts'
import type { GatewayProcess } from '../gateway-process.ts'
import { found, needle, rowsOf } from '../needles.ts'
import { judgesTimes } from '../patience.ts'
import { startHttpProvider } from '../providers/http-provider.ts'
import { seenCards } from '../rails/memory/authenticating-acquirer.ts'
import { type Provider, startProvider } from './provider.ts'
import { encode } from './wire.ts'
import { createProductionWorld, type ProductionWorld, type TestMerchant } from './world.ts'

const phone = '+351912345678'
const secrets = {
  common: `common-token-${randomUUID()}`,
  own: `own-token-${randomUUID()}`,
  bank: `bank-token-${randomUUID()}`,
  signing: `signing-${randomUUID()}`,
}

let world: ProductionWorld
let provider: Provider
let common: ReturnType<Provider['open']>
let own: ReturnType<Provider['open']>
let gateway: GatewayProcess
let shop: TestMerchant
let stall: TestMerchant

beforeAll(async () => {
  provider = await startProvider(new Set([phone]))
  common = provider.open('common', secrets.common)
  own = provider.open('own', secrets.own)
  provider.open('bank', secrets.bank)
  world = await createProductionWorld()
  gateway = await world.start()
  shop = await world.merchant('Loja', 'CC,MB,MBWAY,SEPA,WALLET,BANK')
  stall = await world.merchant('Banca', 'MBWAY')
})
afterAll(async () => {
  await world?.stop()
  await provider?.close()
})

const byPhone = (amount: number) => ({
  ...{ method: 'MBWAY', type: 'PAYMENT', amount, currency: 'EUR', mbway: { phone } },
})
const methodsOf = async ({ call }: TestMerchant) => (await call('/api/v2/wallets/methods')).body.methods
const statusOf = async ({ call }: TestMerchant, id: string) =>
  (await call(`/api/v2/operations/${id}`)).body.status
const setting = (account: string) => ['--setting', `url=${provider.url}`, '--setting', `account=${account}`]

async function sendWebhook(connection: string, body: string, signedWith = secrets.signing) {
  const checked = await world.cli('rails', 'check', connection)
  const [{ webhook_url: url }] = checked.connections as [{ webhook_url: string }]
  expect(url).toMatch(/^https:\/\/pay\.example\.com\/rails\/test[a-z]+\/[0-9A-Za-z]{22}$/)
  const response = await fetch(world.local + new URL(url).pathname, {
    method: 'POST',
    headers: { 'x-signature': createHmac('sha256', signedWith).update(body).digest('hex') },
    body,
  })
  return { status: response.status, body: await response.text() }
}

async function reportsOf({ id }: TestMerchant, key: string) {
  const database = openPostgres({ url: world.databaseUrl })
  try {
    return await providerReports(database, BigInt(id), [key])
  } finally {
    await database.close()
  }
}

async function failedWebhooks(): Promise<unknown[]> {
  const { code, json } = await world.command(['rails', 'webhooks'])
  const webhooks = json.webhooks as unknown[]
  expect(code).toBe(webhooks.length === 0 ? 0 : 1)
  return webhooks
}

interface Contacted {
  readonly connection: number
  readonly last_answer: { readonly at: string; readonly said: string }
  readonly last_error: { readonly at: string; readonly said: string }
}

const about = (key: string) => JSON.stringify({ id: randomUUID(), about: `P-${key}` })

it('starts without a connection, lists its methods, and refuses every other', async () => {
  expect(gateway.output()).toContain('Methods available to every merchant: WALLET.')
  expect(gateway.output()).toContain('No provider is connected')
  expect(await methodsOf(shop)).toEqual(['WALLET'])
  expect(await shop.call('/api/v2/payment', byPhone(5))).toMatchObject({
    status: 403,
    body: {
      code: 20002,
      reason: 'the method MBWAY is not available: this gateway has no connection that serves it',
    },
  })
  const reference = { amount: 5, currency: 'EUR', method: 'MB', type: 'PAYMENT' }
  expect(await shop.call('/api/v2/mb/pay', reference)).toMatchObject({
    status: 403,
    body: { code: 20002, reason: expect.stringContaining('MB is not available') },
  })
  expect(await shop.call('/api/v2/mandate/mbway/create', { phone, type: 'ONECLICK' })).toMatchObject({
    status: expect.any(Number),
  })
  const payout = await world.command(['payout', '--wallet', String(shop.id), '--amount', '1.00'])
  expect([payout.code, payout.err]).toEqual([1, expect.stringMatching(/IBAN|bank/)])
  expect((await world.cli('rails', 'list')).connections).toEqual([])
})

it('refuses an incomplete connection, names the setting, and repeats no secret', async () => {
  const token = world.file(`${secrets.common}\n`)
  const refusals: [string[], RegExp][] = [
    [['nobody'], /no driver "nobody"; there are testpay, testpages, testrefs, testwallet, testbank/],
    [['testpay', '--secret', `token=@${token}`], /--setting url is required/],
    [['testpay', ...setting('common')], /--secret token is required/],
    [
      ['testpay', '--setting', 'url=nowhere', '--setting', 'account=a', '--secret', `token=@${token}`],
      /web address/,
    ],
    [['testpay', ...setting('common'), '--setting', `token=${secrets.common}`], /token is a secret/],
    [
      ['testpay', ...setting('common'), '--setting', 'colour=red'],
      /no setting "colour"; it has url, account, remark/,
    ],
    [
      ['testpay', ...setting('common'), '--secret', `token=${secrets.common}`],
      /others can see the command line/,
    ],
    [['testbank', ...setting('bank'), '--secret', `token=@${token}`], /--allow-unproven/],
    [
      ['testbank', '--merchant', String(shop.id), ...setting('bank'), '--secret', `token=@${token}`],
      /for the gateway only/,
    ],
    [
      ['testpay', '--rails', 'creditTransfer', ...setting('common'), '--secret', `token=@${token}`],
      /--rails takes/,
    ],
  ]
  for (const [args, reason] of refusals) {
    const { code, err } = await world.command(['rails', 'set', ...args])
    expect([args, code, err]).toEqual([args, expect.any(Number), expect.stringMatching(reason)])
    expect(code).not.toBe(0)
    expect(err).not.toContain(secrets.common)
  }
})

it('serves a method as soon as it is connected', async () => {
  const token = world.file(`${secrets.common}\n`)
  const made = await world.spawned(
    [
      'rails',
      'set',
      'testpay',
      ...setting('common'),
      '--secret',
      `token=@${token}`,
      '--secret',
      'signing=-',
      '--json',
    ],
    secrets.signing,
  )
  expect(made).toMatchObject({
    code: 0,
    json: { connection: 1, wallet_id: null, secrets: ['signing', 'token'] },
  })
  await expect.poll(() => methodsOf(shop)).toEqual(['CC', 'MBWAY', 'WALLET'])
  const { body: payment } = await shop.call('/api/v2/payment', byPhone(7.5))
  expect(payment).toMatchObject({ status: 'PENDING', method: 'MBWAY' })
  expect(await common.wallet.approve(payment.id)).toBe(true)
  expect(await sendWebhook('1', about(payment.id))).toEqual({
    status: 200,
    body: expect.stringContaining('taken'),
  })
  await expect.poll(() => statusOf(shop, payment.id)).toBe('COMPLETED')
})

it('accepts a webhook once, and only from the provider', async () => {
  const { body: payment } = await shop.call('/api/v2/payment', byPhone(8))
  const body = about(payment.id)
  expect((await sendWebhook('1', body, 'somebody else')).status).toBe(401)
  expect(await statusOf(shop, payment.id)).toBe('PENDING')
  await common.wallet.approve(payment.id)
  expect((await sendWebhook('1', body)).status).toBe(200)
  expect((await sendWebhook('1', body)).status).toBe(200)
  await expect.poll(() => statusOf(shop, payment.id)).toBe('COMPLETED')
  const nobody = await fetch(`${world.local}/rails/testpay/${'a'.repeat(22)}`, { method: 'POST', body })
  expect(nobody.status).toBe(404)
  const large = await sendWebhook('1', JSON.stringify({ about: 'x'.repeat(70_000) }))
  expect(large.status).toBe(413)
  const metrics = await (await fetch(`${world.local}/metrics`)).text()
  for (const [outcome, count] of [
    ['accepted', 2],
    ['repeated', 1],
    ['refused', 1],
    ['handled', 2],
  ] as const)
    expect(metrics).toContain(`comporta_rail_webhooks_total{driver="testpay",outcome="${outcome}"} ${count}`)
  expect(await reportsOf(shop, payment.id)).toEqual([
    expect.objectContaining({ key: payment.id, driver: 'testpay', handledAt: expect.anything(), tries: 1 }),
  ])
  expect(await reportsOf(stall, payment.id)).toEqual([])
})

it('stores a webhook that fails, lists it, and handles it later', async () => {
  const key = randomUUID()
  expect((await sendWebhook('1', about(key))).status).toBe(200)
  await expect.poll(failedWebhooks).toEqual([
    expect.objectContaining({
      connection: 1,
      error: 'the driver could not handle what the provider sent',
      tries: expect.any(Number),
    }),
  ])
  const database = openPostgres({ url: world.databaseUrl })
  await database.run({
    text: `insert into rail_requests (key, connection_id, rail, provider_id, created_at, changed_at)
      values ('${key}', 1, 'mobileWallet', 'P-${key}', now(), now())`,
  })
  await database.close()
  expect((await world.cli('rails', 'webhooks', '--retry')).retried).toBe(1)
  await expect.poll(async () => (await world.cli('rails', 'webhooks')).webhooks).toEqual([])
})

it('prefers the merchant’s connection, and refunds over the connection of the payment', async () => {
  const { body: before } = await stall.call('/api/v2/payment', byPhone(6))
  await common.wallet.approve(before.id)
  await sendWebhook('1', about(before.id))
  await expect.poll(() => statusOf(stall, before.id)).toBe('COMPLETED')

  const token = world.file(secrets.own)
  const args = ['rails', 'set', 'testwallet', '--merchant', String(stall.id), ...setting('own')]
  const made = await world.cli(...args, '--secret', `token=@${token}`)
  expect(made).toMatchObject({ wallet_id: stall.id, rails: ['mobileWallet'] })
  await expect
    .poll(async () => {
      const { body } = await stall.call('/api/v2/payment', byPhone(4))
      return own.wallet.waiting().includes(body.id)
    })
    .toBe(true)
  const { body: other } = await shop.call('/api/v2/payment', byPhone(3))
  expect(common.wallet.waiting()).toContain(other.id)
  expect(own.wallet.waiting()).not.toContain(other.id)

  const refunded = await stall.call(`/api/v2/operations/${before.id}/refund`, { amount: 6 })
  expect(refunded).toMatchObject({ status: 200 })
  expect(common.calls.filter((call) => call === 'mobileWallet.refund')).toHaveLength(1)
  expect(own.calls).not.toContain('mobileWallet.refund')
})

it('handles webhooks of one connection in bounded memory during a flood on another', async () => {
  const [flooded, theirs] = [byPhone(3), byPhone(3)]
  const [{ body: before }, { body: mine }] = [
    await shop.call('/api/v2/payment', flooded),
    await stall.call('/api/v2/payment', theirs),
  ]
  const residentMb = async () => {
    const metrics = await (await fetch(`${world.local}/metrics`)).text()
    return Number(/^process_resident_memory_bytes (\S+)$/m.exec(metrics)?.[1]) / 2 ** 20
  }
  const handled = async () => {
    const metrics = await (await fetch(`${world.local}/metrics`)).text()
    return Number(/rail_webhooks_total\{driver="testpay",outcome="handled"\} (\d+)/.exec(metrics)?.[1])
  }
  const [size, handledBefore] = [await residentMb(), await handled()]
  const checked = await world.cli('rails', 'check', '1')
  const [{ webhook_url: url }] = checked.connections as [{ webhook_url: string }]
  const send = async (signedWith: string, n: number) => {
    const body = JSON.stringify({ id: `flood ${n}`, about: `P-${before.id}`, more: 'x'.repeat(10_000) })
    const headers = { 'x-signature': createHmac('sha256', signedWith).update(body).digest('hex') }
    return (await fetch(world.local + new URL(url).pathname, { method: 'POST', headers, body })).status
  }
  provider.delay(400)
  const count = 400
  const statuses = new Map<number, number>()
  for (let n = 0; n < count; n += 50) {
    const sent = Array.from({ length: 50 }, (_, one) => [
      send(secrets.signing, n + one),
      send('somebody else', n + one),
    ])
    for (const status of await Promise.all(sent.flat())) statuses.set(status, (statuses.get(status) ?? 0) + 1)
  }
  expect([...statuses]).toEqual(
    expect.arrayContaining([
      [200, count],
      [401, count],
    ]),
  )
  await own.wallet.approve(mine.id)
  const waiting = await handled()
  const { connections } = (await world.cli('rails', 'list')) as {
    connections: { connection: number; driver: string }[]
  }
  const stalls = String(connections.find(({ driver }) => driver === 'testwallet')?.connection)
  expect((await sendWebhook(stalls, about(mine.id), '')).status).toBe(200)
  await expect.poll(() => statusOf(stall, mine.id)).toBe('COMPLETED')
  // The flood of requests is still running.
  const meanwhile = await handled()
  expect(meanwhile).toBeLessThan(handledBefore + count)
  if (judgesTimes) expect(meanwhile - waiting).toBeLessThan(count / 2)
  expect(await residentMb()).toBeLessThan(size + 150)
  provider.delay(0)
  await expect.poll(handled).toBeGreaterThan(handledBefore + count - 1)
  await common.wallet.refuse(before.id)
})

it('sends customers to the page of an acquirer that authenticates them', async () => {
  const token = world.file(secrets.own)
  const booth = await world.merchant('Feira', 'CC')
  await world.cli(
    'rails',
    'set',
    'testpages',
    '--merchant',
    String(booth.id),
    ...setting('own'),
    '--secret',
    `token=@${token}`,
  )
  const checkout = await booth.call('/api/v2/checkout', {
    payment: { amount: 12, currency: 'EUR' },
    url_confirm: 'https://shop.example/ok',
    url_cancel: 'https://shop.example/no',
  })
  const here = (url: string) => world.local + new URL(url).pathname + new URL(url).search
  const page = await openPage(here(checkout.body.url_redirect))
  const typed = { number: seenCards[0] ?? '', name: 'Ana Silva', expiry: '12 / 35', vcode: '123' }
  const asked = await submit(page, formTo(page, '/card'), typed)
  const { action, fields } = formTo(asked, 'acquirer.example')
  const back = await own.pages.answerPage(`${action}?${new URLSearchParams(fields)}`, 'confirm')
  const returned = await openPage(here(back), { cookies: asked.cookies, within: world.local })
  expect((await openPage(here(returned.url), { cookies: asked.cookies })).text).toContain('Payment made')
})

it('leaves a payment with a lost answer pending, sends it once, and completes it after a restart', async () => {
  const asked = () => common.calls.filter((call) => call === 'mobileWallet.requestPayment').length
  const before = asked()
  provider.loseAnswerOf('requestPayment')
  const { status, body: payment } = await shop.call('/api/v2/payment', byPhone(9))
  expect([status, payment.status]).toEqual([200, 'PENDING'])
  await gateway.kill()
  await common.wallet.approve(payment.id)
  gateway = await world.start()
  await expect.poll(() => statusOf(shop, payment.id)).toBe('COMPLETED')
  expect(asked()).toBe(before + 1)
})

it('answers 40021 while the provider is down, and loses nothing', async () => {
  const { body: payment } = await shop.call('/api/v2/payment', byPhone(2))
  provider.setDown(true)
  expect(await shop.call('/api/v2/payment', byPhone(5))).toMatchObject({ status: 503, body: { code: 40021 } })
  await common.wallet.approve(payment.id)
  await expect(sendWebhook('1', about(payment.id))).rejects.toThrow(/FAILED|"ok": false/)
  expect(await statusOf(shop, payment.id)).toBe('PENDING')
  provider.setDown(false)
  expect((await sendWebhook('1', about(payment.id))).status).toBe(200)
  await expect.poll(() => statusOf(shop, payment.id)).toBe('COMPLETED')
})

it('lists the last answer and the last error of a provider', async () => {
  const listed = async (): Promise<Contacted> => {
    const { connections } = (await world.cli('rails', 'list')) as { connections: Contacted[] }
    const found = connections.find(({ connection }) => connection === 1)
    if (found === undefined) throw new Error('connection 1 is not listed')
    return found
  }
  const check = () => world.command(['rails', 'check', '1'])
  await check()
  const { last_answer: answered } = await listed()
  expect(answered.said).toBe('HTTP 200')
  provider.setDown(true)
  await check()
  const down = await listed()
  expect(down.last_error.said).toBe('HTTP 503')
  expect(Date.parse(down.last_error.at)).toBeGreaterThanOrEqual(Date.parse(answered.at))
  expect(down.last_answer).toEqual(answered)
  provider.setDown(false)
  // The running gateway stores the answers of a connection within seconds.
  const { body: payment } = await shop.call('/api/v2/payment', byPhone(4))
  await expect
    .poll(async () => Date.parse((await listed()).last_answer.at))
    .toBeGreaterThan(Date.parse(down.last_error.at))
  await common.wallet.refuse(payment.id)
  expect((await sendWebhook('1', about(payment.id))).status).toBe(200)
  await expect.poll(() => statusOf(shop, payment.id)).toBe('FAIL')
})

it('follows no redirect of a provider to another host', async () => {
  const arrived: unknown[] = []
  const stranger = await startHttpProvider(async ({ headers, body }) => {
    arrived.push({ headers, body })
    return { status: 200, body: encode('hello') }
  })
  provider.redirectTo(`${stranger.url}/call`)
  try {
    expect(await world.command(['rails', 'check', '1'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('the check failed'),
    })
    const { status, body } = await shop.call('/api/v2/payment', byPhone(5))
    expect([status, body.code]).toEqual([503, 40021])
    expect(arrived).toEqual([])
  } finally {
    provider.redirectTo(undefined)
    await stranger.close()
  }
})

it('works and stops while a provider hangs', async () => {
  const { body: payment } = await shop.call('/api/v2/payment', byPhone(2))
  const bodies = Array.from({ length: 10 }, () =>
    JSON.stringify({ id: randomUUID(), about: 'dp', kind: 'dispute' }),
  )
  const checked = await world.cli('rails', 'check', '1')
  const [{ webhook_url: url }] = checked.connections as [{ webhook_url: string }]
  provider.delay(60_000)
  try {
    for (const body of bodies) {
      const headers = { 'x-signature': createHmac('sha256', secrets.signing).update(body).digest('hex') }
      const sent = await fetch(world.local + new URL(url).pathname, { method: 'POST', headers, body })
      expect(sent.status).toBe(200)
    }
    const asked = performance.now()
    expect(await statusOf(shop, payment.id)).toBe('PENDING')
    if (judgesTimes) expect(performance.now() - asked).toBeLessThan(3000)
    await expect.poll(failedWebhooks).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          ...{ connection: 1, error: expect.stringContaining('gave no answer within 8 seconds') },
        }),
      ]),
    )
    await gateway.stop()
  } finally {
    provider.delay(0)
  }
  gateway = await world.start()
  await common.wallet.approve(payment.id)
  expect((await sendWebhook('1', about(payment.id))).status).toBe(200)
  await expect.poll(() => statusOf(shop, payment.id)).toBe('COMPLETED')
})

it('keeps the account of a connection', async () => {
  const moved = await world.command(['rails', 'set', 'testpay', '--setting', 'account=own'])
  expect([moved.code, moved.err]).toEqual([
    1,
    expect.stringMatching(/--setting account is common and cannot change.*comporta rails remove/),
  ])
  const same = await world.cli('rails', 'set', 'testpay', '--setting', 'account=common')
  expect(same).toMatchObject({ connection: 1, settings: { account: 'common' } })
})

it('checks connections at their providers, and names a failing one', async () => {
  expect(await world.cli('rails', 'check')).toMatchObject({
    ok: true,
    connections: [{ ok: true }, { ok: true }, { ok: true }],
  })
  const wrong = world.file(`wrong-${secrets.bank}`)
  const args = ['rails', 'set', 'testbank', '--allow-unproven', ...setting('bank')]
  const set = await world.command([...args, '--secret', `token=@${wrong}`])
  expect([set.code, set.err]).toEqual([1, expect.stringContaining('refused the key (HTTP 401)')])
  const { connection: bank } = set.json
  const failed = await world.command(['rails', 'check', String(bank)])
  expect([failed.code, failed.err]).toEqual([
    1,
    expect.stringContaining('FAILED  provider: the check failed'),
  ])
  const right = world.file(secrets.bank)
  const changed = await world.cli('rails', 'set', 'testbank', '--secret', `token=@${right}`)
  expect(changed).toMatchObject({ connection: bank, driver_is: 'unproven', settings: { account: 'bank' } })
  expect(await world.cli('rails', 'check', String(bank))).toMatchObject({ ok: true })
  await expect.poll(() => methodsOf(shop)).toEqual(['CC', 'MBWAY', 'WALLET', 'SEPA', 'BANK'])
})

it('sends nothing new over a removed connection, and completes requests under way', async () => {
  const { body: payment } = await stall.call('/api/v2/payment', byPhone(5))
  expect(own.wallet.waiting()).toContain(payment.id)
  const { connections } = (await world.cli('rails', 'list')) as {
    connections: { connection: number; driver: string }[]
  }
  const mine = String(connections.find(({ driver }) => driver === 'testwallet')?.connection)
  const twice = await world.command([
    'rails',
    'set',
    'testwallet',
    ...setting('own'),
    '--secret',
    `token=@${world.file(secrets.own)}`,
  ])
  expect([twice.code, twice.err]).toEqual([
    1,
    expect.stringContaining('mobileWallet is served by connection 1 (testpay)'),
  ])
  expect(await world.cli('rails', 'remove', mine)).toMatchObject({ enabled: false })
  await expect
    .poll(async () => {
      const { body } = await stall.call('/api/v2/payment', byPhone(1))
      return common.wallet.waiting().includes(body.id)
    })
    .toBe(true)
  await own.wallet.approve(payment.id)
  await expect.poll(() => statusOf(stall, payment.id)).toBe('COMPLETED')
  const again = await world.command(['rails', 'remove', mine])
  expect([again.code, again.err]).toEqual([1, expect.stringContaining('removed before')])
})

it('sets connections, routes a method to another driver, and checks by driver', async () => {
  const url = `url=${provider.url}`
  const wallet = ['--wallet', String(stall.id)]
  const typed = await world.command([
    ...['rails', 'set', 'testwallet', url, 'account=own', `token=${secrets.own}`, ...wallet],
  ])
  expect([typed.code, typed.json]).toEqual([
    0,
    expect.objectContaining({ wallet_id: stall.id, settings: { url: provider.url, account: 'own' } }),
  ])
  expect(world.printed()).toMatch(/The command line contained a secret/)
  const refusals: [string[], RegExp][] = [
    [['set', 'testwallet', 'account=own', '--setting', 'account=own'], /account was given twice/],
    [['set', 'testwallet', 'token'], /write NAME=VALUE after the driver/],
    [['set', 'testwallet', 'colour=red'], /no setting "colour"/],
    [['set', 'testwallet', ...wallet, '--merchant', '1'], /--wallet and --merchant/],
    [['route', 'MBWAY', 'nobody'], /no driver "nobody"/],
    [['route', 'MB', 'testwallet', ...wallet], /does not serve MB here: it serves MBWAY/],
    [['route', 'SEPA', 'testbank', ...wallet], /it serves the gateway only/],
    [
      ['route', 'CC', 'testpay', ...wallet],
      /has no connection of testpay: create it with comporta rails set testpay/,
    ],
    [['check', 'nobody'], /no driver "nobody"/],
    [['check', 'testrefs'], /no connection of testrefs/],
  ]
  for (const [args, reason] of refusals)
    expect([args, (await world.command(['rails', ...args])).err]).toEqual([
      args,
      expect.stringMatching(reason),
    ])
  expect(await world.cli('rails', 'check', 'testwallet')).toMatchObject({
    ok: true,
    connections: [{ driver: 'testwallet' }],
  })
  const drivers = (await world.cli('rails', 'list')).drivers as { driver: string }[]
  expect(drivers.filter(({ driver }) => ['testwallet', 'testrefs'].includes(driver))).toEqual([
    {
      ...{ driver: 'testrefs', methods: ['MB'], configured: false, driver_is: 'proven' },
      ...{ last_answer: null, last_error: null },
    },
    {
      ...{ driver: 'testwallet', methods: ['MBWAY'], configured: true, driver_is: 'proven' },
      ...{ last_answer: { at: expect.any(String), said: 'HTTP 200' }, last_error: null },
    },
  ])

  await world.cli(
    ...['rails', 'set', 'testpay', url, 'account=common', `token=@${world.file(secrets.common)}`, ...wallet],
    ...['--rails', 'acquirer'],
  )
  const { body: begun } = await stall.call('/api/v2/payment', byPhone(2))
  expect(own.wallet.waiting()).toContain(begun.id)
  expect(await world.cli('rails', 'route', 'mbway', 'testpay', ...wallet)).toMatchObject({
    rails: ['acquirer', 'mobileWallet'],
    settings: { account: 'common' },
  })
  await own.wallet.approve(begun.id)
  await expect.poll(() => statusOf(stall, begun.id)).toBe('COMPLETED')
  const { body: next } = await stall.call('/api/v2/payment', byPhone(1))
  expect(common.wallet.waiting()).toContain(next.id)
  const { connections } = await world.cli('rails', 'list')
  expect(connections).not.toContainEqual(expect.objectContaining({ driver: 'testwallet' }))
})

it('accepts a webhook at the driver’s address by its signature', async () => {
  const { body: payment } = await shop.call('/api/v2/payment', byPhone(9))
  await common.wallet.approve(payment.id)
  const body = about(payment.id)
  const send = async (driver: string, secret: string) =>
    (
      await fetch(`${world.local}/webhooks/${driver}`, {
        method: 'POST',
        headers: { 'x-signature': createHmac('sha256', secret).update(body).digest('hex') },
        body,
      })
    ).status
  expect(await send('testpay', 'somebody else')).toBe(401)
  expect(await send('testrefs', secrets.signing)).toBe(404)
  expect(await send('testpay', secrets.signing)).toBe(200)
  await expect.poll(() => statusOf(shop, payment.id)).toBe('COMPLETED')
})

it('shows its secrets nowhere', async () => {
  const needles = Object.entries(secrets).map(([name, secret]) => needle(name, secret))
  await world.cli('rails', 'list', '--all')
  await world.cli('rails', 'drivers')
  expect(found(needles, 'the output', world.printed())).toEqual([])
  const database = openPostgres({ url: world.databaseUrl })
  try {
    for (const { table, text } of await rowsOf(database)) expect(found(needles, table, text)).toEqual([])
  } finally {
    await database.close()
  }
})

it('continues after its secrets are sealed under a newer master key', async () => {
  const secretsUnder = async () =>
    (
      (await world.cli('vault', 'status')).versions as { version: number; secrets: Record<string, number> }[]
    ).map(({ version, secrets: counts }) => [version, counts.rail_connection_secrets])
  expect(await secretsUnder()).toEqual([[1, 6]])
  world.addMasterKey()
  expect(await world.cli('vault', 'rotate')).toMatchObject({
    version: 2,
    resealed: { rail_connection_secrets: 6 },
    left: {},
  })
  expect(await secretsUnder()).toContainEqual([2, 6])
  // After this change the gateway reads the secrets that were encrypted again.
  await world.cli('rails', 'set', 'testpay', '--setting', 'remark=read again')
  await expect.poll(async () => (await shop.call('/api/v2/payment', byPhone(2))).body.status).toBe('PENDING')
  expect(await world.cli('rails', 'check', '1')).toMatchObject({ ok: true })
})

it('names the failure of a set or check, with an exit code', async () => {
  const merchant = await world.merchant('Oficina', 'MBWAY')
  const [right, wrong] = [world.file(secrets.own), world.file('some-other-token')]
  const set = (url: string, token = right) =>
    world.command([
      ...['rails', 'set', 'testwallet', '--merchant', String(merchant.id)],
      ...['--setting', `url=${url}`, '--setting', 'account=own', '--secret', `token=@${token}`],
    ])
  const nobody = await startHttpProvider(async () => 'broken')
  await nobody.close()
  const failures: [string, string, RegExp][] = [
    [provider.url, wrong, /refused the key \(HTTP 401\)/],
    [nobody.url, right, /127\.0\.0\.1:\d+ refuses connections/],
    [
      'https://provider.invalid',
      right,
      /provider\.invalid (could not be looked up )?\((ENOTFOUND|EAI_AGAIN)\)/,
    ],
  ]
  for (const [url, token, why] of failures) {
    const made = await set(url, token)
    expect([made.code, made.err]).toEqual([1, expect.stringMatching(why)])
    expect(made.err).toContain('The connection is set, but its check failed')
    const checked = await world.command(['rails', 'check', String(made.json.connection)])
    expect([checked.code, checked.err]).toEqual([1, expect.stringMatching(why)])
  }
  provider.setEndless(true)
  expect((await set(provider.url)).err).toMatch(/127\.0\.0\.1:\d+ answered more than 1 MiB/)
  provider.setEndless(false)
  provider.delay(20_000)
  expect((await set(provider.url)).err).toMatch(/gave no answer within 8 seconds/)
  provider.delay(0)
  expect(await set(provider.url)).toMatchObject({ code: 0, json: { ok: true } })
})

it('calls merchants back only at https addresses', async () => {
  const set = (url: string) => world.command(['merchant', 'set', String(shop.id), '--callback-url', url])
  const refused = await set('http://shop.example/callbacks')
  expect([refused.code, refused.err]).toEqual([
    1,
    expect.stringContaining('must be an absolute https address'),
  ])
  expect(await set('https://shop.example/callbacks')).toMatchObject({ code: 0 })
})

it('does not start if its clock and the database’s clock differ', async () => {
  const database = openPostgres({ url: world.databaseUrl })
  const checkWith = (ms: number) =>
    checkProduction({ database, clock: { now: () => after(systemClock.now(), ms) } })
  try {
    await checkWith(0)
    await expect(checkWith(3000)).rejects.toThrow(/3\.0 s ahead of the database's.*NTP/)
    await expect(checkWith(-90_000)).rejects.toThrow(/behind the database's/)
  } finally {
    await database.close()
  }
})

it('keeps its books right', async () => {
  expect(await world.cli('audit')).toMatchObject({ ok: true, problems: [] })
})
