// SIGKILL at any point: no charge is lost or taken twice, and a payment never stands without its subscription.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { formTo, openPage, submit } from '../browserless.ts'
import { databaseKinds } from '../database.ts'
import { type Subscribers, subscribersOf } from '../subscribers.ts'
import { type Answer, cards, type Json, startWorld, type World } from '../world.ts'

/** Milliseconds after the first of a burst: before, within and after every step of it. */
const killMoments = [10, 40, 120, 300]
const chargesPerCrash = 25
const unitsPerCrash = 6
/** A callback that the killed process had in hand is sent again when its lease, in real time, has run out. */
const leaseSecondsMax = 40

describe.each(databaseKinds)('on %s', (kind) => {
  let world: World
  let subscribers: Subscribers

  beforeAll(async () => {
    world = await startWorld(kind)
    subscribers = subscribersOf(world)
  })
  afterAll(() => world.stop())

  async function killAt(moment: number): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, moment))
    await world.kill()
  }

  it.each(killMoments)('killed %i ms into a burst of charges, each is taken once', async (moment) => {
    const paying = await subscribers.accepted({ amount: 1000 })
    const declined = await subscribers.accepted({ amount: 1000 }, cards.insufficientFunds)
    const asked = Array.from({ length: chargesPerCrash }, (_, index) => ({
      path: `/api/v2/subscriptions/${index % 5 === 0 ? declined.id : paying.id}/charge`,
      body: {
        payment: { amount: 10, currency: 'EUR', ext_invoiceid: `B-${randomUUID()}` },
        request_id: randomUUID(),
      },
    }))
    const sending = Promise.all(
      asked.map(({ path, body }) => world.shop.post(path, body).catch(() => undefined)),
    )
    await killAt(moment)
    const before = await sending
    await world.restart()

    // The merchant sends again what got no answer, and finds what was accepted.
    const answers: Answer[] = []
    for (const { path, body } of asked) {
      answers.push(
        await world.eventually(async () => {
          const answer = await world.shop.post(path, body)
          if (answer.body.code !== 10014) return answer
          await world.advance('PT2M')
          return undefined
        }),
      )
    }
    for (const [index, answer] of answers.entries()) {
      expect(answer.status).toBe(200)
      if (before[index]?.status === 200) expect(answer.text).toBe(before[index].text)
    }
    await world.eventually(async () => {
      await world.advance('PT5M')
      const orders = await Promise.all(
        answers.map(({ body }) => subscribers.chargeOf(body.subscription_id, body.id)),
      )
      return orders.every(({ status, subscription_id }) =>
        subscription_id === paying.id ? status === 'SUCCESS' : status === 'FAIL',
      )
    }, 30)
    for (const { body } of asked) {
      const { total } = (
        await world.shop.get(`/api/v2/operations?ext_invoiceid=${body.payment.ext_invoiceid}`)
      ).body
      expect(total).toBe(1)
    }
    await world.advance('P3D')
    await world.eventually(async () => {
      const told = world.receiver.received('/callbacks').map(({ body }) => JSON.parse(body))
      return answers.every(({ body }) => told.some(({ charge_order_id }) => charge_order_id === body.id))
    }, leaseSecondsMax)
    expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
  })

  it.each(killMoments)('killed %i ms into payments with subscriptions, both or neither', async (moment) => {
    const payment = { amount: 5, currency: 'EUR' }
    const checkouts: Json[] = []
    for (let n = 0; n < unitsPerCrash; n++) checkouts.push(await subscribers.checkout({}, { payment }))
    const pages = await Promise.all(checkouts.map(({ url_redirect }) => openPage(url_redirect)))
    const typed = { number: cards.frictionless.number, name: 'Ana', expiry: '12/30', vcode: '123' }
    const paying = pages.map((page) => submit(page, formTo(page, '/card'), typed).catch(() => undefined))
    await killAt(moment)
    await Promise.all(paying)
    await world.restart()

    const pairOf = async ({ payment: paid, subscription }: Json) =>
      `${(await world.operation(paid.id)).status} ${(await subscribers.read(subscription.id)).status}`
    for (const checkout of checkouts) {
      expect(['NEW NEW', 'PENDING NEW', 'COMPLETED APPROVED']).toContain(await pairOf(checkout))
    }
    // A day later nobody is left waiting.
    await world.eventually(async () => {
      await world.advance('PT13H')
      const pairs = await Promise.all(checkouts.map(pairOf))
      return pairs.every((pair) => pair === 'COMPLETED APPROVED' || pair === 'FAIL FAILED')
    }, 30)
    expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
  })
})
