// Money pages in a real browser.
import { readFile } from 'node:fs/promises'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorld } from '../../gateway-here.ts'
import { ibans, moneyOf } from '../../money.ts'
import { demoUser } from '../../people.ts'
import { cards, type World } from '../../world.ts'
import { openBrowser } from '../browser.ts'
import { expectGoodLooks, type Visitor, visit } from './visitor.ts'

let world: World
let browser: Browser
let owner: Visitor
let reader: Visitor
let wallet: string

beforeAll(async () => {
  ;[world, browser] = await Promise.all([openWorld(), openBrowser()])
  wallet = `/wallets/${world.shop.wallet_id}`
  const money = moneyOf(world)
  const { bank_reference } = await money.funds()
  await money.sandbox('bank/transfer', { reference_text: bank_reference, amount: 900 })
  const checkout = await world.createCheckout({
    payment: { amount: 100, currency: 'EUR', ext_invoiceid: 'MONEY-1' },
  })
  await world.payOnPage(checkout, cards.frictionless)
  await world.shop.post(`/api/v2/operations/${checkout.payment.id}/refund`, { amount: 30 })
  ;[owner, reader] = await Promise.all([
    visit(world, browser, 'owner@demo.example'),
    visit(world, browser, 'reader@demo.example'),
  ])
})
afterAll(async () => {
  expect(owner?.problems()).toEqual([])
  expect(reader?.problems()).toEqual([])
  await browser?.close()
  await world?.stop()
})

const heading = ({ page }: Visitor, name: string | RegExp) =>
  page.getByRole('heading', { level: 1, name }).waitFor()
const figure = ({ page }: Visitor, name: string) =>
  expect.poll(() => page.locator(`[data-figure="${name}"]`).textContent())

describe('the balance', () => {
  it('shows payouts on their way and the history, to a reader too', async () => {
    await reader.open(`${wallet}/balance`)
    await heading(reader, 'Balance')
    // 900.00 and 100.00, minus the fee of 1.15 and the refund of 30.00.
    await figure(reader, 'Available').toContain('968.85')
    await figure(reader, 'On its way').toContain('0.00')
    await reader.page.getByRole('img', { name: /968\.85/ }).waitFor()
    await expectGoodLooks(reader)
  })
})

describe('the statement', () => {
  it('shows the totals of each day and links to its entries', async () => {
    await reader.open(`${wallet}/statement`)
    await heading(reader, 'Statement')
    await figure(reader, 'in').toContain('1,000.00')
    await figure(reader, 'fees').toContain('-€1.15')
    await figure(reader, 'refunds').toContain('-€30.00')
    await figure(reader, 'closing').toContain('968.85')
    await expectGoodLooks(reader)
    await reader.page.getByRole('table').getByRole('link').first().click()
    await reader.page.getByRole('link', { name: 'MONEY-1' }).first().waitFor()
    expect(await reader.page.getByRole('row').count()).toBe(4)
    await expectGoodLooks(reader)
    await reader.page.getByRole('link', { name: 'The whole month' }).click()
    await heading(reader, 'Statement')
  })

  it('is downloaded as CSV, and a month without movements says so', async () => {
    await owner.open(`${wallet}/statement`)
    const [file] = await Promise.all([
      owner.page.waitForEvent('download'),
      owner.page.getByRole('link', { name: 'CSV' }).click(),
    ])
    const text = await readFile(await file.path(), 'utf8')
    expect(text.trim().split('\r\n')).toHaveLength(4)
    expect(text).toContain('MONEY-1')
    await owner.page.getByRole('button', { name: 'Month before' }).click()
    await owner.page.getByText('No entries').waitFor()
    expect(owner.page.url()).toMatch(/month=/)
  })

  it('is printed without navigation and buttons', async () => {
    await owner.open(`${wallet}/statement`)
    await figure(owner, 'closing').toContain('968.85')
    await owner.page.emulateMedia({ media: 'print' })
    expect(await owner.page.getByRole('navigation').isVisible()).toBe(false)
    expect(await owner.page.getByRole('button', { name: 'Print' }).isVisible()).toBe(false)
    expect(await owner.page.locator('[data-figure="closing"]').isVisible()).toBe(true)
    await owner.page.emulateMedia({ media: 'screen' })
  })
})

it('fees are shown by month and method', async () => {
  await reader.open(`${wallet}/fees`)
  await heading(reader, /^Fees/)
  const row = reader.page.getByRole('row').filter({ hasText: 'Card' })
  await row.getByText('-€1.15').waitFor()
  await expectGoodLooks(reader)
})

describe('payouts', () => {
  it('offer a read-only user no actions, and the routes refuse them', async () => {
    await reader.open(`${wallet}/payouts`)
    await heading(reader, 'Payouts')
    await reader.page.getByText('No payouts yet').waitFor()
    expect(await reader.page.getByRole('button', { name: 'Order a payout' }).count()).toBe(0)
    expect(await reader.page.getByRole('button', { name: 'Change' }).count()).toBe(0)
    await expectGoodLooks(reader)
  })

  it('name a missing IBAN and explain a wrong amount', async () => {
    const { page } = owner
    await owner.open(`${wallet}/payouts`)
    await page.getByRole('button', { name: 'Order a payout' }).click()
    const dialog = page.getByRole('dialog', { name: 'Order a payout' })
    await dialog.getByRole('alert').getByText('There is no IBAN').waitFor()
    await dialog.getByRole('link', { name: 'Set the IBAN in the settings' }).waitFor()
    await dialog.getByLabel('Amount').fill('abc')
    await dialog.getByLabel('Note').focus()
    await dialog.getByText('Enter an amount above zero').waitFor()
    await dialog.getByLabel('Amount').fill('5000')
    await dialog.getByText('More than the available balance').waitFor()
    await dialog.getByLabel('Amount').fill('200')
    expect(await dialog.getByRole('button', { name: 'Preview' }).isDisabled()).toBe(true)
    await expectGoodLooks(owner)
  })

  it('are previewed, confirmed and ordered once, however often the button is pressed', async () => {
    await world.cli('merchant', 'set', String(world.shop.wallet_id), '--iban', ibans.paid)
    const { page } = owner
    await owner.open(`${wallet}/payouts`)
    await page.getByRole('button', { name: 'Order a payout' }).click()
    const dialog = page.getByRole('dialog', { name: 'Order a payout' })
    await dialog.getByLabel('Amount').fill('200,50')
    await dialog.getByLabel('Note').fill('Rent')
    await dialog.getByRole('button', { name: 'Preview' }).click()
    await dialog.getByText('PT50 •••• 0154').waitFor()
    await dialog.getByText('€768.35').waitFor()
    expect((await world.shop.get('/api/v2/payouts')).body.total).toBe(0)
    await dialog.getByRole('button', { name: 'Order payout' }).dblclick()
    await confirmIfAsked(owner)
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('table').getByText('PT50 •••• 0154').waitFor()
    expect((await world.shop.get('/api/v2/payouts')).body.total).toBe(1)
    await figure(owner, 'available').toContain('768.35')
    await expectGoodLooks(owner)
    await page.getByRole('table').getByRole('link').first().click()
    await heading(owner, 'Payout')
    await page.getByText('Rent').waitFor()
    await expectGoodLooks(owner)
  })

  it('follow a schedule and show its last run', async () => {
    const { page } = owner
    await owner.open(`${wallet}/payouts`)
    await page.getByRole('button', { name: 'Change' }).click()
    const dialog = page.getByRole('dialog', { name: 'Schedule' })
    await dialog.getByRole('combobox', { name: 'How often' }).click()
    await page.getByRole('option', { name: 'Every business day' }).click()
    await dialog.getByLabel('Minimum').fill('5000')
    await expectGoodLooks(owner)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await confirmIfAsked(owner)
    await dialog.waitFor({ state: 'detached' })
    const panel = page.getByRole('region', { name: 'Schedule' })
    await panel.getByText('Next on').waitFor()
    await world.advance('P5D')
    await owner.open(`${wallet}/payouts`)
    await panel.getByText('less than the minimum').waitFor()
  })
})

/** A new session needs no confirmation. */
async function confirmIfAsked({ page }: Visitor): Promise<void> {
  const asked = page.getByRole('dialog', { name: 'Confirm your identity' })
  const orders = page.getByRole('dialog', { name: /Order a payout|Schedule/ })
  await expect.poll(async () => (await asked.isVisible()) || (await orders.count()) === 0).toBe(true)
  if (!(await asked.isVisible())) return
  await asked.getByLabel('Your password').fill(demoUser(world, 'owner@demo.example').password)
  await asked.getByRole('button', { name: 'Confirm' }).click()
}
