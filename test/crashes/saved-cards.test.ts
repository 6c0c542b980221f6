// The gateway dies while customers save cards and pay with saved ones. Each payment is made once, each card is kept once.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openPage, type Page, type PageForm, submit } from '../browserless.ts'
import { startMortalWorld } from '../gateway-here.ts'
import { cards, type Json, type World } from '../world.ts'
import { type Kill, kills } from './kills.ts'

const customersPerCrash = 6
/** In cents, of 10 €. */
const afterFee = 975
const typed = { number: cards.frictionless.number, name: 'Ana', expiry: '12/30', vcode: '123' }

let world: World

beforeAll(async () => {
  world = await startMortalWorld()
})
afterAll(() => world.stop())

async function createCustomers(): Promise<string[]> {
  const made: string[] = []
  for (let n = 0; n < customersPerCrash; n++)
    made.push((await world.shop.post('/api/v2/customers', {})).body.id)
  return made
}
const cardsOf = async (id: string): Promise<Json[]> =>
  (await world.shop.get(`/api/v2/customers/${id}/payment_methods`)).body.elements
const checkoutFor = (id: string) => world.createCheckout({ customer: { id } })
const statusOf = async ({ payment }: Json) => (await world.operation(payment.id)).status
const formWith = (page: Page, field: string): PageForm | undefined =>
  page.forms.find(({ fields }) => field in fields)

async function payTheFirstTime({ url_redirect }: Json): Promise<unknown> {
  const page = await openPage(url_redirect)
  const form = formWith(page, 'number')
  return form && submit(page, form, { ...typed, save: 'yes' })
}

async function payWithTheSavedCard({ url_redirect }: Json): Promise<unknown> {
  const page = await openPage(url_redirect)
  const form = formWith(page, 'saved')
  return form && submit(page, form, { vcode: '123' })
}

/** Starts all payments, and restarts the gateway that dies among them. Then each customer tries until it is paid. */
async function payThrough(
  checkouts: readonly Json[],
  pay: (checkout: Json) => Promise<unknown>,
  [point, count]: Kill,
): Promise<void> {
  await world.armCrash(point, count)
  const paying = Promise.allSettled(checkouts.map(pay))
  await world.crashed()
  await paying
  await world.restart()
  await world.eventually(async () => {
    await world.advance('PT5M')
    for (const checkout of checkouts) await pay(checkout)
    const statuses = await Promise.all(checkouts.map(statusOf))
    return statuses.every((status) => status === 'COMPLETED')
  })
}

async function expectOnePaymentEach(checkouts: readonly Json[], before: number): Promise<void> {
  expect(await balance()).toBe(before + checkouts.length * afterFee)
  expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
}
const balance = async () => Math.round(Number((await world.shop.get('/api/v2/balance')).body.balance) * 100)

it.each(kills.savingCards)('killed at "%s" (%i) while cards are saved', async (...kill: Kill) => {
  const customers = await createCustomers()
  const before = await balance()
  const checkouts = await Promise.all(customers.map(checkoutFor))
  await payThrough(checkouts, payTheFirstTime, kill)
  await expectOnePaymentEach(checkouts, before)
  for (const id of customers) expect(await cardsOf(id)).toMatchObject([{ status: 'ACTIVE' }])
})

it.each(kills.payingWithSavedCards)('killed at "%s" (%i) while saved cards pay', async (...kill: Kill) => {
  const customers = await createCustomers()
  for (const id of customers) await payTheFirstTime(await checkoutFor(id))
  const saved = await Promise.all(customers.map(cardsOf))
  const before = await balance()
  const checkouts = await Promise.all(customers.map(checkoutFor))
  await payThrough(checkouts, payWithTheSavedCard, kill)
  await expectOnePaymentEach(checkouts, before)
  expect(await Promise.all(customers.map(cardsOf))).toEqual(saved)
})

it('killed while the customer is at the bank: without its security code, the saved card is not charged', async () => {
  const [customer = ''] = await createCustomers()
  const atBank = async (page: Page | undefined): Promise<Page | undefined> => {
    const next = page?.forms.find(({ action }) => /\/bank\b|\/challenge\b|\/3ds\/return\//.test(action))
    if (page === undefined || next === undefined) return page
    return atBank(await submit(page, next, 'otp' in next.fields ? { otp: '0101' } : {}))
  }
  const first = await openPage((await checkoutFor(customer)).url_redirect)
  const challenged = { ...typed, number: cards.challenge.number, save: 'yes' }
  await atBank(await submit(first, formWith(first, 'number') as PageForm, challenged))
  const before = await balance()
  const checkout = await checkoutFor(customer)
  const page = await openPage(checkout.url_redirect)
  const bank = await submit(page, formWith(page, 'saved') as PageForm, { vcode: '123' })
  await world.kill()
  await world.restart()
  await atBank(bank)
  await world.eventually(async () => {
    await world.advance('PT1M')
    return (await openPage(checkout.url_redirect)).text.includes('The payment was not')
  })
  expect(await balance()).toBe(before)
  const again = await openPage(checkout.url_redirect)
  await atBank(await submit(again, formWith(again, 'saved') as PageForm, { vcode: '123' }))
  expect(await statusOf(checkout)).toBe('COMPLETED')
})

it('killed while cards and customers are deleted: none is half deleted, and the merchant can repeat it', async () => {
  const [first = '', second = ''] = await createCustomers()
  for (const id of [first, second]) await payTheFirstTime(await checkoutFor(id))
  const [card] = await cardsOf(first)
  for (const path of [`${first}/payment_methods/${card.id}`, second]) {
    const remove = () => world.shop.delete(`/api/v2/customers/${path}`)
    await world.armCrash('transaction written, not committed', 1)
    await Promise.allSettled([remove(), world.crashed()])
    await world.restart()
    expect(await remove()).toMatchObject({ status: 200, text: 'true' })
    expect(await remove()).toMatchObject({ status: 404 })
  }
  expect(await cardsOf(first)).toEqual([])
  expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
})
