// The refund of a bank reference in a real browser: the payer's page, and the dialog of the backoffice.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openWorld } from '../gateway-here.ts'
import { type PaidReferences, paidReferences } from '../references-paid.ts'
import type { Json, World } from '../world.ts'
import { expectNoViolations } from './accessible.ts'
import { expectGoodLooks, visit } from './backoffice/visitor.ts'
import { openBrowser } from './browser.ts'

let world: World
let browser: Browser
let references: PaidReferences

beforeAll(async () => {
  ;[world, browser] = await Promise.all([openWorld(), openBrowser()])
  references = paidReferences(world)
})
afterAll(async () => {
  expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
  await Promise.all([browser.close(), world.stop()])
})

const turnOn = () => world.cli('merchant', 'set', world.shop.public_id, '--mb-refunds', 'on')

async function expectReadable(page: Page, name: string): Promise<void> {
  await expectNoViolations(page)
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
  const folder = process.env.PICTURES
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
}

async function asked(): Promise<Json> {
  await turnOn()
  return (await references.refund((await references.paid()).id, { amount: 7.5 })).body
}

it.each([
  ['en-GB', 'light', 'Continue', 'Account holder', 'Get €7.50 on this account', 'Refund ordered'],
  ['pt-PT', 'dark', 'Continuar', 'Titular da conta', 'Receber 7,50\u00a0€ nesta conta', 'Devolução pedida'],
] as const)(
  'a payer names the account by keyboard, in %s and %s',
  async (locale, colorScheme, next, holder, confirm, done) => {
    const context = await browser.newContext({ locale, colorScheme, viewport: { width: 390, height: 800 } })
    const page = await context.newPage()
    const refund = await asked()
    await page.goto(refund.refund_url)
    await expectReadable(page, `refund-form-${locale}`)
    const iban = page.locator('input[name=iban]')
    await page.getByLabel(holder).fill('Ana Sousa')
    await page.keyboard.press('Tab')
    await page.keyboard.type('pt50000201231234567890155')
    await expect.poll(() => iban.inputValue()).toBe('PT50 0002 0123 1234 5678 9015 5')
    await page.keyboard.press('Tab')
    await expect.poll(() => iban.getAttribute('aria-invalid')).toBe('true')
    await expectReadable(page, `refund-wrong-${locale}`)
    await iban.fill('PT50 0002 0123 1234 5678 9015 4')
    await expect.poll(() => iban.getAttribute('aria-invalid')).toBeNull()
    await page.getByRole('button', { name: next }).press('Enter')
    await page.getByText('PT50 0002 0123 1234 5678 9015 4').waitFor()
    await expectReadable(page, `refund-review-${locale}`)
    await page.getByRole('button', { name: confirm }).press('Enter')
    await page.getByRole('heading', { name: done }).waitFor()
    await expectReadable(page, `refund-done-${locale}`)
    expect(await page.getByText('Ana Sousa').count()).toBe(0)
    await context.close()
  },
)

it('a payer names the account without JavaScript', async () => {
  const context = await browser.newContext({ locale: 'en-GB', javaScriptEnabled: false })
  const page = await context.newPage()
  const refund = await asked()
  await page.goto(refund.refund_url)
  await page.getByLabel('Account holder').fill('Ana Sousa')
  await page.getByLabel('IBAN').fill('TR330006100519786457841326')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('outside SEPA and cannot get the transfer').waitFor()
  await page.getByLabel('IBAN').fill('DE89370400440532013000')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Change the details' }).click()
  expect(await page.getByLabel('IBAN').inputValue()).toBe('DE89 3704 0044 0532 0130 00')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Get €7.50 on this account' }).click()
  await page.getByText('DE89 •••• 3000').waitFor()
  await context.close()
})

it('the operator turns it on, and the backoffice offers the link or an account', async () => {
  await world.cli('merchant', 'set', world.shop.public_id, '--mb-refunds', 'off')
  const owner = await visit(world, browser, 'owner@demo.example')
  const { page, open } = owner
  const wallet = `/wallets/${world.shop.wallet_id}`
  const [first, second] = [await references.paid(), await references.paid()]
  await open(`${wallet}/payments/${first.id}`)
  await page.getByRole('heading', { name: 'History' }).waitFor()
  expect(await page.getByRole('button', { name: 'Refund' }).count()).toBe(0)
  const refunds = page.getByRole('region', { name: 'Refunds of Multibanco payments' })
  await open(`${wallet}/settings`)
  await refunds.getByText('Off').waitFor()
  const operator = await visit(world, browser, 'operator@demo.example')
  await operator.open(`/operator/merchants/${world.shop.wallet_id}`)
  await operator.page
    .getByLabel('The merchant may refund Multibanco payments by transfer to an account')
    .check({ force: true })
  await operator.page.getByRole('button', { name: 'Save' }).click()
  await operator.page.getByText('Saved').waitFor()
  await open(`${wallet}/settings`)
  await refunds.getByText('On', { exact: true }).waitFor()
  await expectGoodLooks(owner)

  await open(`${wallet}/payments/${first.id}`)
  await page.getByRole('button', { name: 'Refund' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('clearing').or(dialog.getByText('the provider')).first().waitFor()
  await expectGoodLooks(owner)
  await dialog.getByRole('button', { name: /^Refund/ }).click()
  await page.getByText('Link for the customer').waitFor()
  await expectGoodLooks(owner)
  const link = await page.locator('[data-secret]').first().textContent()
  expect((await world.request(String(link))).status).toBe(200)
  await page.getByRole('button', { name: 'End this link' }).click()
  await dialog.getByText('The refund is cancelled, and').waitFor()
  await expectGoodLooks(owner)
  if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/end-link.png` })
  await dialog.getByRole('button', { name: 'End this link' }).click()
  await page.getByText('The customer entered no account').waitFor()
  expect((await world.request(String(link))).text).toContain('cancelou esta devolução')
  await expectGoodLooks(owner)

  await open(`${wallet}/payments/${second.id}`)
  await page.getByRole('button', { name: 'Refund' }).click()
  await dialog.getByText('I know it').click()
  await dialog.getByLabel('IBAN').fill('PT50')
  await dialog.getByLabel('Account holder').fill('Ana Sousa')
  await dialog.getByText('This IBAN is not valid').waitFor()
  await expectGoodLooks(owner)
  await dialog.getByLabel('IBAN').fill('PT50 0002 0123 1234 5678 9015 4')
  await dialog.getByRole('button', { name: /^Refund/ }).click()
  await page.getByText('PT50 •••• 0154').waitFor()
  expect(owner.problems()).toEqual([])
})
