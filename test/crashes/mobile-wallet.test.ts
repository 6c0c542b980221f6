// The gateway dies while it asks phones and they answer. The record of the network decides.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databasesOr } from '../database.ts'
import { startMortalWorld } from '../gateway-here.ts'
import { newPhone, type Phone } from '../phone.ts'
import type { Answer, Json, World } from '../world.ts'
import { kills } from './kills.ts'

const customersMax = 4

interface Customer {
  readonly phone: Phone
  readonly mandate: Json
  readonly payment: Json
  answers: (Answer | undefined)[]
}

describe.each(databasesOr('postgres'))('on %s', (kind) => {
  let world: World
  beforeAll(async () => {
    world = await startMortalWorld(kind)
  })
  afterAll(() => world.stop())

  const post = (path: string, body: Json) => world.shop.post(path, body).catch(() => undefined)
  const paths = ['/api/v2/mandate/mbway', '/api/v2/payment'] as const

  function newCustomer(): Customer {
    const phone = newPhone(world)
    const mandate = { phone: phone.number, type: 'ONECLICK', request_id: randomUUID() }
    const payment = { method: 'MBWAY', type: 'PAYMENT', amount: 7, currency: 'EUR', request_id: randomUUID() }
    return { phone, mandate, payment: { ...payment, mbway: { phone: phone.number } }, answers: [] }
  }

  async function ask(customer: Customer): Promise<void> {
    customer.answers = [await post(paths[0], customer.mandate), await post(paths[1], customer.payment)]
  }

  /** Approves every request, changes the mandate, and pays with it, until the gateway dies. */
  async function live({ phone, payment }: Customer): Promise<void> {
    try {
      for (const { id, state } of await phone.requests()) if (state === 'PENDING') await phone.approve(id)
      await post(paths[1], { ...payment, request_id: randomUUID() })
      for (const { mandate_id } of await phone.mandates()) await phone.change(mandate_id, 'suspend')
    } catch {}
  }

  it.each(kills.phones)('killed at "%s" (%i), loses nothing and repeats nothing', async (point, count) => {
    const customers = Array.from({ length: customersMax }, newCustomer)
    await world.armCrash(point, count)
    const burst = Promise.all(
      customers.map(async (customer) => {
        await ask(customer)
        await live(customer)
      }),
    )
    await world.crashed()
    await burst
    await world.restart()

    for (const customer of customers) {
      const before = customer.answers
      await world.eventually(async () => {
        await ask(customer)
        return customer.answers.every((answer) => answer?.status === 200)
      })
      for (const [index, answer] of before.entries())
        if (answer?.status === 200) expect(customer.answers[index]?.text).toBe(answer.text)
    }
    // Requests that the gateway wrote but did not send reach the phone now.
    await world.advance('PT15S')
    await Promise.all(customers.map(live))
    // The gateway asks about lost reports: about payments at their end, about mandates once a day.
    await world.advance('PT5M')
    await world.advance('P1DT1H')

    for (const { phone, answers } of customers) {
      const [mandate, payment] = answers.map((answer) => answer?.body)
      const requests: Json[] = await phone.requests()
      expect(requests.filter(({ kind: what }) => what === 'mandate')).toHaveLength(1)
      const [allowed] = await phone.mandates()
      const known = (await world.shop.get(`${paths[0]}/${mandate.mandate_id}`)).body
      expect(known).toMatchObject({ state: allowed.state, amount_limit: allowed.amount_limit })
      expect(known.state).toBe('SUSPENDED')

      const encoded = encodeURIComponent(phone.number)
      const list = await world.shop.get(`/api/v2/operations?method=MBWAY&phone=${encoded}&limit=30`)
      const operations: Json[] = list.body.elements
      expect(operations.map(({ id }) => id)).toContain(payment.id)
      const outcomes = operations.map(({ id, status }) => `${id} ${status}`)
      const said = requests
        .filter(({ kind: what }) => what === 'payment')
        .map(({ id, state }) => `${id} ${state === 'APPROVED' ? 'COMPLETED' : 'FAIL'}`)
      expect(outcomes.sort()).toEqual(said.sort())
    }
    expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
  })
})
