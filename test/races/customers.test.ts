// Races on customers and their saved cards.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openPage, type Page, submit } from '../browserless.ts'
import { cards, type Json, startWorld, type World } from '../world.ts'

let world: World

beforeAll(async () => {
  world = await startWorld('postgres')
})
afterAll(async () => {
  expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
  await world.stop()
})

const path = '/api/v2/customers'
const rounds = 12

async function createCustomer(): Promise<string> {
  return (await world.shop.post(path, {})).body.id
}
const checkoutFor = (id: string) => world.createCheckout({ customer: { id } })
const cardsOf = async (id: string): Promise<Json[]> =>
  (await world.shop.get(`${path}/${id}/payment_methods`)).body.elements
const savedForm = (page: Page) => page.forms.find(({ fields }) => 'saved' in fields)
const isDecided = async ({ payment }: Json) => {
  const { status } = await world.operation(payment.id)
  return status === 'COMPLETED' && status
}

it('of many creations with one ext_customerid one wins', async () => {
  for (let round = 0; round < rounds; round++) {
    const ext_customerid = randomUUID().slice(0, 8)
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => world.shop.post(path, { ext_customerid })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(409)])
    expect((await world.shop.get(`${path}?ext_customerid=${ext_customerid}`)).body.total).toBe(1)
  }
})

it('of two customers who change to one ext_customerid one wins', async () => {
  for (let round = 0; round < rounds; round++) {
    const ids = await Promise.all([createCustomer(), createCustomer()])
    const ext_customerid = randomUUID().slice(0, 8)
    const answers = await Promise.all(
      ids.map((id) =>
        world.request(`${path}/${id}`, {
          method: 'PATCH',
          headers: {
            authorization: `Comporta ${world.shop.api_key}`,
            'content-type': 'application/json',
          },
          body: JSON.stringify({ ext_customerid }),
        }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  }
})

it('a card that is deleted while a checkout pays with it: the payment is whole or was never asked for', async () => {
  const outcomes = new Set<string>()
  for (let round = 0; round < rounds * 2; round++) {
    const id = await createCustomer()
    await world.payOnPage(await checkoutFor(id), cards.frictionless, { save: 'yes' })
    const [card] = await cardsOf(id)
    const checkout = await checkoutFor(id)
    const page = await openPage(checkout.url_redirect)
    const form = savedForm(page)
    if (form === undefined) throw new Error(page.text)
    // Swept, because no single point separates the two requests.
    const pause = new Promise((resolve) => setTimeout(resolve, round % 8))
    const [deleted, answer] = await Promise.all([
      pause.then(() => world.shop.delete(`${path}/${id}/payment_methods/${card.id}`)),
      submit(page, form, { vcode: '123' }),
    ])
    expect(deleted.text).toBe('true')
    expect(await cardsOf(id)).toEqual([])
    const refused = answer.text.includes('This card is no longer saved')
    if (!refused) await world.eventually(() => isDecided(checkout))
    outcomes.add(refused ? 'refused' : 'paid')
    expect((await world.operation(checkout.payment.id)).status === 'COMPLETED').toBe(!refused)
  }
  expect(outcomes.size).toBeGreaterThan(0)
})

it('a customer who is deleted while a payment saves a card keeps none', async () => {
  for (let round = 0; round < rounds; round++) {
    const id = await createCustomer()
    const checkout = await checkoutFor(id)
    const pause = new Promise((resolve) => setTimeout(resolve, (round % 6) * 4))
    await Promise.all([
      pause.then(() => world.shop.delete(`${path}/${id}`)),
      world.payOnPage(checkout, cards.frictionless, { save: 'yes' }),
    ])
    await world.eventually(() => isDecided(checkout))
  }
})

it('two payments at once save one card once', async () => {
  for (let round = 0; round < rounds; round++) {
    const id = await createCustomer()
    const checkouts = await Promise.all([checkoutFor(id), checkoutFor(id), checkoutFor(id)])
    await Promise.all(checkouts.map((one) => world.payOnPage(one, cards.frictionless, { save: 'yes' })))
    for (const checkout of checkouts) await world.eventually(() => isDecided(checkout))
    expect(await cardsOf(id)).toHaveLength(1)
  }
})
