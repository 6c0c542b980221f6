// The conformance suite of reference networks.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cents } from '../../src/kernel/money.ts'
import { after, day, hour, type Instant } from '../../src/kernel/time.ts'
import type {
  OwnReferences,
  PaymentAnswer,
  PublishedReference,
  ReferenceName,
  ReferencePayment,
} from '../../src/rails/index.ts'

/** A gateway that records notices, and answers as set. */
export interface ListeningGateway {
  readonly notices: ReferencePayment[]
  /** Undefined: the gateway throws, as if it were down. */
  answer: PaymentAnswer | undefined
}

export interface NetworkUnderTest {
  readonly network: OwnReferences
  readonly entity: string
  readonly gateway: ListeningGateway
  now(): Instant
  advance(milliseconds: number): void
  /** Answers the payer's display. */
  pay(payment: ReferenceName & { amount: bigint; id?: string }): Promise<{ kind: string; reason?: string }>
  /** Repeats the notices without an answer. */
  repeatNotices(): Promise<void>
  close(): Promise<void>
}

const accepted = (): PaymentAnswer => ({ kind: 'accepted', operationId: randomUUID() })

export function describeReferenceNetwork(name: string, make: () => Promise<NetworkUnderTest>): void {
  describe(`${name} as a reference network`, () => {
    let tested: NetworkUnderTest
    let lastRef = 100_000_000
    beforeAll(async () => {
      tested = await make()
    })
    afterAll(() => tested.close())

    function reference(change: Partial<PublishedReference> = {}): PublishedReference {
      lastRef += 1
      return {
        entity: tested.entity,
        ref: String(lastRef),
        payableOnce: true,
        amountMin: cents(1000),
        amountMax: cents(1000),
        expires: after(tested.now(), 5 * day),
        limitsFrom: tested.now(),
        ...change,
      }
    }

    async function published(change: Partial<PublishedReference> = {}): Promise<ReferenceName> {
      const { entity, ref, ...rest } = reference(change)
      await tested.network.publish([{ entity, ref, ...rest }])
      return { entity, ref }
    }

    const noticesOf = ({ ref }: ReferenceName) =>
      tested.gateway.notices.filter((notice) => notice.ref === ref)

    it('asks the gateway about a payment, and shows its answer', async () => {
      const name = await published()
      tested.gateway.answer = accepted()
      expect(await tested.pay({ ...name, amount: 1000n })).toMatchObject({ kind: 'accepted' })
      expect(noticesOf(name)).toMatchObject([{ ...name, amount: 1000n, paidAt: expect.any(Number) }])
    })

    it.each([
      ['a cent too little', {}, 999n, 'badamount'],
      ['a cent too much', {}, 1001n, 'badamount'],
      ['below', { amountMin: cents(500) }, 499n, 'badamount'],
      ['above', { amountMin: cents(500) }, 1001n, 'badamount'],
    ] as const)('refuses a wrong payment without the gateway: %s', async (_, change, amount, reason) => {
      const name = await published(change)
      expect(await tested.pay({ ...name, amount })).toEqual({ kind: 'refused', reason })
      expect(noticesOf(name)).toEqual([])
    })

    it('refuses before the start and after the last second', async () => {
      const starts = after(tested.now(), hour)
      const name = await published({ starts, expires: starts })
      expect(await tested.pay({ ...name, amount: 1000n })).toMatchObject({ reason: 'not_started' })
      tested.advance(hour + 1000)
      expect(await tested.pay({ ...name, amount: 1000n })).toMatchObject({ reason: 'expired' })
      expect(noticesOf(name)).toEqual([])
    })

    it('refuses a second payment, and a withdrawn reference', async () => {
      const [paid, withdrawn] = [await published(), await published()]
      tested.gateway.answer = accepted()
      await tested.pay({ ...paid, amount: 1000n })
      expect(await tested.pay({ ...paid, amount: 1000n })).toMatchObject({ reason: 'duplicatepayment' })
      await tested.network.withdraw([withdrawn, { entity: tested.entity, ref: '999999999' }])
      expect(await tested.pay({ ...withdrawn, amount: 1000n })).toMatchObject({ reason: 'deleted' })
      expect(noticesOf(withdrawn)).toEqual([])
    })

    it('accepts several payments if the reference allows it', async () => {
      const name = await published({ payableOnce: false })
      tested.gateway.answer = accepted()
      for (let n = 0; n < 3; n++) await tested.pay({ ...name, amount: 1000n })
      expect(new Set(noticesOf(name).map(({ id }) => id)).size).toBe(3)
    })

    it('asks the gateway before it knows the limits', async () => {
      const early = await published({ limitsFrom: after(tested.now(), day) })
      const unknown = { entity: tested.entity, ref: '999999998' }
      tested.gateway.answer = { kind: 'refused', reason: 'badamount' }
      for (const name of [early, unknown]) {
        expect(await tested.pay({ ...name, amount: 1n })).toEqual({ kind: 'refused', reason: 'badamount' })
        expect(noticesOf(name)).toHaveLength(1)
      }
      tested.advance(day)
      expect(await tested.pay({ ...early, amount: 1n })).toMatchObject({ reason: 'badamount' })
      expect(noticesOf(early)).toHaveLength(1)
    })

    it('replaces a reference that is published again', async () => {
      const name = await published()
      await tested.network.publish([reference({ ...name, amountMin: cents(1), amountMax: cents(5) })])
      tested.gateway.answer = accepted()
      expect(await tested.pay({ ...name, amount: 3n })).toMatchObject({ kind: 'accepted' })
    })

    it('repeats its notice until it is answered', async () => {
      const name = await published()
      const id = randomUUID()
      tested.gateway.answer = undefined
      expect(await tested.pay({ ...name, amount: 1000n, id })).toEqual({ kind: 'in_doubt' })
      const [paid] = await tested.network.unanswered([name])
      expect(paid).toMatchObject({ id, ...name, amount: 1000n })
      tested.advance(hour)
      tested.gateway.answer = accepted()
      await tested.repeatNotices()
      const notices = noticesOf(name)
      expect(notices.length).toBeGreaterThan(1)
      for (const notice of notices) expect(notice).toEqual(paid)
      expect(await tested.network.unanswered([name])).toEqual([])
    })

    it('repeats the notice for a repeated payment id', async () => {
      const name = await published()
      const id = randomUUID()
      tested.gateway.answer = accepted()
      const shown = [await tested.pay({ ...name, amount: 1000n, id })]
      tested.advance(1000)
      shown.push(await tested.pay({ ...name, amount: 5n, id }))
      expect(shown[1]).toEqual(shown[0])
      const [first, ...again] = noticesOf(name)
      expect(again).toEqual([first])
    })
  })
}
