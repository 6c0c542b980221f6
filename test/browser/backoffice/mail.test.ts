// Mail of the backoffice, and the post box of the sandbox, in a real browser.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openWorld } from '../../gateway-here.ts'
import { cards, type World } from '../../world.ts'
import { expectNoViolations } from '../accessible.ts'
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
const paid = async (email: string) => {
  const checkout = await world.createCheckout({ payment: { amount: 10, currency: 'EUR', client: { email } } })
  await world.payOnPage(checkout, cards.frictionless)
}
const picture = async ({ page }: Visitor, name: string) => {
  const folder = process.env.PICTURES
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
}

it('turns a kind on by keyboard, and shows sent and refused mail with the reason', async () => {
  const { page } = owner
  await owner.open(at('/mail'))
  await page.getByText('No mail yet').waitFor()
  const receipt = page.getByRole('switch', { name: 'Receipt of a payment' })
  await receipt.focus()
  await page.keyboard.press('Space')
  await page.getByText('On: Receipt of a payment').waitFor()
  await expect.poll(() => receipt.isChecked()).toBe(true)
  await paid('ana@example.com')
  await paid('refused@example.com')
  await world.eventually(async () => (await world.shop.get('/api/v2/mails?status=REFUSED')).body.total === 1)
  await world.eventually(async () => (await world.shop.get('/api/v2/mails?status=SENT')).body.total === 1)
  await page.reload()
  await page.getByText('One mail was refused or given up.').waitFor()
  await page.getByRole('cell', { name: '550 5.1.1 No such mailbox' }).waitFor()
  await page.getByRole('cell', { name: 'ana@example.com' }).waitFor()
  await expectGoodLooks(owner)
  await picture(owner, 'backoffice-wide')
  await page.getByRole('button', { name: 'Show them' }).click()
  await page.getByRole('cell', { name: 'ana@example.com' }).waitFor({ state: 'detached' })
  await page.setViewportSize({ width: 390, height: 844 })
  await expectGoodLooks(owner)
  await picture(owner, 'backoffice-phone')
})

it('only shows the switches to people who may not turn them', async () => {
  await reader.open(at('/mail'))
  const receipt = reader.page.getByRole('switch', { name: 'Receipt of a payment' })
  await receipt.waitFor()
  expect(await receipt.isDisabled()).toBe(true)
})

it('the post box shows mail as text and as HTML', async () => {
  const { page } = owner
  await page.goto(`${world.baseUrl}/sandbox/mail?lang=en`)
  await expectNoViolations(page)
  await picture(owner, 'post-box')
  await page.getByRole('link', { name: /Payment of €10.00/ }).click()
  await page.getByText('This mail confirms the payment').waitFor()
  await expectNoViolations(page)
  await picture(owner, 'post-box-mail')
  await page.getByRole('link', { name: 'Open as HTML' }).click()
  await page.getByRole('heading', { level: 1, name: /Payment of €10.00/ }).waitFor()
})
