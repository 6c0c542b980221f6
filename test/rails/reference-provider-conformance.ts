// The conformance suite of providers of references.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Cents, cents } from '../../src/kernel/money.ts'
import { after, day, type Instant } from '../../src/kernel/time.ts'
import type {
  ProviderReferences,
  ReferenceName,
  ReferencePayment,
  ReferenceRequest,
} from '../../src/rails/index.ts'

export interface ProviderUnderTest {
  readonly network: ProviderReferences
  now(): Instant
  /** Whether the machine accepts the payment. */
  pay(name: ReferenceName, amount: Cents): Promise<boolean>
  /** The driver after a restart of the gateway. */
  restarted(): Promise<ProviderReferences>
  /** Handles the next `create` without an answer. */
  loseNextAnswer(): void
  /** Without idempotency: all references of a key, also those whose answers were lost. */
  madeUnder?(key: string): readonly ReferenceName[]
  /** Refunds need the payer's account. */
  readonly refundsToAccounts?: boolean
  close(): Promise<void>
}

export function describeReferenceProvider(name: string, make: () => Promise<ProviderUnderTest>): void {
  describe(`${name} as a provider of references`, () => {
    let tested: ProviderUnderTest
    beforeAll(async () => {
      tested = await make()
    })
    afterAll(() => tested.close())

    function request(change: Partial<ReferenceRequest> = {}): ReferenceRequest {
      return {
        key: randomUUID(),
        merchant: { id: 1001n, name: 'Loja' },
        amountMin: cents(1000),
        amountMax: cents(1000),
        expires: after(tested.now(), 3 * day),
        payableOnce: true,
        ...change,
      }
    }

    async function named(asked: ReferenceRequest): Promise<ReferenceName> {
      const answer = await tested.network.create(asked)
      if (answer.kind !== 'named') throw new Error(`it answered ${answer.kind}`)
      return { entity: answer.entity, ref: answer.ref }
    }

    const paymentsOf = (key: string): Promise<readonly ReferencePayment[]> => tested.network.paymentsOf([key])

    it('makes a reference of five and nine digits, with the requested end at the latest', async () => {
      const asked = request()
      const answer = await tested.network.create(asked)
      expect(answer).toMatchObject({
        ...{ kind: 'named', entity: expect.stringMatching(/^\d{5}$/) },
        ref: expect.stringMatching(/^\d{9}$/),
      })
      if (answer.kind === 'named' && answer.expires !== undefined)
        expect(answer.expires).toBeLessThanOrEqual(asked.expires as Instant)
      expect(await named(request())).not.toEqual(await named(request()))
    })

    it('answers a repeated key as before, also after a restart and concurrently', async () => {
      const asked = request()
      const first = await named(asked)
      expect(await (await tested.restarted()).create(asked)).toMatchObject(first)
      const once = request()
      const answers = await Promise.all([tested.network.create(once), tested.network.create(once)])
      const names = answers.flatMap((answer) => (answer.kind === 'named' ? [answer.ref] : []))
      expect(new Set(names).size).toBe(1)
      expect(await tested.network.create(once)).toMatchObject({ ref: names[0] })
    })

    it('answers a key with a lost answer by the same reference', async () => {
      const asked = request()
      tested.loseNextAnswer()
      const lost = await tested.network.create(asked).catch(() => ({ kind: 'unknown' }))
      expect(lost.kind).toBe('unknown')
      const found = await named(asked)
      expect(await named(asked)).toEqual(found)
      expect(await tested.pay(found, cents(1000))).toBe(true)
      expect(await paymentsOf(asked.key)).toHaveLength(1)
    })

    it('reports payments of every reference of a key, and withdraws them all', async () => {
      if (tested.madeUnder === undefined) return
      const [paid, withdrawn] = [request(), request()]
      for (const asked of [paid, withdrawn]) {
        tested.loseNextAnswer()
        await tested.network.create(asked).catch(() => undefined)
        await named(asked)
      }
      const names = tested.madeUnder(paid.key)
      expect(names).toHaveLength(2)
      for (const name of names) expect(await tested.pay(name, cents(1000))).toBe(true)
      const payments = await (await tested.restarted()).paymentsOf([paid.key])
      expect(payments.map(({ entity, ref }) => ({ entity, ref }))).toEqual(expect.arrayContaining([...names]))
      expect(new Set(payments.map(({ id }) => id)).size).toBe(2)
      expect(payments.map(({ key }) => key)).toEqual([paid.key, paid.key])
      await tested.network.withdraw([withdrawn.key])
      for (const name of tested.madeUnder(withdrawn.key))
        expect(await tested.pay(name, cents(1000))).toBe(false)
    })

    it('reports a payment by our key, each time the same', async () => {
      const asked = request()
      const name = await named(asked)
      expect(await paymentsOf(asked.key)).toEqual([])
      expect(await tested.pay(name, cents(1000))).toBe(true)
      const [payment, ...more] = await paymentsOf(asked.key)
      expect(payment).toMatchObject({ ...name, key: asked.key, amount: 1000n, paidAt: expect.any(Number) })
      expect(more).toEqual([])
      expect(await paymentsOf(asked.key)).toEqual([payment])
      expect(await (await tested.restarted()).paymentsOf([randomUUID(), asked.key])).toEqual([payment])
    })

    it('stops payments after a withdrawal, and reports earlier ones', async () => {
      const [open, paid] = [request(), request()]
      const [openName, paidName] = [await named(open), await named(paid)]
      await tested.pay(paidName, cents(1000))
      await tested.network.withdraw([open.key, paid.key, randomUUID()])
      await tested.network.withdraw([open.key])
      expect(await tested.pay(openName, cents(1000))).toBe(false)
      expect(await paymentsOf(open.key)).toEqual([])
      expect(await paymentsOf(paid.key)).toHaveLength(1)
    })

    it('makes no reference under a withdrawn key', async () => {
      const asked = request()
      await tested.network.withdraw([asked.key])
      expect(await tested.network.create(asked)).toEqual({ kind: 'declined', reason: 'withdrawn' })
    })

    it('supports its declared limits', async () => {
      const { limits } = tested.network
      if (limits.payableManyTimes) {
        const name = await named(request({ payableOnce: false }))
        expect(await tested.pay(name, cents(1000))).toBe(true)
        expect(await tested.pay(name, cents(1000))).toBe(true)
      }
      if (limits.openAmount) {
        const name = await named(request({ amountMin: cents(500) }))
        expect(await tested.pay(name, cents(777))).toBe(true)
      }
    })

    it('refunds a payment once under one key, if possible', async () => {
      const { network } = tested
      if (network.refundPayment === undefined) return
      const asked = request()
      await tested.pay(await named(asked), cents(1000))
      const [{ id: paymentId } = { id: '' }] = await paymentsOf(asked.key)
      const bare = { key: randomUUID(), of: asked.key, paymentId, amount: cents(1000) }
      if (tested.refundsToAccounts)
        expect(await network.refundPayment(bare)).toEqual({ kind: 'declined', reason: 'account_needed' })
      const to = { iban: 'PT50000201231234567890154', bic: 'BNPAPTPL', holder: 'Ana Silva' }
      const refund = tested.refundsToAccounts ? { ...bare, key: randomUUID(), to } : bare
      expect(await network.refundPayment(refund)).toMatchObject({ kind: 'approved' })
      expect(await network.refundPayment(refund)).toMatchObject({ kind: 'approved' })
      expect(await network.refundPayment({ ...refund, key: randomUUID() })).toMatchObject({
        kind: 'declined',
      })
    })
  })
}
