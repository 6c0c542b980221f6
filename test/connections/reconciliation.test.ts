// Providers' statements against the ledger, day by day.
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCommand } from '../../src/cli/commands/commands.ts'
import { composeGateway, type Gateway } from '../../src/compose.ts'
import { loadConfig } from '../../src/config.ts'
import { type ConnectedRails, createConnectedRails, type StatementLine } from '../../src/connections/index.ts'
import { type App, drain } from '../../src/http/index.ts'
import { addDays, lisbonDayOf, startOfLisbonDay } from '../../src/kernel/lisbon.ts'
import { cents } from '../../src/kernel/money.ts'
import { unwrap } from '../../src/kernel/result.ts'
import { after, hour, type Instant, minute, second, systemClock } from '../../src/kernel/time.ts'
import { openRuntime } from '../../src/runtime.ts'
import { accountReport, endToEndId } from '../bank-statements.ts'
import { formTo, openPage, submit } from '../browserless.ts'
import { createEmptyPostgresDatabase } from '../database.ts'
import { freePort } from '../free-port.ts'
import { testDrivers } from './driver.ts'
import { type Provider, startProvider } from './provider.ts'

// biome-ignore lint/suspicious/noExplicitAny: what came over the wire is looked at field by field
type Answer = any

const phone = '+351912345678'
const dataDir = mkdtempSync(join(tmpdir(), 'comporta-reconciliation-'))
let movedMs = 0
const now = (): Instant => after(systemClock.now(), movedMs)
const today = () => lisbonDayOf(now())

let provider: Provider
let account: ReturnType<Provider['open']>
let own: ReturnType<Provider['open']>
let connected: ConnectedRails
let gateway: Gateway
let app: App
let local: string
let shop: { readonly id: bigint; readonly key: string }
let stall: typeof shop

beforeAll(async () => {
  moveTo('2026-12-20', 10 * hour)
  provider = await startProvider(new Set([phone]), now)
  account = provider.open('common', 'token')
  own = provider.open('own', 'own-token')
  const keyFile = join(dataDir, 'master.key')
  writeFileSync(keyFile, `1 ${Buffer.alloc(32, 7).toString('base64')}\n`, { mode: 0o600 })
  const port = await freePort()
  local = `http://127.0.0.1:${port}`
  const config = unwrapped(
    loadConfig({
      ...{ MODE: 'production', DATABASE_URL: await createEmptyPostgresDatabase(), PORT: String(port) },
      ...{ BASE_URL: 'https://pay.example.com', MASTER_KEY_FILE: keyFile, DATA_DIR: dataDir },
    }),
  )
  const opened = await openRuntime(config, pino({ level: 'silent' }))
  const runtime = { ...opened, clock: { ...opened.clock, now } }
  connected = createConnectedRails({ ...runtime, drivers: testDrivers, walletExists: async () => true })
  await connected.read()
  const { rails, capabilitiesOf, statements } = connected
  gateway = composeGateway(runtime, { ...rails, capabilitiesOf, statements })
  connected.mount(gateway)
  app = gateway.createApp()
  await app.listen({ host: '127.0.0.1', port })
  shop = await merchant('Loja')
  stall = await merchant('Banca')
  await connect('testpay', 'common', 'token')
  await connect('testwallet', 'own', 'own-token', stall.id)
})
afterAll(async () => {
  await drain(app, { graceMs: 1000 })
  await gateway.close()
  await provider.close()
  rmSync(dataDir, { recursive: true, force: true })
})

function unwrapped<Value>(read: { ok: true; value: Value } | { ok: false; refusal: unknown }): Value {
  if (read.ok) return read.value
  throw new Error(String(read.refusal))
}

/** The time `ms` after the start of the Lisbon day. */
function moveTo(day: string, ms: number): void {
  movedMs = after(startOfLisbonDay(day), ms) - systemClock.now()
}

async function merchant(name: string) {
  const { wallets } = gateway.commands
  const { wallet } = unwrap(
    await wallets.createMerchant({
      ...{ name, email: 'loja@example.com', rights: ['partner'], methods: ['MBWAY', 'BANK', 'SEPA'] },
    }),
  )
  const permissions = ['checkout', 'operations', 'refund'] as const
  return { id: wallet.id, key: unwrap(await wallets.createKey(wallet.id, permissions)).key }
}

async function connect(driver: string, name: string, token: string, walletId?: bigint): Promise<void> {
  unwrap(
    await connected.administration.set({
      ...{ driver, walletId, settings: { url: provider.url, account: name }, secrets: { token } },
      allowUnproven: false,
    }),
  )
}

async function call(path: string, body?: unknown, { key } = shop): Promise<Answer> {
  const response = await fetch(local + path, {
    headers: { authorization: `Comporta ${key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  })
  return response.json()
}

async function paid(amount: number, by = shop, at = account): Promise<string> {
  const asked = { method: 'MBWAY', type: 'PAYMENT', amount, currency: 'EUR', mbway: { phone } }
  const { id, reason } = await call('/api/v2/payment', asked, by)
  expect(reason).toBeUndefined()
  expect(await at.wallet.approve(id)).toBe(true)
  await gateway.notices.mobileWallet({ kind: 'payment', key: id })
  expect(await call(`/api/v2/operations/${id}`, undefined, by)).toMatchObject({ status: 'COMPLETED' })
  return id
}

async function refunded(payment: string, amount: number): Promise<string> {
  const { id, status } = await call(`/api/v2/operations/${payment}/refund`, { amount })
  expect(status).toBe('COMPLETED')
  return id
}

/** Books at the provider. Default time: now. */
function book(line: Partial<StatementLine> & { readonly amount: StatementLine['amount'] }, at = account) {
  const bookedAt = line.bookedAt ?? now()
  const made: StatementLine = { id: `txn-${randomUUID()}`, kind: 'payment', fee: cents(0), ...line, bookedAt }
  const day = lisbonDayOf(bookedAt)
  at.booked.set(day, [...(at.booked.get(day) ?? []), made])
  return made
}

/** Moves the clock day by day, until the gateway has read each statement. */
async function nextDay(days = 1): Promise<void> {
  for (let count = 0; count < days; count++) {
    moveTo(addDays(today(), 1), 3 * hour)
    await gateway.administration.runDue(now())
  }
}

async function command(...args: string[]) {
  const { json, exitCode, text } = await runCommand(gateway.commands, args)
  return { json: json as Answer, code: exitCode, text }
}
const open = async (): Promise<Answer[]> => (await command('reconcile')).json.differences
const audit = async (): Promise<Answer[]> => (await command('audit')).json.problems

it('agrees if both sides match, and shows sums, fees and payouts of a day', async () => {
  const day = today()
  const [first, second] = [await paid(10), await paid(20)]
  const refund = await refunded(second, 4)
  book({ key: first, amount: cents(1000), fee: cents(15) })
  const twice = book({ key: second, amount: cents(2000), fee: cents(30) })
  account.booked.get(day)?.push(twice)
  book({ kind: 'refund', key: refund, amount: cents(-400) })
  book({ kind: 'fee', amount: cents(-100) })
  book({ kind: 'payout', amount: cents(-2000) })
  await nextDay()
  const { json, text } = await command('reconcile', '--day', day)
  expect(json).toEqual({
    day,
    accounts: [
      {
        ...{ connection: 1, account: 'clearing:MBWAY', ledger: '26.00', statement: '26.00' },
        ...{ difference: '0.00', fees: '0.45', paid_out: '0.00' },
      },
      {
        ...{ connection: 1, account: null, ledger: '0.00', statement: '0.00' },
        ...{ difference: '0.00', fees: '1.00', paid_out: '20.00' },
      },
    ],
    differences: [],
  })
  expect(text).toContain('There are no differences.')
  expect((await command('reconcile')).json).toMatchObject({
    connections: [{ connection: 1, read_until: day, open: 0, failing_days: 0 }, { connection: 2 }],
    differences: [],
  })
})

it('lists a missing line until the provider books it', async () => {
  const day = today()
  const payment = await paid(7)
  await nextDay()
  expect(await open()).toMatchObject([
    {
      ...{ kind: 'missing', day, age_days: 1, operation_id: payment, wallet_id: Number(shop.id) },
      ...{ ledger: '7.00', statement: '0.00', difference_amount: '-7.00' },
    },
  ])
  book({ key: payment, amount: cents(700), bookedAt: after(startOfLisbonDay(day), 23 * hour) })
  await nextDay()
  expect(await open()).toEqual([])
})

it('lists a different amount, an extra line, and an unknown line', async () => {
  const [less, more] = [await paid(9), await paid(5)]
  book({ key: less, amount: cents(899) })
  const line = book({ key: more, amount: cents(500) })
  book({ ...line, id: `${line.id}-again` })
  const unknown = book({ amount: cents(123), kind: 'other' })
  await nextDay()
  expect(await open()).toMatchObject([
    { kind: 'amount', operation_id: less, ledger: '9.00', statement: '8.99' },
    { kind: 'amount', operation_id: more, ledger: '5.00', statement: '10.00' },
    { kind: 'unknown', operation_id: null, line: unknown.id, statement: '1.23' },
  ])

  const ids = (await open()).map(({ difference }) => String(difference))
  for (const id of ids)
    expect(await command('reconcile', 'explain', id, '--note', 'asked the provider')).toMatchObject({
      code: 0,
    })
  expect(await open()).toEqual([])
  const [explained] = (await command('reconcile', '--day', lisbonDayOf(line.bookedAt))).json.differences
  expect(explained).toMatchObject({ note: 'asked the provider' })
  // If the amount changes, the explanation no longer counts.
  const day = lisbonDayOf(line.bookedAt)
  const lines = account.booked.get(day) ?? []
  account.booked.set(
    day,
    lines.map((one) => (one.key === less ? { ...one, amount: cents(1) } : one)),
  )
  await nextDay()
  expect(await open()).toMatchObject([{ kind: 'amount', operation_id: less, statement: '0.01', note: null }])
  account.booked.set(
    day,
    lines.map((one) => (one.key === less ? { ...one, amount: cents(900) } : one)),
  )
  await nextDay()
  expect(await open()).toEqual([])
  expect((await command('reconcile', 'explain', ids[0] ?? '', '--note', 'x')).code).toBe(1)
  expect((await command('reconcile', 'explain', ids[0] ?? '')).code).toBe(2)
})

it.each(['2026-12-31', '2027-01-31', '2027-03-28'])(
  'finds both sides of a payment at midnight in Lisbon after %s',
  async (day) => {
    await nextDay(0)
    // The last Sunday of March has 23 hours.
    moveTo(day, 24 * hour - (day === '2027-03-28' ? hour : 0) - 2 * second)
    const payment = await paid(3)
    expect(today()).toBe(day)
    book({ key: payment, amount: cents(300), bookedAt: after(startOfLisbonDay(addDays(day, 1)), 5 * second) })
    await nextDay()
    expect(await open()).toMatchObject([{ kind: 'missing', day, operation_id: payment }])
    await nextDay()
    expect(await open()).toEqual([])
    const { accounts } = (await command('reconcile', '--day', day)).json
    expect(accounts).toMatchObject([{ ledger: '3.00', statement: '0.00', difference: '-3.00' }])
  },
)

describe('returned money', () => {
  it('agrees with the lines of disputes and failed refunds', async () => {
    const payment = await paid(30)
    const refund = await refunded(payment, 5)
    book({ key: payment, amount: cents(3000) })
    book({ kind: 'refund', key: refund, amount: cents(-500) })
    await nextDay()
    await gateway.notices.refundFailed({ key: refund, reason: 'closed_account' })
    book({ kind: 'refund', key: refund, amount: cents(500) })
    const dispute = {
      id: 'dp-1',
      key: payment,
      withdrawn: cents(1200),
      reinstated: cents(0),
      reason: 'fraud',
    }
    await gateway.notices.dispute(dispute)
    await nextDay()
    expect(await open()).toMatchObject([
      { kind: 'amount', operation_id: payment, difference_amount: '12.00' },
    ])
    book({
      kind: 'dispute',
      key: payment,
      amount: cents(-1200),
      fee: cents(1500),
      bookedAt: after(now(), -24 * hour),
    })
    await nextDay()
    expect(await open()).toEqual([])
  })
})

it('ignores a merchant’s own provider about requests of other connections', async () => {
  const payment = await paid(11)
  const theirs = await paid(2, stall, own)
  book({ key: payment, amount: cents(1100) })
  book({ key: payment, amount: cents(9900) }, own)
  book({ key: theirs, amount: cents(200) }, own)
  await nextDay()
  const differences = await open()
  expect(differences).toMatchObject([
    { connection: 2, kind: 'unknown', operation_id: null, statement: '99.00' },
  ])
  await command('reconcile', 'explain', String(differences[0].difference), '--note', 'an error of theirs')
})

it('reads missed days later; a lasting difference is an audit finding', async () => {
  expect(await audit()).toEqual([])
  const first = today()
  const payment = await paid(6)
  const lost = await paid(8)
  book({ key: payment, amount: cents(600) })
  provider.setDown(true)
  await nextDay(4)
  const [down] = (await command('reconcile')).json.connections
  expect(down).toMatchObject({ read_until: addDays(first, -1), last_error: expect.any(String) })
  expect(down.failing_days).toBeGreaterThanOrEqual(4)
  expect(await open()).toEqual([])
  provider.setDown(false)
  movedMs += 61 * minute
  await gateway.administration.runDue(now())
  expect(await open()).toMatchObject([{ kind: 'missing', day: first, operation_id: lost, age_days: 4 }])
  expect(await audit()).toEqual([])
  await nextDay(5)
  expect(await audit()).toMatchObject([
    { check: 'statements_agree_with_the_ledger', detail: expect.stringContaining(`operation ${lost}`) },
  ])
  const metrics = await gateway.metrics.metrics()
  expect(metrics).toContain('comporta_reconciliation_differences{connection="1"} 1')
  expect(metrics).toContain('comporta_reconciliation_difference_euros{connection="1"} 8')
  expect(metrics).toContain('comporta_reconciliation_oldest_days{connection="1"} 9')
  const readUntil = startOfLisbonDay(addDays(today(), -1)) / second
  expect(metrics).toContain(
    `comporta_reconciliation_read_until_timestamp_seconds{connection="1"} ${readUntil}`,
  )
  const [{ difference }] = await open()
  await command(
    'reconcile',
    'explain',
    String(difference),
    '--note',
    'the provider pays it with the next payout',
  )
  expect(await audit()).toEqual([])
})

it('reads a bank’s bookings from imported files', async () => {
  const bank = { iban: 'NL41MOCK0000000001', bic: 'MOCKNL2A' }
  unwrap(
    await connected.administration.set({
      ...{ driver: 'bank-files', secrets: {}, allowUnproven: false },
      settings: { name: 'Comporta Lda', creditor_id: 'DE98ZZZ09999999999', ...bank },
    }),
  )
  const day = today()
  const { bank_reference: text } = (await command('balance', String(shop.id))).json
  const lines = [
    { amount: '7.00', reference: 'B-1', details: [{ text }] },
    { amount: '-1.50', reference: 'B-2' },
  ]
  const path = join(dataDir, 'statement.xml')
  writeFileSync(path, accountReport('statement', lines, { account: bank }).replaceAll('2026-11-24', day))
  expect(await command('bank', 'import', path)).toMatchObject({ json: { transfers: 1, unmatched: 1 } })
  await nextDay()
  const connection = 3
  const isOfBank = (one: Answer) => one.connection === connection
  const [charges, ...others] = (await open()).filter(isOfBank)
  expect(others).toEqual([])
  expect(charges).toMatchObject({ kind: 'unknown', day, statement: '-1.50' })
  expect((await command('reconcile', '--day', day)).json.accounts.filter(isOfBank)).toMatchObject([
    { account: 'clearing:BANK', ledger: '7.00', statement: '7.00', difference: '0.00' },
    { account: null, statement: '-1.50' },
  ])
  // The operator's explanation at the bank counts here too.
  const [entry] = (await command('bank', 'unmatched')).json.entries
  const closed = await command('bank', 'resolve', entry.entry_id, '--note', 'charges of the bank')
  expect(closed.code).toBe(0)
  await nextDay()
  expect((await open()).filter(isOfBank)).toEqual([])
})

it('counts an unsent refund for a debit that was returned whole', async () => {
  const imported = async (id: string, amount: string, reason?: string) => {
    const path = join(dataDir, `${id}${amount}.xml`)
    const details = [{ endToEndId: endToEndId(id), ...(reason !== undefined && { reason }) }]
    const lines = [{ amount, reference: `B${id.slice(-8)}${amount}`, details }]
    const account = { iban: 'NL41MOCK0000000001', bic: 'MOCKNL2A' }
    writeFileSync(path, accountReport('statement', lines, { account }).replaceAll('2026-11-24', today()))
    return (await command('bank', 'import', path)).json
  }
  const checkout = await call('/api/v2/checkout', {
    payment: { amount: 10, currency: 'EUR' },
    ...{ url_confirm: 'https://shop.example/ok', url_cancel: 'https://shop.example/no' },
  })
  const page = await openPage(local + new URL(checkout.url_redirect).pathname)
  await submit(page, formTo(page, '/sepa'), { holder: 'Ana Sousa', iban: 'PT50000201231234567890154' })
  await command('bank', 'export')
  await nextDay()
  const { id } = checkout.payment
  expect(await imported(id, '10.00')).toMatchObject({ matched: 1 })
  const refund = await call(`/api/v2/operations/${id}/refund`, { amount: 4 })
  expect(await imported(id, '-10.00', 'MD06')).toMatchObject({ matched: 1 })
  movedMs += hour
  await gateway.administration.runDue(now())
  expect(await call(`/api/v2/operations/${refund.id}`)).toMatchObject({ status: 'COMPLETED' })
  await nextDay(2)
  expect((await open()).filter(({ operation_id }) => [id, refund.id].includes(operation_id))).toEqual([])
})

it('refuses a statement of another day, and reads the others', async () => {
  const day = today()
  account.booked.set(day, [
    {
      id: 'x',
      kind: 'other',
      amount: cents(1),
      fee: cents(0),
      bookedAt: after(startOfLisbonDay(day), -second),
    },
  ])
  await nextDay()
  expect((await command('reconcile')).json.connections[0]).toMatchObject({
    ...{ failing_days: 1, last_error: 'UNUSABLE_STATEMENT' },
  })
  account.booked.delete(day)
  movedMs += 61 * minute
  await gateway.administration.runDue(now())
  expect((await command('reconcile')).json.connections[0]).toMatchObject({ failing_days: 0, read_until: day })
})
