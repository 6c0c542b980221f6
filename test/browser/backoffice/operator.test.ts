// Operator's pages in a real browser.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorld } from '../../gateway-here.ts'
import { moneyOf } from '../../money.ts'
import type { World } from '../../world.ts'
import { openBrowser } from '../browser.ts'
import { expectGoodLooks, type Visitor, visit } from './visitor.ts'

let world: World
let browser: Browser
let operator: Visitor

beforeAll(async () => {
  ;[world, browser] = await Promise.all([openWorld(), openBrowser()])
  operator = await visit(world, browser, 'operator@demo.example')
})
afterAll(async () => {
  await Promise.all([browser?.close(), world?.stop()])
})

describe.each([
  ['', 'Operator', 'Callbacks not received'],
  ['/merchants', 'Merchants', 'Demo Shop'],
  ['/suspense', 'Suspense account', 'The suspense account is empty'],
  ['/bank', 'Bank files', 'All entries are matched.'],
  ['/queues', 'Queues', 'bank_entries'],
  ['/deliveries', 'Callbacks', 'No failed addresses'],
  ['/rails', 'Rails', 'Every rail is simulated'],
  ['/keys', 'Master keys', 'newest'],
  ['/audit', 'Audit', 'No audit runs yet'],
  ['/actions', 'Activity log', 'Sign in'],
])('%s', (path, title, text) => {
  it('is found in the navigation, and looks good', async () => {
    const { page, open } = operator
    await open(`/operator${path}`)
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
    await page.getByText(text).first().waitFor()
    await page.getByRole('navigation').locator('[aria-current=page]').waitFor()
    await expectGoodLooks(operator)
    expect(operator.problems()).toEqual([])
  })
})

it('makes a merchant and shows its secrets once, prices it, suspends it and reads its backoffice', async () => {
  const { page, open } = operator
  await open('/operator/merchants')
  await page.getByRole('button', { name: 'Create merchant' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Livraria Lisboa')
  await dialog.getByLabel('E-mail').fill('livros@example.com')
  await dialog.getByRole('button', { name: 'Create merchant' }).dblclick()
  await dialog.getByText('Shown only now').waitFor()
  const key = await dialog.getByText(/^cmp_test_/).textContent()
  expect(await dialog.getByRole('button', { name: /^Copy: / }).count()).toBe(5)
  await page.keyboard.press('Escape')
  await page.mouse.click(5, 5)
  await dialog.getByText('Shown only now').waitFor()
  await expectGoodLooks(operator)
  await dialog.getByRole('button', { name: 'I have saved them' }).click()

  await page.getByRole('heading', { level: 1, name: 'Livraria Lisboa' }).waitFor()
  const { merchants } = (await world.cli('merchant', 'list')).json
  expect(merchants.filter(({ name }: { name: string }) => name === 'Livraria Lisboa')).toHaveLength(1)
  await page.getByLabel('Fee of Card').fill('much')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('alert').getByText('Fee of CC: enter a fee such as 1.5%, 0.30 or 1%+0.15.').waitFor()
  await page.getByLabel('Fee of Card').fill('1.5%+0.20')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('No changes yet.').waitFor()
  await expect.poll(() => page.getByLabel('Fee of Card').inputValue()).toBe('1.5%+0.20')
  await expectGoodLooks(operator)

  await page.getByLabel('Largest payment').fill('much')
  await page.getByRole('button', { name: 'Save' }).click()
  await page
    .getByRole('alert')
    .getByText('Largest payment: enter an amount in euros, such as 0.30.')
    .waitFor()
  await page.getByLabel('Largest payment').fill('50,5')
  await page.getByLabel('Payments a day').fill('200')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Taken today: €0.00.').waitFor()
  await expect.poll(() => page.getByLabel('Largest payment').inputValue()).toBe('50.50')
  const tooMuch = await world.request('/api/v2/checkout', {
    method: 'POST',
    headers: { authorization: `Comporta ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      payment: { amount: 50.51, currency: 'EUR' },
      ...{ url_confirm: 'https://shop.example/ok', url_cancel: 'https://shop.example/no' },
    }),
  })
  expect(tooMuch).toMatchObject({ status: 403, body: { code: 20011 } })

  await page.getByRole('button', { name: 'Suspend' }).click()
  await page.getByRole('dialog').getByLabel('Reason').fill('Papers of the company are missing')
  await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click()
  await page.getByText(/Suspended since/).waitFor()
  await page.getByText('Papers of the company are missing').waitFor()
  const checkout = await world.request('/api/v2/checkout', {
    method: 'POST',
    headers: { authorization: `Comporta ${key}`, 'content-type': 'application/json' },
    body: '{}',
  })
  expect(checkout).toMatchObject({ status: 403, body: { code: 20002 } })
  await page.getByRole('button', { name: 'End suspension' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'End suspension' }).click()
  await page.getByRole('button', { name: 'Suspend' }).waitFor()

  // Notifications cover the buttons, and stay while the pointer is on them.
  await page.mouse.move(20, 700)
  await expect.poll(() => page.getByRole('button', { name: 'Close' }).count()).toBe(0)
  await page.getByRole('link', { name: 'Open the merchant’s backoffice' }).click()
  await page.getByText('You see Livraria Lisboa as an operator.').waitFor()
  await page.getByRole('navigation').getByText('Livraria Lisboa').waitFor()
  expect(operator.problems()).toEqual([])
})

it('runs the audit, shows its checks, and logs the user', async () => {
  const { page, open } = operator
  await open('/operator/audit')
  await page.getByRole('button', { name: 'Run the audit' }).click()
  await page.getByText('No problem found').first().waitFor()
  await page.getByRole('table', { name: 'Checks' }).getByRole('row').nth(10).waitFor()
  await expectGoodLooks(operator)
  await open('/operator/actions')
  const row = page.getByRole('row', { name: /Run the audit/ })
  await row.getByText('operator@demo.example').waitFor()
  await row.getByText('Done').waitFor()
  await expectGoodLooks(operator)
})

it('assigns a transfer without a wallet after a preview', async () => {
  await world.request('/sandbox/api/bank/transfer', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ reference_text: 'Obrigada!', amount: 7 }),
  })
  const { page, open } = operator
  await open('/operator')
  await page.getByRole('link', { name: 'Transfers without a wallet' }).click()
  await page
    .getByRole('row', { name: /Obrigada!/ })
    .getByRole('button', { name: 'Assign' })
    .click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Number of the wallet').fill(String(world.shop.wallet_id))
  await dialog.getByText(`€7.00 from the provider to wallet ${world.shop.public_id}`).waitFor()
  await expectGoodLooks(operator)
  await page.context().setOffline(true)
  await dialog.getByRole('button', { name: 'Assign' }).click()
  await dialog
    .getByRole('alert')
    .getByText(/not reachable|connection/)
    .waitFor()
  await page.context().setOffline(false)
  await dialog.getByRole('button', { name: 'Assign' }).dblclick()
  await page.getByText('Every transfer has a wallet').waitFor()
})

it('says that a transfer was assigned by somebody else meanwhile, and shows that', async () => {
  await world.request('/sandbox/api/bank/transfer', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ reference_text: 'De novo!', amount: 8 }),
  })
  const { page, open } = operator
  await open('/operator/suspense')
  await page
    .getByRole('row', { name: /De novo!/ })
    .getByRole('button', { name: 'Assign' })
    .click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Number of the wallet').fill(String(world.shop.wallet_id))
  await dialog.getByText(`€8.00 from the provider to wallet ${world.shop.public_id}`).waitFor()
  const { transfers } = (await world.cli('bank', 'transfers')).json
  const { transfer_id: id } = transfers.find(({ text }: { text: string }) => text === 'De novo!')
  const plain = world.merchant('Plain Shop')
  expect((await world.cli('bank', 'assign', id, '--wallet', String(plain.wallet_id))).code).toBe(0)
  await dialog.getByRole('button', { name: 'Assign' }).click()
  await dialog.getByText(`was put to wallet ${plain.wallet_id}`).first().waitFor()
  await page.getByText('Every transfer has a wallet').waitFor()
})

it('rotates the master key after a confirmation', async () => {
  const { page, open } = operator
  await open('/operator/keys')
  await page.getByRole('button', { name: 'Rotate' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click()
  await page.getByText(/Version 2: \d+ secrets encrypted again/).waitFor()
  await page.getByRole('row', { name: /^2/ }).getByText('newest').waitFor()
})

it('refuses a file of another kind with a reason', async () => {
  const { page, open } = operator
  await open('/operator/bank')
  await page.getByRole('button', { name: 'Import a file' }).waitFor()
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'notes.xml', mimeType: 'text/xml', buffer: Buffer.from('<notes/>') })
  await page
    .getByRole('alert')
    .getByText(/notes\.xml was refused completely/)
    .waitFor()
  await page.getByRole('button', { name: 'Write files for the bank' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('There is nothing for the bank.').waitFor()
  expect(await dialog.getByRole('button', { name: 'Write the files' }).isDisabled()).toBe(true)
  await expectGoodLooks(operator)
})

it('settles an open order by keyboard and asks for a second person', async () => {
  const money = moneyOf(world)
  const ids: string[] = []
  for (const amount of [20, 2000]) {
    const checkout = await world.createCheckout({ payment: { amount, currency: 'EUR' } })
    await money.payByDebit(checkout)
    ids.push(checkout.payment.id)
  }
  await world.cli('bank', 'export')
  const { page, open } = operator
  await open('/operator/bank')
  const table = page.getByRole('table', { name: 'Orders without an answer of the bank' })
  const settle = async (amount: string) => {
    await table.getByRole('row', { name: amount }).getByRole('button', { name: 'Settle manually' }).focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Settle the order manually' })
    await dialog.getByRole('radio', { name: 'Order executed' }).focus()
    await page.keyboard.press('Space')
    await dialog.getByLabel('Evidence').fill('web page of the bank')
    await expectGoodLooks(operator)
    await page.keyboard.press('Enter')
  }
  await settle('€20.00')
  await table.getByRole('row', { name: '€20.00' }).waitFor({ state: 'detached' })
  expect(await world.operation(ids[0] as string)).toMatchObject({ status: 'COMPLETED' })
  await settle('€2,000.00')
  const row = table.getByRole('row', { name: '€2,000.00' })
  await row.getByText(/operator@demo.example proposes: paid/).waitFor()
  await row.getByRole('button', { name: 'Approve' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Approve' }).click()
  await dialog
    .getByText(/second person must approve the settlement that operator@demo.example proposed/)
    .waitFor()
  expect(await world.operation(ids[1] as string)).toMatchObject({ status: 'PENDING' })
  expect((await world.cli('bank', 'settle', ids[1] as string, '--approve')).code).toBe(0)
})

it('says in Portuguese too what needs attention, and shows an owner none of it', async () => {
  const here = await visit(world, browser, 'operator@demo.example', { locale: 'pt-PT' })
  await here.open('/operator')
  await here.page.getByText('Assuntos pendentes').waitFor()
  await here.close()
  const owner = await visit(world, browser, 'owner@demo.example')
  await owner.open('/operator/merchants')
  await owner.page.getByRole('heading', { name: 'No access to this page' }).waitFor()
  await owner.close()
})
