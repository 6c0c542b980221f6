// Home and payments: found, read, exported, refunded, captured and split, by somebody who may and somebody who may not.
import { randomUUID } from 'node:crypto'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { authorizing } from '../../authorizing.ts'
import { type SignedIn, signIn } from '../../people.ts'
import { payByToken } from '../../stored-cards.ts'
import { cards, type Json, startWorld, type World } from '../../world.ts'
import { openBrowser } from '../browser.ts'
import { expectGoodLooks, type Visitor, visit } from './visitor.ts'

let world: World
let browser: Browser
let owner: Visitor
let reader: Visitor
let asOwner: SignedIn
let token: string
const { storeCard, authorize } = authorizing(() => world)

beforeAll(async () => {
  ;[world, browser] = await Promise.all([startWorld(), openBrowser()])
  token = await storeCard()
  for (let n = 1; n <= 60; n++) await payByToken(world, token, { ext_invoiceid: `INV-${n}` })
  ;[owner, reader] = await Promise.all([
    visit(world, browser, 'owner@demo.example'),
    visit(world, browser, 'reader@demo.example'),
  ])
  asOwner = await signIn(world, 'owner@demo.example')
})
afterAll(async () => {
  await Promise.all([browser?.close(), world?.stop()])
})

const wallet = () => `/wallets/${world.shop.wallet_id}`
const dialog = (page: Page) => page.getByRole('dialog')

async function openPayment({ open, page }: Visitor, id: string): Promise<void> {
  await open(`${wallet()}/payments/${id}`)
  await page.getByRole('heading', { name: 'What happened' }).waitFor()
}

describe('home', () => {
  it('shows what was sold and what waits, as the API counts it', async () => {
    await world.shop.post('/api/v2/mb/pay', { amount: 12.5, currency: 'EUR', method: 'MB', type: 'PAYMENT' })
    const { body } = await asOwner.get(`${wallet()}/home`)
    expect(body.today).toMatchObject({ amount: 600, payments: 60, amount_before: 0 })
    expect(body.methods[0]).toMatchObject({ method: 'CC', completed: 60, failed: 0, amount: 600 })
    expect(body.waiting.references).toEqual({ count: 1, amount: 12.5 })
    await owner.open(wallet())
    await owner.page.getByRole('region', { name: 'Today' }).getByText('€600.00').waitFor()
    await owner.page
      .getByRole('img', { name: /Amounts sold/ })
      .locator('svg')
      .first()
      .waitFor()
    await owner.page.getByRole('link', { name: 'Bank references open' }).waitFor()
    await expectGoodLooks(owner)
    await owner.page.getByRole('link', { name: 'Bank references open' }).click()
    await owner.page.getByRole('row').nth(1).getByText('€12.50').waitFor()
    expect(owner.problems()).toEqual([])
  })
})

describe('payments', () => {
  it('are one list without an end, narrowed by what the address says', async () => {
    const { page, open } = reader
    await open(`${wallet()}/payments`)
    await page.getByText('Loading more').waitFor()
    await expectGoodLooks(reader)
    await page.mouse.wheel(0, 100_000)
    await page.getByText('Payments shown: 61.').waitFor()
    await page.getByLabel('Search payments').fill('inv-42')
    await page.getByText('Payments shown: 1.').waitFor()
    await page.waitForURL(/text=inv-42/)
    await page.reload()
    await page.getByText('Payments shown: 1.').waitFor()
    await page.getByText('Refunds', { exact: true }).click()
    await page.getByText('Nothing matches').waitFor()
    await page.getByRole('button', { name: 'Clear all' }).click()
    await page.waitForURL((url) => url.search === '')
    await page.getByRole('button', { name: 'Filters' }).click()
    await page.getByLabel('Least amount').fill('12')
    await page.getByLabel('Least amount').press('Enter')
    await page.getByText('Payments shown: 1.').waitFor()
    expect(reader.problems()).toEqual([])
  })

  it('say which filter cannot be read', async () => {
    const said = await asOwner.get(`${wallet()}/payments?from=yesterday`)
    expect(said).toMatchObject({
      status: 400,
      body: { code: 10002, reason: expect.stringContaining('from') },
    })
    await reader.open(`${wallet()}/payments?from=yesterday`)
    await reader.page.getByRole('alert').getByText('from must be a day').waitFor()
  })

  it('are exported as a file of which no cell is a formula', async () => {
    await payByToken(world, token, { ext_invoiceid: '=1+1', amount: 77 })
    const { text, headers } = await asOwner.get(`${wallet()}/payments.csv?min=77&max=77`)
    expect(headers.get('content-disposition')).toMatch(/payments-\d{4}-\d\d-\d\d\.csv/)
    const [head, line, ...rest] = text.trim().split('\r\n')
    expect(head).toMatch(/^id,date,type,status/)
    expect(line).toContain(',77.00,')
    expect(line).toContain(",'=1+1,")
    expect(rest).toEqual([])
    expect((await asOwner.get(`${wallet()}/payments.csv`)).text.trim().split('\r\n')).toHaveLength(63)
  })
})

describe('a payment', () => {
  it('tells its whole story', async () => {
    const paid: Json = await payByToken(world, token, { callback: world.receiver.url('/operation') })
    await world.shop.post(`/api/v2/operations/${paid.id}/refund`, { amount: 3 })
    await world.eventually(async () => {
      const { body } = await asOwner.get(`${wallet()}/payments/${paid.id}`)
      return body.timeline.some(({ kind }: Json) => kind === 'delivery')
    })
    const { body } = await asOwner.get(`${wallet()}/payments/${paid.id}`)
    const kinds = body.timeline.map(({ kind, word }: Json) => (word === undefined ? kind : `${kind} ${word}`))
    for (const kind of [
      'made PAYMENT',
      'settled COMPLETED',
      'booked settle',
      'made REFUND',
      'event COMPLETED',
    ])
      expect(kinds).toContain(kind)
    expect(body.left).toEqual({ refund: 7, ...(body.left.split && { split: 10 }) })
    expect(body.family.map(({ type }: Json) => type)).toEqual(['PAYMENT', 'REFUND'])
    await openPayment(reader, paid.id)
    await reader.page
      .getByRole('region', { name: 'What happened' })
      .getByText('Callback sent')
      .first()
      .waitFor()
    await reader.page
      .getByRole('region', { name: 'Belongs together' })
      .getByRole('link', { name: 'Refund' })
      .waitFor()
    await expectGoodLooks(reader)
    expect(await reader.page.getByRole('button', { name: 'Refund' }).count()).toBe(0)
    const foreign = await signIn(world, 'owner@plain.example')
    const others = `/wallets/${foreign.session.wallets[0].id}/payments/${paid.id}`
    expect(await foreign.get(others)).toMatchObject({ status: 404 })
  })

  it('made on a hosted page tells its attempts, with 3-D Secure, and the requests that asked for it', async () => {
    const made = await world.createCheckout({ request_id: randomUUID() })
    await world.payOnPage(made, cards.frictionless)
    const { body } = await asOwner.get(`${wallet()}/payments/${made.payment.id}`)
    expect(body.belongs_to).toEqual({ checkout: made.id })
    const kinds = body.timeline.map(({ kind }: Json) => kind)
    for (const kind of ['asked', 'made', 'attempt', 'authenticated', 'attempt_ended', 'settled', 'booked'])
      expect(kinds).toContain(kind)
    const times = body.timeline.map(({ at }: Json) => at)
    expect(times).toEqual([...times].sort())
    expect(JSON.stringify(body)).not.toContain(cards.frictionless.number)
  })

  it('is refunded once on a double click, after a preview of what that books', async () => {
    const paid: Json = await payByToken(world, token)
    const { page } = owner
    await openPayment(owner, paid.id)
    await page.getByRole('button', { name: 'Refund' }).click()
    await dialog(page).getByLabel('Amount').fill('100')
    await dialog(page).getByText('There is not that much left').waitFor()
    await dialog(page).getByLabel('Amount').fill('4')
    await dialog(page).getByText('from your balance to the provider').waitFor()
    await expectGoodLooks(owner)
    await dialog(page)
      .getByRole('button', { name: /Refund €4/ })
      .dblclick()
    await dialog(page).waitFor({ state: 'hidden' })
    await page.getByRole('region', { name: 'Facts' }).getByText('€4.00').waitFor()
    const { body } = await world.shop.get(`/api/v2/operations?parent=${paid.id}`)
    expect(body).toMatchObject({ total: 1, elements: [{ amount: -4 }] })
    expect(owner.problems()).toEqual([])
  })

  it('says that somebody else refunded it meanwhile, and how it stands', async () => {
    const paid: Json = await payByToken(world, token)
    const { page } = owner
    await openPayment(owner, paid.id)
    await page.getByRole('button', { name: 'Refund' }).click()
    await dialog(page).getByText('from your balance to the provider').waitFor()
    await world.shop.post(`/api/v2/operations/${paid.id}/refund`, { amount: 6 })
    await dialog(page)
      .getByRole('button', { name: /Refund €10/ })
      .click()
    await dialog(page).getByText('This payment was changed meanwhile').waitFor()
    await dialog(page).getByRole('button', { name: 'Cancel' }).last().click()
    await page.getByRole('region', { name: 'Facts' }).getByText('€6.00').waitFor()
    expect((await world.shop.get(`/api/v2/operations?parent=${paid.id}`)).body.total).toBe(1)
  })

  it('that is an authorization is captured, and what is left released is refused by the rules', async () => {
    const held = await authorize(token, 20)
    const { page } = owner
    await openPayment(owner, held.id)
    await page.getByRole('button', { name: 'Capture' }).click()
    await dialog(page).getByLabel('Amount').fill('5')
    await dialog(page).getByText('from the provider to your balance').waitFor()
    await dialog(page)
      .getByRole('button', { name: /Capture €5/ })
      .click()
    await dialog(page).waitFor({ state: 'hidden' })
    await page.getByRole('link', { name: 'Capture' }).waitFor()
    expect(await page.getByRole('button', { name: 'Release' }).count()).toBe(0)
    const { body } = await asOwner.get(`${wallet()}/payments/${held.id}`)
    expect(body.left).toEqual({ capture: 15 })
  })
})
