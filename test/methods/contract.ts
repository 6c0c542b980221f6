// The contract of a payment method, for any rail.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CrashPoint } from '../../src/kernel/crash-points.ts'
import { openPage } from '../browserless.ts'
import { type Money, moneyOf } from '../money.ts'
import { cards, type Json, type World } from '../world.ts'

/** The customer's options after the choice. */
export interface Customer {
  approve(): Promise<unknown>
  refuse?(): Promise<unknown>
}

export interface MethodUnderTest {
  readonly code: string
  choose(world: World, money: Money, checkout: Json): Promise<Customer>
  /** Crash points between form and settlement. */
  readonly payingDeaths: readonly CrashPoint[]
  /** Crash points of a refund. */
  readonly refundDeaths: readonly CrashPoint[]
  /** Result after `silence` (ISO 8601 duration). Default: it fails with its checkout. */
  readonly undecided?: 'COMPLETED'
  /** Result of a refusal. Default: the checkout stays open. */
  readonly refused?: 'FAIL'
}

const amount = 10
const parts = [4, 6] as const
const secondsMax = 10
const requestInProgress = 10014
const notRefundable = 40010
const silence = 'P3DT1M'

/** `open`: a world whose gateway can die. */
export function describeMethod(method: MethodUnderTest, open: () => Promise<World>): void {
  describe(`${method.code} keeps the contract of a method:`, () => {
    let world: World
    let money: Money

    beforeAll(async () => {
      world = await open()
      money = moneyOf(world)
    })
    afterAll(async () => {
      expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
      await world.stop()
    })

    const statusOf = async ({ payment }: Json) => (await world.operation(payment.id)).status
    const refund = (id: string, body: Json) => world.shop.post(`/api/v2/operations/${id}/refund`, body)
    const refundsOf = async (id: string): Promise<Json[]> =>
      (await world.shop.get(`/api/v2/operations?type=REFUND&parent=${id}&limit=30`)).body.elements

    async function begun(): Promise<{ checkout: Json; customer: Customer }> {
      const checkout = await world.createCheckout({ payment: { amount, currency: 'EUR' } })
      return { checkout, customer: await method.choose(world, money, checkout) }
    }

    /** Lets time pass between inquiries. */
    function inTime(isSo: () => Promise<boolean>): Promise<unknown> {
      return world.eventually(async () => {
        if (await isSo()) return true
        await world.advance('PT6H')
        return isSo()
      })
    }

    async function paid(): Promise<Json> {
      const { checkout, customer } = await begun()
      await customer.approve()
      await world.eventually(async () => (await statusOf(checkout)) === 'COMPLETED', secondsMax)
      return checkout.payment
    }

    it('waits for its customer, and is paid after the approval', async () => {
      const { checkout, customer } = await begun()
      expect(['NEW', 'PENDING']).toContain(await statusOf(checkout))
      await customer.approve()
      await world.eventually(async () => (await statusOf(checkout)) === 'COMPLETED', secondsMax)
      const operation = await world.operation(checkout.payment.id)
      expect(operation).toMatchObject({ method: method.code, amount, currency: 'EUR' })
      expect(operation.amount_net).toBeCloseTo(amount + operation.fee)
      expect(await money.callbackOf(checkout.payment.id, 'COMPLETED')).toMatchObject({
        method: method.code,
        amount,
      })
      expect((await openPage(checkout.url_redirect)).text).toContain('Payment made')
    })

    it('a refused one has moved nothing', async () => {
      const { checkout, customer } = await begun()
      if (customer.refuse === undefined) return
      await customer.refuse()
      if (method.refused !== undefined) {
        await world.eventually(async () => (await statusOf(checkout)) === method.refused, secondsMax)
        return
      }
      await world.payOnPage(checkout, cards.frictionless)
      expect(await world.operation(checkout.payment.id)).toMatchObject({ status: 'COMPLETED', method: 'CC' })
    })

    it('an undecided one ends, and a late answer changes nothing', async () => {
      const { checkout, customer } = await begun()
      await world.advance(silence)
      const ended = method.undecided ?? 'FAIL'
      await world.eventually(async () => (await statusOf(checkout)) === ended, secondsMax)
      await customer.approve().catch(() => undefined)
      await world.advance('PT10M')
      expect(await statusOf(checkout)).toBe(ended)
    })

    it('is paid once after two approvals at the same time', async () => {
      const { checkout, customer } = await begun()
      await Promise.allSettled([customer.approve(), customer.approve()])
      await world.eventually(async () => (await statusOf(checkout)) === 'COMPLETED', secondsMax)
      await money.callbackOf(checkout.payment.id, 'COMPLETED')
      const told = world.receiver
        .received('/callbacks')
        .filter(({ body }) => body.includes(checkout.payment.id) && body.includes('"COMPLETED"'))
      expect(new Set(told.map(({ body }) => body)).size).toBe(1)
    })

    it('is refunded in parts, up to the whole amount', async () => {
      const { id } = await paid()
      if (!(await world.operation(id)).refundable) {
        expect(await refund(id, { amount: parts[0] })).toMatchObject({
          status: 409,
          body: { code: notRefundable },
        })
        return
      }
      for (const part of parts) {
        const asked = { amount: part, request_id: randomUUID() }
        const first = (await refund(id, asked)).body
        expect(first).toMatchObject({ amount: -part, parent: id })
        expect((await refund(id, asked)).body.id).toBe(first.id)
      }
      expect((await refund(id, { amount: 0.01 })).status).toBe(409)
      await inTime(async () => (await refundsOf(id)).every(({ status }) => status === 'COMPLETED'))
      expect((await refundsOf(id)).map((each) => each.amount).sort()).toEqual(parts.map((part) => -part))
    })

    it.each(method.payingDeaths)('is paid once, though the gateway dies at "%s"', async (point) => {
      const checkout = await world.createCheckout({ payment: { amount, currency: 'EUR' } })
      const pay = async () => {
        const customer = await method.choose(world, money, checkout)
        await customer.approve()
      }
      await world.armCrash(point)
      const paying = pay().catch(() => undefined)
      await world.crashed()
      await paying
      await world.restart()
      await world.eventually(async () => {
        if ((await statusOf(checkout)) === 'COMPLETED') return true
        await pay().catch(() => undefined)
        await world.advance('PT1H')
        return (await statusOf(checkout)) === 'COMPLETED'
      })
      expect(await world.operation(checkout.payment.id)).toMatchObject({ method: method.code, amount })
    })

    it.each(method.refundDeaths)('is given back once, though the gateway dies at "%s"', async (point) => {
      const { id } = await paid()
      const asked = { amount: parts[0], request_id: randomUUID() }
      await world.armCrash(point)
      const refunding = refund(id, asked).catch(() => undefined)
      await world.crashed()
      await refunding
      await world.restart()
      // A lost request fails, and the customer sends a new one.
      await inTime(async () => (await refund(id, asked)).body.code !== requestInProgress)
      await inTime(async () => (await refundsOf(id)).every(({ status }) => status !== 'PENDING'))
      if ((await refundsOf(id)).every(({ status }) => status === 'FAIL'))
        expect((await refund(id, { amount: parts[0], request_id: randomUUID() })).status).toBe(200)
      await inTime(async () => (await refundsOf(id)).some(({ status }) => status === 'COMPLETED'))
      // After a second refund this rest would be missing.
      expect((await refund(id, { amount: parts[1] })).status).toBe(200)
      const given = () => refundsOf(id).then((all) => all.filter(({ status }) => status === 'COMPLETED'))
      await inTime(async () => (await given()).length === parts.length)
      expect((await refund(id, { amount: 0.01 })).status).toBe(409)
    })
  })
}
