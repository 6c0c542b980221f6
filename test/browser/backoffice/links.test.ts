// Payment links and settings in a real browser.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openPage } from '../../browserless.ts'
import { openWorld } from '../../gateway-here.ts'
import { signIn } from '../../people.ts'
import type { World } from '../../world.ts'
import { openBrowser } from '../browser.ts'
import { expectGoodLooks, type Visitor, visit } from './visitor.ts'

let world: World
let browser: Browser
let owner: Visitor
let reader: Visitor

beforeAll(async () => {
  ;[world, browser] = await Promise.all([openWorld(), openBrowser()])
  owner = await visit(world, browser, 'owner@demo.example')
  reader = await visit(world, browser, 'reader@demo.example')
})
afterAll(async () => {
  for (const visitor of [owner, reader]) expect(visitor?.problems()).toEqual([])
  await Promise.all([browser?.close(), world?.stop()])
})

const at = (path: string) => `/wallets/${world.shop.wallet_id}${path}`
const links = async () => (await world.shop.get('/api/v2/payment_links?limit=30')).body
const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()

it('makes a link with its preview, once, shows its code, and closes it', async () => {
  const { page } = owner
  await owner.open(at('/links'))
  await page.getByText('No payment links yet').waitFor()
  await expectGoodLooks(owner)
  await page.getByRole('button', { name: 'New link' }).first().click()
  const window = page.getByRole('dialog')
  await window.getByRole('button', { name: 'Create link' }).click()
  await window.getByText('Enter a description').waitFor()
  await window.getByText('Enter an amount from 0.01').waitFor()
  await window.getByLabel('Description').fill('Blue lamp')
  const preview = window.getByRole('region', { name: 'Preview for the customer' })
  await window.getByLabel('Amount in euros').fill('12,5')
  await preview.getByText('€12.50').waitFor()
  await window.getByLabel('Amount in euros').fill('24.90')
  await preview.getByText('Blue lamp').waitFor()
  await preview.getByText('€24.90').waitFor()
  await expectGoodLooks(owner)
  await window.getByRole('button', { name: 'Create link' }).dblclick()

  await page.getByRole('dialog', { name: 'Your link is ready' }).waitFor()
  const { total, elements } = await links()
  expect(total).toBe(1)
  expect(elements[0]).toMatchObject({ description: 'Blue lamp', amount: 24.9, uses_max: 1, status: 'ACTIVE' })
  const code = page.getByRole('img', { name: 'QR code' })
  await expect
    .poll(() => code.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth))
    .toBeGreaterThan(20)
  await expectGoodLooks(owner)
  await page.keyboard.press('Escape')

  expect((await openPage(elements[0].url)).text).toContain('Blue lamp')
  await page.getByRole('button', { name: 'Close link' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Close link' }).click()
  await page.getByText('No payment links yet').waitFor()
  expect((await links()).elements[0]).toMatchObject({ status: 'CLOSED' })
})

it('lets customers choose an amount, up to a number of payments and a day', async () => {
  const { page } = owner
  await owner.open(at('/links'))
  await page.getByRole('button', { name: 'New link' }).first().click()
  const window = page.getByRole('dialog')
  await window.getByLabel('Description').fill('Donation')
  await window.getByText('Customer chooses').click()
  await window.getByLabel('Minimum, in euros').fill('5,25')
  await window.getByLabel('Maximum, in euros').fill('2')
  await window.getByText('Up to', { exact: true }).click()
  await window.getByLabel('Maximum number of payments').fill('20')
  await window.getByLabel('Last day').fill('2099-07-01')
  await window.getByRole('button', { name: 'Create link' }).click()
  await window.getByText('Enter more than the minimum').waitFor()
  await window.getByLabel('Maximum, in euros').fill('50')
  await window.getByRole('button', { name: 'Create link' }).click()
  await page.getByRole('dialog', { name: 'Your link is ready' }).waitFor()
  const [made] = (await links()).elements
  expect(made).toMatchObject({ amount_min: 5.25, amount_max: 50, uses_max: 20 })
  expect(new Date(made.expires).toISOString()).toBe('2099-07-01T22:59:59.000Z')
})

it('shows links to a read-only user without buttons', async () => {
  const { page } = reader
  await reader.open(at('/links'))
  await page.getByText('Donation').waitFor()
  await page.getByText('With the role Read only you can view this page').waitFor()
  expect(await page.getByRole('button', { name: 'New link' }).count()).toBe(0)
  expect(await page.getByRole('button', { name: 'Close link' }).count()).toBe(0)
  await page.getByRole('button', { name: 'QR code' }).click()
  await page.getByRole('dialog', { name: 'QR code' }).waitFor()
})

it('changes company, stores and methods, which customers see', async () => {
  const { page } = owner
  await owner.open(at('/settings'))
  await title(page, 'Settings')
  await expectGoodLooks(owner)
  const company = page.getByRole('region', { name: 'Company' })
  await company.getByLabel('E-mail for the operator').fill('nobody')
  await company.getByLabel('Phone for the operator').focus()
  await company.getByText('Enter an address such as').waitFor()
  await company.getByLabel('E-mail for the operator').fill('loja@demo.example')
  await company.getByRole('button', { name: 'Save' }).click()
  await company.getByText('Saved').waitFor()

  const stores = page.getByRole('region', { name: 'Stores' })
  await stores.getByRole('button', { name: 'Add store' }).click()
  await stores.getByLabel('New store').fill('Porto')
  await stores.getByRole('button', { name: 'Save' }).click()
  await stores.getByText('Saved').waitFor()
  await expect.poll(() => stores.getByRole('textbox').last().inputValue()).toBe('Porto')

  const methods = page.getByRole('region', { name: 'Methods' })
  await methods.getByLabel('Multibanco').uncheck()
  await methods.getByRole('button', { name: 'Save' }).click()
  await methods.getByText('Saved').waitFor()
  const page1 = await openPage((await world.createCheckout()).url_redirect)
  expect(page1.html).not.toContain('method-mb"')
  await methods.getByLabel('Multibanco').check()
  await methods.getByRole('button', { name: 'Save' }).click()
  await expect
    .poll(async () => (await world.shop.get('/api/v2/wallets/methods')).body.methods)
    .toContain('MB')
})

it('shows a colour before it is saved, offers the nearest that can be read, and takes pictures alone', async () => {
  const { page } = owner
  await owner.open(at('/settings'))
  const branding = page.getByRole('region', { name: 'Look of the hosted pages' })
  await branding.getByLabel('Colour', { exact: true }).fill('#ffcc00')
  await branding.getByText('Too light to read').waitFor()
  await branding.getByRole('button', { name: /^Use #/ }).click()
  await branding.getByLabel('E-mail for customers').fill('ajuda@demo.example')
  await branding.getByRole('button', { name: 'Save' }).click()
  await branding.getByText('Saved').waitFor()

  const choose = branding.locator('input[type=file]')
  await choose.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from('<svg/>') })
  await branding.getByText('must be a PNG, JPEG or WebP picture').waitFor()
  await choose.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: dot })
  await branding.getByRole('img', { name: 'Logo' }).waitFor()
  await expectGoodLooks(owner)
  const hosted = await openPage((await world.createCheckout()).url_redirect)
  expect(hosted.html).toMatch(/\/branding\/logos\/[0-9a-f]{32}\.png/)
  expect(hosted.html).toMatch(/\/branding\/colours\/[0-9a-f]{6}\.css/)
  expect(hosted.links).toContain('mailto:ajuda@demo.example')
})

it('shows settings to a read-only user without save buttons', async () => {
  const { page } = reader
  await reader.open(at('/settings'))
  await page.getByText('With the role Read only you can view this page').waitFor()
  expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0)
  expect(await page.getByLabel('Name shown to customers').isDisabled()).toBe(true)
  await expectGoodLooks(reader)
})

it('tells the team that the operator suspended it and why, and turns off what would be refused', async () => {
  const id = String(world.shop.wallet_id)
  const operator = await signIn(world, 'operator@demo.example')
  const change = (body: object) => operator.send('PATCH', `/operator/merchants/${id}`, body)
  expect(
    (await change({ suspended: true, suspended_reason: 'Papers of the company are missing' })).status,
  ).toBe(200)
  const { page } = owner
  for (const path of ['', '/payments', '/links', '/payouts', '/references', '/settings']) {
    await owner.open(at(path))
    await page.getByText('Reason: Papers of the company are missing').waitFor()
  }
  for (const [path, name] of [
    ['/payouts', 'Order a payout'],
    ['/references', 'New reference'],
    ['/links', 'New link'],
  ] as const) {
    await owner.open(at(path))
    const button = page.getByRole('button', { name }).first()
    expect(await button.getAttribute('aria-disabled')).toBe('true')
    await button.focus()
    await page
      .getByRole('tooltip')
      .getByText('Not available: the operator has suspended this merchant')
      .waitFor()
    await button.click({ force: true })
    expect(await page.getByRole('dialog').count()).toBe(0)
  }
  await expectGoodLooks(owner)
  const here = await visit(world, browser, 'owner@demo.example', { locale: 'pt-PT' })
  await here.open(at('/links'))
  await here.page.getByText(/Suspenso pelo operador desde/).waitFor()
  await here.close()
  expect((await change({ suspended: false })).status).toBe(200)
  await owner.open(at('/links'))
  await page.getByRole('button', { name: 'New link' }).first().click()
  await page.getByRole('dialog').getByLabel('Multibanco').waitFor()
})

const dot = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
