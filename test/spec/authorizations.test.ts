// Authorizations: an amount is reserved on a card, released, captured in parts, and lapses (SPEC.md "Authorizations").
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, cards, type Json, startWorld, type World } from '../world.ts'

let world: World

beforeAll(async () => {
  world = await startWorld()
})
afterAll(async () => {
  expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
  await world.stop()
})

/** An authorization accepted on the hosted page. */
async function accepted(change: Record<string, unknown> = {}, card: { number: string } = cards.frictionless) {
  const made = await world.createCheckout({
    payment: undefined,
    authorization: { amount: 10, currency: 'EUR', ...change },
  })
  await world.payOnPage(made, card)
  return (await read(made.authorization.id)) as Json
}

const path = (id: string, verb: string) => `/api/v2/authorizations/${id}/${verb}`
const capture = (id: string, body?: unknown): Promise<Answer> => world.shop.post(path(id, 'capture'), body)
const release = (id: string, body?: unknown): Promise<Answer> => world.shop.post(path(id, 'release'), body)
async function read(id: string): Promise<Json> {
  return (await world.shop.get(`/api/v2/authorizations/${id}`)).body
}

describe('capturing', () => {
  it('takes a part, and with no body all that remains', async () => {
    const { id, expires } = await accepted()
    const first = await capture(id, { amount: 4 })
    expect(first).toMatchObject({
      status: 200,
      body: {
        type: 'CAPTURE',
        status: 'COMPLETED',
        amount: 4,
        fee: -0.19,
        amount_net: 3.81,
        parent: id,
        expires,
      },
    })
    const rest = await capture(id)
    expect(rest).toMatchObject({ status: 200, body: { amount: 6, refundable: true } })
    const { captures, releases } = await read(id)
    expect(captures).toEqual([first.body, rest.body])
    expect(releases).toEqual([])
    expect(await capture(id, { amount: 0.2 })).toMatchObject({ status: 409, body: { code: 40015 } })
    expect(await release(id)).toMatchObject({ status: 409, body: { code: 10013 } })
  })
})
