// The gateway dies at any point of subscriptions and their charges.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { formTo, openPage, submit } from '../browserless.ts'
import { databasesOr } from '../database.ts'
import { startMortalWorld } from '../gateway-here.ts'
import { moneyOf } from '../money.ts'
import { type Subscribers, subscribersOf } from '../subscribers.ts'
import { type Answer, cards, type Json, type World } from '../world.ts'
import { kills } from './kills.ts'

const chargesPerCrash = 25
const unitsPerCrash = 6

describe.each(databasesOr('postgres'))('on %s', (kind) => {
  let world: World
  let subscribers: Subscribers
  const charges: Json[] = []

  beforeAll(async () => {
    world = await startMortalWorld(kind)
    subscribers = subscribersOf(world)
  })
  afterAll(() => world.stop())

  const money = () => moneyOf(world)

  it.each(kills.charges)(
    'killed at "%s" (%i) in a burst of charges, takes each once',
    async (point, count) => {
      const paying = await subscribers.accepted({ amount: 1000 })
      const declined = await subscribers.accepted({ amount: 1000 }, cards.insufficientFunds)
      const consumer = await money().consumer(1000)
      const fromBalance = await subscribers.checkout({ amount: 1000 })
      await money().pay(fromBalance, 'wallet', { email: consumer.email, pin: consumer.pin })
      const fromAccount = await subscribers.checkout({ amount: 1000 })
      await money().pay(fromAccount, 'paypal')
      await money().sandbox(`online-wallet/${fromAccount.subscription.id}/approve`)
      const charged = [
        ...[declined, paying, fromBalance.subscription],
        ...[fromAccount.subscription, fromBalance.subscription],
      ]
      const asked = Array.from({ length: chargesPerCrash }, (_, index) => ({
        path: `/api/v2/subscriptions/${charged[index % charged.length].id}/charge`,
        body: {
          payment: { amount: 10, currency: 'EUR', ext_invoiceid: `B-${randomUUID()}` },
          request_id: randomUUID(),
        },
      }))
      await world.armCrash(point, count)
      const sending = Promise.all(
        asked.map(({ path, body }) => world.shop.post(path, body).catch(() => undefined)),
      )
      await world.crashed()
      const before = await sending
      await world.restart()

      // The merchant repeats the requests without an answer. The gateway finds those that it had accepted.
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
          subscription_id === declined.id ? status === 'FAIL' : status === 'SUCCESS',
        )
      })
      for (const { body } of asked) {
        const { total } = (
          await world.shop.get(`/api/v2/operations?ext_invoiceid=${body.payment.ext_invoiceid}`)
        ).body
        expect(total).toBe(1)
      }
      expect(await money().balanceOf(consumer.email)).toBe(1000 - 10 * 10)
      charges.push(...answers.map(({ body }) => body))
      expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
    },
  )

  it.each(kills.autoCharges)(
    'killed at "%s" (%i) while cycles are due, charges each of them once',
    async (point, count) => {
      const now = await subscribers.now()
      const start_date = new Date(now.getTime() + 86_400_000).toISOString().slice(0, 10)
      const ext_invoiceid = `A-${randomUUID().slice(0, 8)}`
      const terms = { amount: 10, start_date, period: 'WEEK', auto_charge: { amount: 3, ext_invoiceid } }
      const ids: string[] = []
      for (let n = 0; n < unitsPerCrash; n++) {
        const card = n === 0 ? cards.insufficientFunds : cards.frictionless
        ids.push((await subscribers.accepted(terms, card)).id)
      }
      await world.armCrash(point, count)
      const moving = world.advance('P2D').catch(() => undefined)
      await world.crashed()
      await moving
      await world.restart()
      await world.eventually(async () => {
        await world.advance('PT5M')
        const all = await Promise.all(ids.map(subscribers.read))
        return all.every(({ auto_charge: { latest } }, index) =>
          index === 0 ? latest?.result === 'RETRYING' : latest?.result === 'PAID',
        )
      })
      const { elements } = (await world.shop.get(`/api/v2/operations?ext_invoiceid=${ext_invoiceid}-1`)).body
      expect(elements.map(({ status }: Json) => status).sort()).toEqual([
        ...Array(unitsPerCrash - 1).fill('COMPLETED'),
        'FAIL',
      ])
      for (const id of ids) {
        const { body } = await world.shop.get(`/api/v2/subscriptions/${id}/charge`)
        expect(body).toMatchObject({ total: 1 })
        await world.shop.delete(`/api/v2/subscriptions/${id}`)
      }
      expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
    },
  )

  it.each([
    'attempt opened, rail not asked',
    'rail answered, nothing written',
    'settled, its attempt still open',
  ] as const)('killed at "%s", accepts by PAYPAL once, with and without a payment', async (point) => {
    const payment = { amount: 5, currency: 'EUR' }
    const alone = await subscribers.checkout()
    const both = await subscribers.checkout({}, { payment })
    for (const [checkout, key] of [
      [alone, alone.subscription.id],
      [both, both.payment.id],
    ] as const) {
      await money().pay(checkout, 'paypal')
      await world.armCrash(point, 1)
      const approving = money()
        .sandbox(`online-wallet/${key}/approve`)
        .catch(() => undefined)
      await world.crashed()
      await approving
      await world.restart()
      await world.eventually(async () => {
        await world.advance('PT5M')
        return (await subscribers.read(checkout.subscription.id)).status === 'APPROVED'
      })
      const charge = await subscribers.charge(checkout.subscription.id, 1)
      expect(await subscribers.processed(checkout.subscription.id, charge.body.id)).toMatchObject({
        status: 'SUCCESS',
      })
    }
    expect(await world.operation(both.payment.id)).toMatchObject({ status: 'COMPLETED', amount: 5 })
    expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
  })

  it.each(kills.paymentsWithSubscriptions)(
    'killed at "%s" (%i) in payments with subscriptions, makes both or neither',
    async (point, count) => {
      const payment = { amount: 5, currency: 'EUR' }
      const checkouts: Json[] = []
      for (let n = 0; n < unitsPerCrash; n++) checkouts.push(await subscribers.checkout({}, { payment }))
      const pages = await Promise.all(checkouts.map(({ url_redirect }) => openPage(url_redirect)))
      const typed = { number: cards.frictionless.number, name: 'Ana', expiry: '12/30', vcode: '123' }
      const { email, pin } = await money().consumer(5 * unitsPerCrash)
      await world.armCrash(point, count)
      const paying = pages.map((page, index) => {
        const [part, fields] =
          index % 2 === 0 ? (['card', typed] as const) : (['wallet', { email, pin }] as const)
        return submit(page, formTo(page, `/${part}`), fields).catch(() => undefined)
      })
      await world.crashed()
      await Promise.all(paying)
      await world.restart()

      /** Reads the payment before and after the subscription, because the resolver may change both in between. */
      const pairOf = async ({ payment: paid, subscription }: Json): Promise<string> => {
        for (;;) {
          const { status } = await world.operation(paid.id)
          const pair = `${status} ${(await subscribers.read(subscription.id)).status}`
          if ((await world.operation(paid.id)).status === status) return pair
        }
      }
      for (const checkout of checkouts) {
        expect(['NEW NEW', 'PENDING NEW', 'COMPLETED APPROVED']).toContain(await pairOf(checkout))
      }
      await world.eventually(async () => {
        await world.advance('PT13H')
        const pairs = await Promise.all(checkouts.map(pairOf))
        return pairs.every((pair) => pair === 'COMPLETED APPROVED' || pair === 'FAIL FAILED')
      })
      expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
    },
  )

  it('and each charge has a callback', async () => {
    expect(charges).toHaveLength(chargesPerCrash * kills.charges.length)
    await world.advance('P3D')
    await world.eventually(async () => {
      const callbacks = world.receiver
        .received('/callbacks')
        .map(({ body }) => JSON.parse(body).charge_order_id)
      return charges.every(({ id }) => callbacks.includes(id))
    })
  })
})
