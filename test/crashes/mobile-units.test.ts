// The gateway dies while one answer on the phone pays and accepts a subscription.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { formTo, openPage, type Page, submit } from '../browserless.ts'
import { databasesOr } from '../database.ts'
import { startMortalWorld } from '../gateway-here.ts'
import { newPhone, type Phone } from '../phone.ts'
import { type Subscribers, subscribersOf } from '../subscribers.ts'
import type { Json, World } from '../world.ts'
import { kills } from './kills.ts'

const customersPerCrash = 5

interface Customer {
  readonly checkout: Json
  readonly phone: Phone
  readonly page: Page
}

describe.each(databasesOr('pglite'))('on %s', (kind) => {
  let world: World
  let subscribers: Subscribers

  beforeAll(async () => {
    world = await startMortalWorld(kind)
    subscribers = subscribersOf(world)
  })
  afterAll(() => world.stop())

  it.each(kills.phonesThatSubscribe)('killed at "%s" (%i)', async (point, count) => {
    const customers: Customer[] = []
    for (let n = 0; n < customersPerCrash; n++) {
      const checkout = await subscribers.checkout({}, { payment: { amount: 5, currency: 'EUR' } })
      customers.push({ checkout, phone: newPhone(world), page: await openPage(checkout.url_redirect) })
    }
    await world.armCrash(point, count)
    const burst = customers.map(async ({ phone, page }, index) => {
      await submit(page, formTo(page, '/mbway'), { phone: phone.number })
      const { id } = await phone.pending()
      await (index === 0 ? phone.refuse(id) : phone.approve(id))
    })
    const settled = Promise.allSettled(burst)
    await world.crashed()
    await settled
    await world.restart()

    // A customer whose phone got no request gets it now. Then everything becomes due.
    await world.advance('PT15S')
    for (const { phone } of customers) {
      for (const { id, state } of await phone.requests()) if (state === 'PENDING') await phone.approve(id)
    }
    await world.eventually(async () => {
      await world.advance('PT13H')
      const pairs = await Promise.all(
        customers.map(async ({ checkout, phone }) => {
          const { status } = await world.operation(checkout.payment.id)
          const subscription = (await subscribers.read(checkout.subscription.id)).status
          const allowed = (await phone.mandates()).some(({ state }) => state === 'ACTIVE')
          return `${status} ${subscription} ${allowed}`
        }),
      )
      return pairs.every((pair) => pair === 'COMPLETED APPROVED true' || pair === 'FAIL FAILED false')
    })
    expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
  })
})
