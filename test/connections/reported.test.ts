// Late reports of providers: failed refunds and disputes.
import { createHmac, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { cents } from '../../src/kernel/money.ts'
import type { Dispute } from '../../src/rails/index.ts'
import type { GatewayProcess } from '../gateway-process.ts'
import { patienceSeconds } from '../patience.ts'
import { type Provider, startProvider } from './provider.ts'
import { createProductionWorld, type ProductionWorld, type TestMerchant } from './world.ts'

const phone = '+351912345678'
const token = `token-${randomUUID()}`
const signing = `signing-${randomUUID()}`

let world: ProductionWorld
let provider: Provider
let account: ReturnType<Provider['open']>
let gateway: GatewayProcess
let shop: TestMerchant
/** Two sellers get a half and a quarter; the shop keeps the rest. */
let sellers: { readonly id: number; readonly key: string; readonly publicId: string }[]
let webhookPath: string

beforeAll(async () => {
  provider = await startProvider(new Set([phone]))
  account = provider.open('common', token)
  world = await createProductionWorld()
  gateway = await world.start()
  shop = await merchant('Mercado', 'partner,pci_dss,marketplace')
  sellers = await Promise.all(
    ['Peixe', 'Fruta'].map(async (name) => {
      const { id, key } = await merchant(name, 'partner')
      const { merchants } = await world.cli('merchant', 'list')
      const { public_id } = (merchants as Answer[]).find(({ wallet_id }) => wallet_id === id)
      return { id, key, publicId: public_id }
    }),
  )
  await world.cli(
    ...['rails', 'set', 'testpay', '--setting', `url=${provider.url}`, '--setting', 'account=common'],
    ...['--secret', `token=@${world.file(token)}`, '--secret', `signing=@${world.file(signing)}`],
  )
  const checked = await world.cli('rails', 'check', '1')
  const [{ webhook_url: url }] = checked.connections as [{ webhook_url: string }]
  webhookPath = new URL(url).pathname
  await vi.waitFor(
    async () => expect((await shop.call('/api/v2/wallets/methods')).body.methods).toContain('MBWAY'),
    patienceSeconds * 1000,
  )
})
afterAll(async () => {
  expect(await world.cli('audit')).toMatchObject({ ok: true, problems: [] })
  await world.stop()
  await provider.close()
})

// biome-ignore lint/suspicious/noExplicitAny: what came over the wire is looked at field by field
type Answer = any

const merchant = (name: string, rights: string) =>
  world.merchant(name, 'MBWAY', { rights, permissions: 'split' })

async function send(body: object, secret = signing, path = webhookPath): Promise<number> {
  const text = JSON.stringify({ id: randomUUID(), ...body })
  const { status } = await fetch(world.local + path, {
    method: 'POST',
    headers: { 'x-signature': createHmac('sha256', secret).update(text).digest('hex') },
    body: text,
  })
  return status
}

async function handled(): Promise<number> {
  const metrics = await (await fetch(`${world.local}/metrics`)).text()
  return Number(/rail_webhooks_total\{driver="testpay",outcome="handled"\} (\d+)/.exec(metrics)?.[1] ?? 0)
}

async function report(...bodies: object[]): Promise<void> {
  const before = await handled()
  const answers = await Promise.all(bodies.map((body) => send(body)))
  expect(answers).toEqual(bodies.map(() => 200))
  await expect.poll(handled).toBe(before + bodies.length)
}

async function paid(amount: number, more: object = {}): Promise<string> {
  const { body } = await shop.call('/api/v2/payment', {
    ...{ method: 'MBWAY', type: 'PAYMENT', amount, currency: 'EUR', mbway: { phone }, ...more },
  })
  expect(await account.wallet.approve(body.id)).toBe(true)
  await report({ about: `P-${body.id}` })
  expect(await operation(body.id)).toMatchObject({ status: 'COMPLETED' })
  return body.id
}

const operation = async (id: string): Promise<Answer> => (await shop.call(`/api/v2/operations/${id}`)).body
async function refundsOf(parent: string): Promise<Answer[]> {
  return (await shop.call(`/api/v2/operations?type=REFUND&parent=${parent}&limit=30`)).body.elements
}
async function refund(id: string, amount: number): Promise<string> {
  const { body } = await shop.call(`/api/v2/operations/${id}/refund`, { amount })
  expect(body).toMatchObject({ status: 'COMPLETED', amount: -amount })
  return body.id
}
async function balanceOf(walletId: number): Promise<number> {
  const { balance } = await world.cli('balance', String(walletId))
  return Math.round(Number(balance) * 100)
}
const sum = (amounts: readonly number[]) => amounts.reduce((all, one) => all + one, 0)
const failed = (key: string) => account.failedRefunds.set(key, { key, reason: 'closed_account' })
function disputed(key: string, change: Partial<Dispute> = {}): string {
  const id = `dp-${randomUUID()}`
  const nothing = { withdrawn: cents(0), reinstated: cents(0) }
  account.disputes.set(id, { id, key, ...nothing, reason: 'fraudulent', ...change })
  return id
}
const change = (id: string, to: Partial<Dispute>) =>
  account.disputes.set(id, { ...(account.disputes.get(id) as Dispute), ...to })
const aboutDispute = (id: string) => ({ about: id, kind: 'dispute' })
const aboutRefund = (id: string) => ({ about: id, kind: 'refund' })

describe('a refund that fails after COMPLETED', () => {
  it('comes back as an operation, once, with the reason', async () => {
    const payment = await paid(20)
    const id = await refund(payment, 5)
    const before = await balanceOf(shop.id)
    await report(aboutRefund(id))
    expect(await refundsOf(id)).toEqual([])
    failed(id)
    await report(...Array.from({ length: 12 }, () => aboutRefund(id)))
    const [back, ...others] = await refundsOf(id)
    expect(others).toEqual([])
    expect(back).toMatchObject({ status: 'COMPLETED', amount: 5, method: 'MBWAY', channel: 'RAIL', fee: 0 })
    expect(await balanceOf(shop.id)).toBe(before + 500)
    expect(await operation(id)).toMatchObject({ status: 'COMPLETED', amount: -5 })
    // The rest of the payment can still be refunded.
    expect((await shop.call(`/api/v2/operations/${payment}/refund`, { amount: 15.01 })).body.code).toBe(40015)
    await refund(payment, 15)
  })

  it('returns the shares of a split payment', async () => {
    const [half, quarter] = sellers
    const split = [
      { merchant_wallet: half?.publicId, amount_fraction: '0.5' },
      { merchant_wallet: quarter?.publicId, amount_fraction: '0.25' },
    ]
    const payment = await paid(40, { split })
    const wallets = [shop.id, ...sellers.map(({ id }) => id)]
    const before = await Promise.all(wallets.map(balanceOf))
    const id = await refund(payment, 10)
    const between = await Promise.all(wallets.map(balanceOf))
    // A half and a quarter, after the fee of 0.60.
    expect(between.map((balance, index) => (before[index] ?? 0) - balance)).toEqual([261, 493, 246])
    failed(id)
    await report(aboutRefund(id))
    expect(await Promise.all(wallets.map(balanceOf))).toEqual(before)
  })
})

describe('a dispute', () => {
  it('takes nothing for an inquiry or a forged webhook', async () => {
    const payment = await paid(10)
    const id = disputed(payment)
    await report(aboutDispute(id))
    change(id, { withdrawn: cents(1000) })
    expect(await send(aboutDispute(id), 'somebody else')).toBe(401)
    await report({ ...aboutDispute(`dp-${randomUUID()}`), withdrawn: 1000 })
    expect(await refundsOf(payment)).toEqual([])
  })

  it('is a REFUND of the withdrawn amount; a reinstated amount comes back, in any order', async () => {
    const payment = await paid(30)
    const before = await balanceOf(shop.id)
    const id = disputed(payment, { withdrawn: cents(1200) })
    await report(...Array.from({ length: 12 }, () => aboutDispute(id)))
    const [withdrawal, ...others] = await refundsOf(payment)
    expect(others).toEqual([])
    expect(withdrawal).toMatchObject({ status: 'COMPLETED', amount: -12, channel: 'RAIL', method: 'MBWAY' })
    expect(await balanceOf(shop.id)).toBe(before - 1200)
    change(id, { reinstated: cents(1200) })
    await report(...Array.from({ length: 12 }, () => aboutDispute(id)))
    expect(await refundsOf(withdrawal.id)).toMatchObject([{ status: 'COMPLETED', amount: 12 }])
    expect(await balanceOf(shop.id)).toBe(before)

    // One report has both disputes, because the first notice was lost.
    const other = await paid(10)
    const late = disputed(other, { withdrawn: cents(1000), reinstated: cents(400) })
    await report(aboutDispute(late))
    const [taken] = await refundsOf(other)
    expect(taken).toMatchObject({ amount: -10 })
    expect(await refundsOf(taken.id)).toMatchObject([{ amount: 4 }])
  })

  it('is shared in proportion by the owners of the payment', async () => {
    const split = sellers.map(({ publicId }) => ({ merchant_wallet: publicId }))
    const payment = await paid(20, { split })
    const wallets = [shop.id, ...sellers.map(({ id }) => id)]
    const before = await Promise.all(wallets.map(balanceOf))
    const id = disputed(payment, { withdrawn: cents(1000) })
    await report(aboutDispute(id))
    const after = await Promise.all(wallets.map(balanceOf))
    const lost = after.map((balance, index) => (before[index] ?? 0) - balance)
    expect(lost.reduce((sum, one) => sum + one)).toBe(1000)
    for (const one of lost.slice(1)) expect(one).toBeGreaterThan(450)
    change(id, { reinstated: cents(1000) })
    await report(aboutDispute(id))
    expect(await Promise.all(wallets.map(balanceOf))).toEqual(before)
  })

  it('waits for its payment', async () => {
    const { body } = await shop.call('/api/v2/payment', {
      ...{ method: 'MBWAY', type: 'PAYMENT', amount: 9, currency: 'EUR', mbway: { phone } },
    })
    await send(aboutDispute(disputed(body.id, { withdrawn: cents(900) })))
    await expect
      .poll(async () => (await world.command(['rails', 'webhooks'])).json.webhooks)
      .toMatchObject([{ error: 'NOT_FINAL_YET' }])
    expect(await account.wallet.approve(body.id)).toBe(true)
    await report({ about: `P-${body.id}` })
    await world.cli('rails', 'webhooks', '--retry')
    await expect.poll(() => refundsOf(body.id)).toMatchObject([{ status: 'COMPLETED', amount: -9 }])
  })

  it('takes the rest after refunds, never more than the payment', async () => {
    for (let round = 0; round < 4; round++) {
      const payment = await paid(10)
      const ids = [1, 2].map(() => disputed(payment, { withdrawn: cents(600) }))
      const [answers] = await Promise.all([
        Promise.all(
          Array.from({ length: 8 }, () => shop.call(`/api/v2/operations/${payment}/refund`, { amount: 1.3 })),
        ),
        report(...ids.flatMap((id) => [aboutDispute(id), aboutDispute(id), aboutDispute(id)])),
      ])
      for (const { status, body } of answers) if (status !== 200) expect([40010, 40015]).toContain(body.code)
      const sum = (await refundsOf(payment)).reduce((all, { amount }) => all + Math.round(amount * 100), 0)
      expect(sum).toBe(-1000)
      expect(await operation(payment)).toMatchObject({ refundable: false })
    }
    expect(gateway.output()).toContain('cents more than is left of it')
  })
})

describe('a dispute with several withdrawals', () => {
  it('withdraws the increase, and returns each withdrawal once', async () => {
    const payment = await paid(30)
    const before = await balanceOf(shop.id)
    const id = disputed(payment, { withdrawn: cents(500) })
    await report(aboutDispute(id))
    change(id, { withdrawn: cents(800) })
    await report(...Array.from({ length: 6 }, () => aboutDispute(id)))
    const amounts = async () => (await refundsOf(payment)).map(({ amount }) => amount).sort()
    expect(await amounts()).toEqual([-3, -5])
    expect(await balanceOf(shop.id)).toBe(before - 800)
    // A notice that is older than the last one changes nothing.
    change(id, { withdrawn: cents(500) })
    await report(aboutDispute(id))
    expect(await balanceOf(shop.id)).toBe(before - 800)
    change(id, { withdrawn: cents(800), reinstated: cents(700) })
    await report(...Array.from({ length: 6 }, () => aboutDispute(id)))
    expect(await balanceOf(shop.id)).toBe(before - 100)
    expect(await amounts()).toEqual([-3, -5])
  })

  it('withdraws again from all owners after an earlier reinstatement', async () => {
    const split = sellers.map(({ publicId }) => ({ merchant_wallet: publicId }))
    const payment = await paid(20, { split })
    const wallets = [shop.id, ...sellers.map(({ id }) => id)]
    const balances = () => Promise.all(wallets.map(balanceOf))
    const before = await balances()
    const first = disputed(payment, { withdrawn: cents(2000) })
    await report(aboutDispute(first))
    const lost = await balances()
    expect(sum(before) - sum(lost)).toBe(2000)
    change(first, { reinstated: cents(2000) })
    await report(aboutDispute(first))
    expect(await balances()).toEqual(before)
    expect(await operation(payment)).toMatchObject({ refundable: false })
    await report(aboutDispute(disputed(payment, { withdrawn: cents(2000) })))
    expect(await balances()).toEqual(lost)
    // The first dispute repeats its report.
    await report(aboutDispute(first))
    expect(await balances()).toEqual(lost)
    expect(await operation(payment)).toMatchObject({ refundable: false })
  })

  it('withdraws the amount of a failed refund, which cannot be refunded again', async () => {
    const [half] = sellers
    const payment = await paid(20, { split: [{ merchant_wallet: half?.publicId, amount_fraction: '0.5' }] })
    const wallets = [shop.id, half?.id as number]
    const balances = () => Promise.all(wallets.map(balanceOf))
    const before = sum(await balances())
    const id = await refund(payment, 5)
    failed(id)
    await report(aboutRefund(id))
    expect(sum(await balances())).toBe(before)
    const dispute = disputed(payment, { withdrawn: cents(1800) })
    await report(aboutDispute(dispute))
    expect(sum(await balances())).toBe(before - 1800)
    expect(await operation(payment)).toMatchObject({ refundable: false })
    expect((await shop.call(`/api/v2/operations/${payment}/refund`, { amount: 0.01 })).body.code).toBe(40010)
    change(dispute, { withdrawn: cents(2000) })
    await report(aboutDispute(dispute))
    expect(sum(await balances())).toBe(before - 2000)
    const { splits } = await operation(payment)
    expect(await balanceOf(half?.id as number)).toBeGreaterThan(0)
    expect(splits.elements).toHaveLength(1)
  })

  it('takes the amount of a refund that fails after a dispute, in any order', async () => {
    const [half] = sellers
    const wallets = [shop.id, half?.id as number]
    const balances = async () => sum(await Promise.all(wallets.map(balanceOf)))
    const split = [{ merchant_wallet: half?.publicId, amount_fraction: '0.5' }]
    const payment = await paid(20, { split })
    const before = await balances()
    const id = await refund(payment, 15)
    const dispute = disputed(payment, { withdrawn: cents(2000) })
    await report(aboutDispute(dispute))
    failed(id)
    await report(aboutRefund(id), aboutRefund(id))
    expect(before - (await balances())).toBe(2000)
    await report(aboutRefund(id), aboutDispute(dispute))
    expect(before - (await balances())).toBe(2000)

    for (let round = 0; round < 4; round++) {
      const other = await paid(10)
      const had = await balanceOf(shop.id)
      const sent = await refund(other, 10)
      failed(sent)
      await report(aboutDispute(disputed(other, { withdrawn: cents(1000) })), aboutRefund(sent))
      expect(had - (await balanceOf(shop.id))).toBe(1000)
    }
  })

  it('that was won takes only its own amount of a later failed refund', async () => {
    const payment = await paid(10)
    const before = await balanceOf(shop.id)
    const id = await refund(payment, 10)
    const dispute = disputed(payment, { withdrawn: cents(1000) })
    await report(aboutDispute(dispute))
    change(dispute, { reinstated: cents(700) })
    await report(aboutDispute(dispute))
    // Notices that are older than the last one change nothing.
    change(dispute, { reinstated: cents(0) })
    await report(aboutDispute(dispute))
    change(dispute, { withdrawn: cents(500) })
    await report(aboutDispute(dispute))
    failed(id)
    await report(aboutRefund(id))
    expect(before - (await balanceOf(shop.id))).toBe(300)
  })
})

describe('a merchant with an own provider', () => {
  const ownToken = `token-${randomUUID()}`
  let rivals: ReturnType<Provider['open']>
  let rivalsPath: string

  beforeAll(async () => {
    rivals = provider.open('rivals', ownToken)
    const rival = await merchant('Rival', 'partner')
    const made = await world.cli(
      ...['rails', 'set', 'testwallet', '--merchant', String(rival.id)],
      ...['--setting', `url=${provider.url}`, '--setting', 'account=rivals'],
      ...['--secret', `token=@${world.file(ownToken)}`, '--secret', `signing=@${world.file(signing)}`],
    )
    const checked = await world.cli('rails', 'check', String(made.connection))
    const [{ webhook_url: url }] = checked.connections as [{ webhook_url: string }]
    rivalsPath = new URL(url).pathname
  })

  const failures = async () =>
    ((await world.command(['rails', 'webhooks'])).json.webhooks as { error: string }[]).filter(
      ({ error }) => error === 'NOT_OVER_THIS_CONNECTION',
    )

  it('cannot cause disputes and failed refunds of other merchants', async () => {
    const payment = await paid(25)
    const refunded = await refund(payment, 5)
    const before = await balanceOf(shop.id)
    const dispute = { id: `dp-${randomUUID()}`, key: payment, reason: 'fraudulent' }
    rivals.disputes.set(dispute.id, { ...dispute, withdrawn: cents(2000), reinstated: cents(0) })
    rivals.failedRefunds.set(refunded, { key: refunded, reason: 'closed_account' })
    await expect.poll(() => send(aboutDispute(dispute.id), signing, rivalsPath)).toBe(200)
    expect(await send(aboutRefund(refunded), signing, rivalsPath)).toBe(200)
    await expect.poll(async () => (await failures()).length).toBeGreaterThanOrEqual(2)
    expect(await refundsOf(payment)).toMatchObject([{ id: refunded }])
    expect(await refundsOf(refunded)).toEqual([])
    expect(await balanceOf(shop.id)).toBe(before)
  })
})
