// References, authorizations, mandates, subscriptions and cards in a real browser.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { authorizing } from '../../authorizing.ts'
import { openWorld } from '../../gateway-here.ts'
import { newPhone } from '../../phone.ts'
import { storeCard } from '../../stored-cards.ts'
import { subscribersOf } from '../../subscribers.ts'
import { cards, type Json, type World } from '../../world.ts'
import { openBrowser } from '../browser.ts'
import { expectGoodLooks, type Visitor, visit } from './visitor.ts'

let world: World
let browser: Browser
let owner: Visitor
let reader: Visitor
let path: string

beforeAll(async () => {
  ;[world, browser] = await Promise.all([openWorld(), openBrowser()])
  path = `/wallets/${world.shop.wallet_id}`
  owner = await visit(world, browser, 'owner@demo.example')
  reader = await visit(world, browser, 'reader@demo.example')
})
afterAll(async () => {
  expect([...(owner?.problems() ?? []), ...(reader?.problems() ?? [])]).toEqual([])
  await Promise.all([browser?.close(), world?.stop()])
})

const heading = ({ page }: Visitor, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()

async function asked(where: string, body: object): Promise<Json> {
  const { status, body: answer, text } = await world.shop.post(where, body)
  if (status !== 200) throw new Error(text)
  return answer
}

it('every empty list explains its purpose', async () => {
  const { open } = owner
  for (const [where, name, nothing] of [
    ['references', 'Multibanco references', 'No references yet'],
    ['authorizations', 'Authorizations', 'No authorizations yet'],
    ['subscriptions', 'Subscriptions', 'No subscriptions yet'],
    ['auto-charges', 'Automatic charges', 'No automatic charges'],
    ['mandates', 'Mandates', 'No mandates yet'],
    ['cards', 'Stored cards', 'No stored cards'],
  ] as const) {
    await open(`${path}/${where}`)
    await heading(owner, name)
    await owner.page.getByText(nothing).waitFor()
  }
  await expectGoodLooks(owner)
})

it('references are found by their state and digits, and a recurring one is deleted', async () => {
  const { page, open } = owner
  await asked('/api/v2/mb/pay', { amount: 10, currency: 'EUR', method: 'MB', type: 'PAYMENT' })
  const range = { max_amount: 50, min_amount: 5, currency: 'EUR', op_type: 'PAYMENT' }
  const { mb } = await asked('/api/v2/mb/reference', range)
  await open(`${path}/references`)
  await page.getByRole('row').nth(2).waitFor()
  await expectGoodLooks(owner)
  await open(`${path}/references?ref=%22${mb.ref}%22`)
  await expect.poll(() => page.getByRole('row').count()).toBe(2)
  await page.getByText('€5.00 – €50.00').waitFor()
  await page.getByRole('button', { name: /Delete the reference/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('row').getByText('Deleted').waitFor()
  await open(`${path}/references?state=open`)
  await page.getByText('€10.00').waitFor()
  expect(await page.getByRole('row').count()).toBe(2)
})

it('an authorization is released in part, then captured in part, after previews', async () => {
  const { page, open } = owner
  const shop = authorizing(() => world)
  const { id } = await shop.authorize(await shop.storeCard(), 30)
  await open(`${path}/authorizations`)
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Release' }).click()
  await dialog.getByLabel('Amount in euros').fill('5')
  await dialog.getByText('Left afterwards: €25.00').waitFor()
  await dialog.getByRole('button', { name: 'Release' }).click()
  await page.getByRole('row').getByText('€25.00').waitFor()
  await page.getByRole('button', { name: 'Capture' }).click()
  await dialog.getByLabel('Amount in euros').fill('99')
  await dialog.getByRole('alert').waitFor()
  expect(await dialog.getByRole('button', { name: 'Capture' }).isDisabled()).toBe(true)
  await dialog.getByLabel('Amount in euros').fill('12,50')
  await dialog.getByText('Left afterwards: €12.50').waitFor()
  await expectGoodLooks(owner)
  expect((await shop.read(id)).captures).toEqual([])
  await dialog.getByRole('button', { name: 'Capture' }).dblclick()
  await expect.poll(() => page.getByRole('button', { name: 'Release' }).count()).toBe(0)
  expect((await shop.read(id)).captures).toMatchObject([{ amount: 12.5, status: 'COMPLETED' }])
})

it('a subscription is charged once despite double clicks, and ended', async () => {
  const { page, open } = owner
  const { id } = await subscribersOf(world).accepted()
  await open(`${path}/subscriptions`)
  await page
    .getByRole('row', { name: /Magazine/ })
    .getByRole('link')
    .click()
  await page.getByText('No charges yet').waitFor()
  await expectGoodLooks(owner)
  await page.getByRole('button', { name: 'Charge' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Amount in euros').fill('7,50')
  await dialog.getByRole('button', { name: 'Charge' }).dblclick()
  await page.getByRole('row', { name: /7\.50/ }).waitFor()
  expect((await world.shop.get(`/api/v2/subscriptions/${id}/charge`)).body.total).toBe(1)
  await page.getByRole('button', { name: 'End' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'End' }).click()
  await expect.poll(() => page.getByRole('button', { name: 'Charge' }).count()).toBe(0)
  expect((await world.shop.get(`/api/v2/subscriptions/${id}`)).body.status).toBe('VOIDED')
})

it('a stored card is shown without its number, and deleted', async () => {
  const { page, open } = owner
  const token = await storeCard(world, cards.frictionlessMastercard.number)
  await open(`${path}/cards?last4=%220368%22`)
  await page.getByRole('row', { name: /0368/ }).waitFor()
  expect(await page.content()).not.toContain(cards.frictionlessMastercard.number)
  await expectGoodLooks(owner)
  await page.getByRole('button', { name: 'Delete the card that ends in 0368' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('No results').waitFor()
  const esb = { 'proxy-authorization': `ESBToken=${world.shop.esb_token}` }
  expect((await world.shop.get(`/prows/v2/creditcard/${token}`, esb)).body.voided).toBe(true)
  await page.getByLabel('Show deleted cards').check()
  await page.getByRole('row', { name: /0368.*Deleted/ }).waitFor()
})

it('a mandate is shown with its remaining amount, and ended', async () => {
  const { page, open } = owner
  const phone = newPhone(world)
  const made = await asked('/api/v2/mandate/mbway', {
    phone: phone.number,
    type: 'ONECLICK',
    name: 'Ana Silva',
  })
  await phone.approve(made.mandate_id, { amount_limit: 50 })
  await open(`${path}/mandates`)
  const row = page.getByRole('row', { name: /Ana Silva.*Active.*50\.00/ })
  await row.waitFor()
  await expectGoodLooks(owner)
  await row.getByRole('button', { name: /End the mandate/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'End' }).click()
  await page.getByRole('row').getByText('Voided').waitFor()
  await open(`${path}/mandates?status=EXPIRED`)
  await page.getByText('No results').waitFor()
})

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

async function dialogOf({ page }: Visitor, name: string) {
  await page.getByRole('button', { name }).first().click()
  return page.getByRole('dialog')
}

it('references of every kind are made from the page, each once, and can be handed over', async () => {
  const { page, open } = owner
  await open(`${path}/references`)
  const listed = async () => (await world.shop.get('/api/v2/operations?method=MB')).body.total
  const before = await listed()
  const dialog = await dialogOf(owner, 'New reference')
  const make = dialog.getByRole('button', { name: 'Create reference' })
  const choose = async (kind: string) => {
    await dialog.getByLabel('Kind').click()
    await page.getByRole('option', { name: kind, exact: true }).click()
  }
  const ready = async (...texts: string[]) => {
    await page.getByRole('dialog', { name: 'The reference is ready' }).waitFor()
    for (const text of texts) await dialog.getByText(text).waitFor()
    await dialog.getByRole('button', { name: 'Done' }).click()
    await dialog.waitFor({ state: 'hidden' })
  }
  await dialog.getByLabel('Amount in euros').fill('ten')
  await dialog.getByLabel('E-mail of the customer').fill('ana')
  await dialog.getByLabel('Your invoice number').focus()
  await dialog.getByText('Enter an amount such as 12.50.').waitFor()
  await dialog.getByText('Enter an address such as').waitFor()
  await expectGoodLooks(owner)
  await dialog.getByLabel('Amount in euros').fill('12,50')
  await dialog.getByLabel('E-mail of the customer').fill('ana@example.com')
  await make.dblclick()
  await ready('€12.50', '21312')

  await dialogOf(owner, 'New reference')
  await choose('One amount, with a last day')
  await dialog.getByLabel('Amount in euros').fill('20')
  await make.click()
  await dialog.getByText('Choose a day at least two days ahead.').waitFor()
  await dialog.getByLabel('Last day').fill(inDays(5).slice(0, 10))
  await make.click()
  await ready('€20.00')

  await dialogOf(owner, 'New reference')
  await choose('Instant')
  await dialog.getByLabel('Amount in euros').fill('30')
  await dialog.getByLabel('Payable until').fill(inDays(2).slice(0, 16))
  await dialog.getByLabel('Payable from').fill(inDays(3).slice(0, 16))
  await make.click()
  await dialog.getByText('Choose a time between now and the end').waitFor()
  await dialog.getByLabel('Payable from').fill(inDays(1).slice(0, 16))
  await make.click()
  await ready('€30.00')
  expect(await listed()).toBe(before + 3)

  await dialogOf(owner, 'New reference')
  await choose('Recurring')
  await dialog.getByLabel('Minimum, in euros').fill('70')
  await dialog.getByLabel('Maximum, in euros').fill('60')
  await make.click()
  await dialog.getByText('Enter an amount that is not below the minimum.').waitFor()
  await dialog.getByLabel('Maximum, in euros').fill('90')
  await make.click()
  await ready('The customer can pay now')
  await page.getByText('€70.00 – €90.00').waitFor()
})

it('a reference whose answer was lost is made once when it is sent again; offline says so, in Portuguese', async () => {
  const { page, context, open, close } = await visit(world, browser, 'owner@demo.example', {
    locale: 'pt-PT',
  })
  await open(`${path}/references`)
  await page.getByRole('button', { name: 'Nova referência' }).click()
  const dialog = page.getByRole('dialog')
  const make = dialog.getByRole('button', { name: 'Criar a referência' })
  await make.click()
  await dialog.getByText('Introduza um montante, por exemplo 12,50.').waitFor()
  await dialog.getByLabel('Montante em euros').fill('100000')
  await make.click()
  await dialog.getByRole('alert').getByText('Montante: no máximo 99999,99.').waitFor()
  await dialog.getByLabel('Montante em euros').fill('44,44')
  await context.setOffline(true)
  await make.click()
  await dialog.getByRole('alert').getByText('Não é possível contactar o gateway').waitFor()
  await context.setOffline(false)
  await page.route('**/mb/pay', async (route) => {
    await route.fetch()
    await route.abort()
  })
  await make.click()
  await expect
    .poll(async () => (await world.shop.get('/api/v2/operations?amount=44.44')).body.total)
    .toBeGreaterThan(0)
  await dialog.getByRole('alert').getByText('Não é possível contactar o gateway').waitFor()
  await page.unroute('**/mb/pay')
  // A changed form would create another reference.
  await dialog.getByLabel('Montante em euros').fill('45,45')
  await make.click()
  await dialog.getByRole('alert').getByText('O primeiro formulário foi aceite').waitFor()
  await page.getByText('44,44').first().waitFor({ state: 'attached' })
  await dialog.getByRole('button', { name: 'Criar outro' }).waitFor()
  await dialog.getByLabel('Montante em euros').fill('44,44')
  await make.click()
  await page.getByRole('dialog', { name: 'A referência está pronta' }).waitFor()
  const { elements } = (await world.shop.get('/api/v2/operations?method=MB&limit=30')).body
  expect(elements.filter(({ amount }: Json) => amount === 44.44)).toHaveLength(1)
  expect(elements.filter(({ amount }: Json) => amount === 45.45)).toHaveLength(0)
  await close()
})

it('a mandate is asked for from the page, once, and appears when the customer accepts', async () => {
  const { page, open } = owner
  const phone = newPhone(world)
  await open(`${path}/mandates`)
  const dialog = await dialogOf(owner, 'New mandate')
  const ask = dialog.getByRole('button', { name: 'Send request' })
  await dialog.getByLabel('Mobile phone').fill('912')
  await ask.click()
  await dialog.getByText('Enter a number with + and country code').waitFor()
  await dialog.getByLabel('Mobile phone').fill(phone.number)
  await dialog.getByLabel('Name of the customer').fill('Inês Mota')
  await expectGoodLooks(owner)
  await ask.dblclick()
  await dialog.waitFor({ state: 'hidden' })
  await page.getByRole('row', { name: /Inês Mota/ }).waitFor()
  expect(await phone.requests()).toHaveLength(1)
  const { id } = await phone.pending()
  await phone.approve(id, { amount_limit: 40 })
  await page.reload()
  await page.getByRole('row', { name: /Inês Mota.*Active.*40\.00/ }).waitFor()
})

it('a user without the right or the method gets neither form', async () => {
  const plain = await visit(world, browser, 'owner@plain.example')
  await plain.page.waitForURL(/wallets\/\d+/)
  const own = new URL(plain.page.url()).pathname.replace('/backoffice', '')
  for (const [where, name] of [
    ['references', 'Multibanco references'],
    ['mandates', 'Mandates'],
  ] as const) {
    await plain.open(`${own}/${where}`)
    await heading(plain, name)
    expect(await plain.page.getByRole('button', { name: /^New/ }).count()).toBe(0)
  }
  await plain.close()
})

it('a read-only user sees the same lists without buttons', async () => {
  const { page, open } = reader
  for (const where of ['references', 'authorizations', 'subscriptions', 'mandates', 'cards?deleted=true']) {
    await open(`${path}/${where}`)
    await page.getByRole('row').nth(1).waitFor()
    expect(await page.getByRole('button', { name: /Delete|Capture|Release|Charge|End|New/ }).count()).toBe(0)
  }
  await expectGoodLooks(reader)
})

it('automatic charges are paused, resumed and changed, and the calendar shows them', async () => {
  const { page, open } = owner
  const subscribers = subscribersOf(world)
  const tomorrow = new Date((await subscribers.now()).getTime() + 86_400_000).toISOString().slice(0, 10)
  const terms = { start_date: tomorrow, description: 'Tea club', auto_charge: { amount: 5 } }
  const { id } = await subscribers.accepted(terms, cards.insufficientFunds)
  await world.advance('P1DT12H')
  await world.eventually(async () => (await subscribers.read(id)).auto_charge.latest?.result === 'RETRYING')

  await open(`${path}/auto-charges`)
  await heading(owner, 'Automatic charges')
  await page.getByText('not enough money (1)').waitFor()
  await expectGoodLooks(owner)
  await page.getByRole('link', { name: 'Tea club' }).click()
  const box = page.getByRole('region', { name: 'Automatic charges' })
  await box.getByText('Is tried again').waitFor()
  await box.getByRole('button', { name: 'Pause' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).click()
  await box.getByText('Paused').waitFor()
  await box.getByRole('button', { name: 'Resume' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Resume' }).click()
  await box.getByText('Active').waitFor()
  await box.getByRole('button', { name: 'Change the amount' }).click()
  await page.getByRole('textbox', { name: 'Amount in euros' }).fill('12.5')
  await page.getByRole('dialog').getByRole('button', { name: 'Change the amount' }).click()
  await box.getByText('€12.50').waitFor()
  await expectGoodLooks(owner)
  expect((await subscribers.read(id)).auto_charge).toMatchObject({ status: 'ACTIVE', amount: 12.5 })

  await reader.open(`${path}/subscriptions/${id}`)
  await reader.page.getByRole('region', { name: 'Automatic charges' }).waitFor()
  expect(await reader.page.getByRole('button', { name: 'Pause' }).count()).toBe(0)
})
