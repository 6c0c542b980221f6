// The conformance suite of acquirers.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cents } from '../../src/kernel/money.ts'
import {
  type CardAcquirer,
  type CardAuthorization,
  callRail,
  type DeclineReason,
  type FollowUp,
} from '../../src/rails/index.ts'

export interface AcquirerUnderTest {
  readonly acquirer: CardAcquirer
  /** Cards with known results. */
  readonly cards: {
    readonly approved: string
    readonly declined: readonly (readonly [number: string, reason: DeclineReason])[]
    /** The acquirer decides about this card, but sends no answer. Absent if it has no such card. */
    readonly silent?: { readonly approved: string; readonly declined: string }
    /** Approved, with the named results of follow-ups; if the acquirer has such cards. */
    readonly followUps?: {
      readonly declined: readonly [number: string, reason: DeclineReason]
      readonly silentThenApproved: string
      readonly silentThenDeclined: string
    }
  }
  /** Functions that the acquirer lacks and declines. */
  readonly lacks?: readonly ('partial releases' | 'undone follow-ups')[]
  /** Largest number of concurrent requests; undefined: no limit. */
  readonly crowd?: number
  /** The same acquirer for a new process. */
  restarted(): Promise<CardAcquirer>
  /** Movements under a key; if the books can be read. */
  movements?(key: string): Promise<readonly bigint[]>
  /** The rest of a hold; if the books can be read. */
  held?(key: string): Promise<bigint>
  close(): Promise<void>
}

const silenceMs = 300
const crowd = 200

export function describeCardAcquirer(name: string, make: () => Promise<AcquirerUnderTest>): void {
  describe(`${name} as a card acquirer`, () => {
    let tested: AcquirerUnderTest
    beforeAll(async () => {
      tested = await make()
    })
    afterAll(() => tested.close())
    const lacks = (what: NonNullable<AcquirerUnderTest['lacks']>[number]) =>
      tested.lacks?.includes(what) === true
    const atOnce = (wanted: number) => Math.min(wanted, tested.crowd ?? wanted)

    const request = (number: string, change: Partial<CardAuthorization> = {}): CardAuthorization => ({
      key: randomUUID(),
      merchant: { id: 1001n, name: 'Demo Shop' },
      amount: cents(1000),
      currency: 'EUR',
      intent: 'sale',
      card: { number, expiry: { month: 12, year: 2035 }, vcode: '123', name: 'Ana Sousa' },
      ...change,
    })

    it.each(['sale', 'hold'] as const)('approves a %s with a reference and a code', async (intent) => {
      const answer = await tested.acquirer.authorize(request(tested.cards.approved, { intent }))
      expect(answer).toMatchObject({ kind: 'approved' })
      if (answer.kind !== 'approved') return
      expect(answer.reference.length).toBeGreaterThan(0)
      expect(answer.approvalCode).toMatch(/^[0-9A-Z]{6}$/)
    })

    it('declines with the reason', async () => {
      for (const [number, decline] of tested.cards.declined) {
        const asked = request(number)
        const answer = await tested.acquirer.authorize(asked)
        expect(answer).toMatchObject({ kind: 'declined', decline })
        expect(await tested.acquirer.inquire(asked.key)).toEqual(answer)
      }
    })

    it('answers a repeated key as before, and moves money once', async () => {
      const asked = request(tested.cards.approved)
      const first = await tested.acquirer.authorize(asked)
      expect(await tested.acquirer.authorize(asked)).toEqual(first)
      expect(await tested.acquirer.inquire(asked.key)).toEqual(first)
      expect((await tested.movements?.(asked.key)) ?? [1000n]).toEqual([1000n])
    })

    it('answers concurrent requests of one key alike', async () => {
      const asked = request(tested.cards.approved)
      const answers = await Promise.all(
        Array.from({ length: atOnce(20) }, () => tested.acquirer.authorize(asked)),
      )
      expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
      expect((await tested.movements?.(asked.key)) ?? [1000n]).toEqual([1000n])
    })

    it('separates concurrent callers', async () => {
      const [declinedNumber, decline] = tested.cards.declined[0] ?? ['', '']
      const asked = Array.from({ length: atOnce(crowd) }, (_, n) =>
        request(n % 3 === 0 ? declinedNumber : tested.cards.approved, { amount: cents(n + 100) }),
      )
      const answers = await Promise.all(asked.map((one) => tested.acquirer.authorize(one)))
      for (const [n, answer] of answers.entries()) {
        expect(answer).toMatchObject(n % 3 === 0 ? { kind: 'declined', decline } : { kind: 'approved' })
      }
      const references = answers.map((answer) => ('reference' in answer ? answer.reference : undefined))
      expect(new Set(references).size).toBe(atOnce(crowd))
      const last = asked.at(-1) as CardAuthorization
      expect((await tested.movements?.(last.key)) ?? [last.amount]).toEqual([last.amount])
    })

    it('does not know an unused key', async () => {
      expect(await tested.acquirer.inquire(randomUUID())).toEqual({ kind: 'not_found' })
    })

    it('answers another process the same', async () => {
      const asked = request(tested.cards.approved)
      const answer = await tested.acquirer.authorize(asked)
      const acquirer = await tested.restarted()
      expect(await acquirer.inquire(asked.key)).toEqual(answer)
      expect(await acquirer.authorize(asked)).toEqual(answer)
      expect((await tested.movements?.(asked.key)) ?? [1000n]).toEqual([1000n])
    })

    it('has decided before the inquiry, even without an answer', async () => {
      const { silent } = tested.cards
      if (silent === undefined) return
      for (const [number, kind] of [
        [silent.approved, 'approved'],
        [silent.declined, 'declined'],
      ] as const) {
        const asked = request(number)
        expect(await callRail(() => tested.acquirer.authorize(asked), silenceMs)).toMatchObject({
          kind: 'unknown',
        })
        const truth = await tested.acquirer.inquire(asked.key)
        expect(truth).toMatchObject({ kind })
        expect(await (await tested.restarted()).inquire(asked.key)).toEqual(truth)
      }
    })

    it('declines a request that arrives after the cancellation of its key', async () => {
      const { acquirer } = tested
      if (acquirer.cancel === undefined) return
      const [early, late] = [request(tested.cards.approved), request(tested.cards.approved)]
      const answer = await acquirer.authorize(early)
      expect(await acquirer.cancel(early.key)).toEqual(answer)
      const cancelled = { kind: 'declined', decline: 'cancelled' }
      expect(await acquirer.cancel(late.key)).toMatchObject(cancelled)
      expect(await acquirer.authorize(late)).toMatchObject(cancelled)
      expect(await acquirer.inquire(late.key)).toMatchObject(cancelled)
      expect((await tested.movements?.(late.key)) ?? []).toEqual([])
      const refund = { ...late, key: randomUUID(), original: early.key }
      expect(await acquirer.cancel(refund.key)).toMatchObject(cancelled)
      expect(await acquirer.refund(refund)).toMatchObject(cancelled)
      expect(await acquirer.refund({ ...refund, key: randomUUID() })).toMatchObject({ kind: 'approved' })
    })

    it('gives one answer to a concurrent inquiry and cancellation', async () => {
      const { acquirer } = tested
      const { cancel } = acquirer
      if (cancel === undefined) return
      const other = await tested.restarted()
      for (let round = 0; round < 10; round++) {
        const asked = request(tested.cards.approved)
        const [answer, last] = await Promise.all([other.authorize(asked), cancel.call(acquirer, asked.key)])
        expect(last).toEqual(answer)
        expect(await acquirer.inquire(asked.key)).toEqual(answer)
      }
    })

    const reversalOf = (original: string) => ({ key: randomUUID(), original })
    const done = { kind: 'approved', reference: expect.any(String) }

    it('reverses a whole sale or hold once, and none with follow-ups', async () => {
      const { acquirer } = tested
      const [sale, other] = [request(tested.cards.approved), request(tested.cards.approved)]
      await acquirer.authorize(sale)
      await acquirer.authorize(other)
      const refund = { ...sale, key: randomUUID(), original: sale.key }
      await acquirer.refund({ ...refund, amount: cents(1) })
      expect(await acquirer.reverse(reversalOf(sale.key))).toMatchObject({ kind: 'declined' })
      const undone = reversalOf(other.key)
      expect(await acquirer.reverse(undone)).toMatchObject(done)
      expect(await acquirer.reverse(undone)).toMatchObject(done)
      expect(await acquirer.reverse(reversalOf(other.key))).toMatchObject({ kind: 'declined' })
      const late = { ...refund, key: randomUUID(), original: other.key }
      expect(await acquirer.refund(late)).toMatchObject({ kind: 'declined' })

      const hold = request(tested.cards.approved, { intent: 'hold' })
      await acquirer.authorize(hold)
      expect(await acquirer.reverse(reversalOf(hold.key))).toMatchObject(done)
      expect((await tested.held?.(hold.key)) ?? 0n).toBe(0n)
      const captured = { ...hold, key: randomUUID(), original: hold.key }
      expect(await acquirer.capture(captured)).toMatchObject({ kind: 'declined' })
      expect(await acquirer.reverse(reversalOf(randomUUID()))).toMatchObject({ kind: 'declined' })
    })

    it('reverses a follow-up, and allows another one', async () => {
      const { acquirer } = tested
      const sale = request(tested.cards.approved)
      await acquirer.authorize(sale)
      const refund = { ...sale, key: randomUUID(), original: sale.key }
      await acquirer.refund(refund)
      const undone = reversalOf(refund.key)
      if (lacks('undone follow-ups')) {
        expect(await acquirer.reverse(undone)).toMatchObject({ kind: 'declined' })
        return
      }
      expect(await acquirer.reverse(undone)).toMatchObject(done)
      expect(await acquirer.reverse(undone)).toMatchObject(done)
      expect(await acquirer.reverse(reversalOf(refund.key))).toMatchObject({ kind: 'declined' })
      expect(await acquirer.reverse(reversalOf(sale.key))).toMatchObject(done)
      expect(await acquirer.refund({ ...refund, key: randomUUID() })).toMatchObject({ kind: 'declined' })

      const hold = request(tested.cards.approved, { intent: 'hold' })
      await acquirer.authorize(hold)
      for (const verb of ['capture', 'release'] as const) {
        const followUp = { ...hold, key: randomUUID(), original: hold.key }
        expect(await acquirer[verb](followUp)).toMatchObject({ kind: 'approved' })
        expect(await acquirer.reverse(reversalOf(followUp.key))).toMatchObject(done)
        expect((await tested.held?.(hold.key)) ?? hold.amount).toBe(hold.amount)
      }
    })

    it('reverses once for concurrent calls', async () => {
      const { acquirer } = tested
      const other = await tested.restarted()
      for (let round = 0; round < 10; round++) {
        const hold = request(tested.cards.approved, { intent: 'hold' })
        await acquirer.authorize(hold)
        const captures = [randomUUID(), randomUUID()].map((key) => ({
          ...hold,
          ...{ key, original: hold.key, amount: cents(200) },
        }))
        for (const capture of captures) await acquirer.capture(capture)
        const reversal = { key: randomUUID(), original: captures[0]?.key ?? '' }
        const undone = await Promise.all(
          [acquirer, other, acquirer, other].map((one) => one.reverse(reversal)),
        )
        for (const answer of undone) expect(answer).toEqual(undone[0])
        expect(undone[0]).toMatchObject({ kind: 'approved' })
        const left = lacks('undone follow-ups') ? 600n : 800n
        expect((await tested.held?.(hold.key)) ?? left).toBe(left)
      }
    })

    it('sends no queued call after its abort', async () => {
      const asked = Array.from({ length: atOnce(crowd) }, () => request(tested.cards.approved))
      const call = new AbortController()
      const answers = asked.map((one) => tested.acquirer.authorize(one, call.signal).catch(() => undefined))
      call.abort()
      const before = await Promise.all(answers)
      // Calls that waited before this one would have been sent by now.
      await tested.acquirer.authorize(request(tested.cards.approved))
      const after = await Promise.all(asked.map(({ key }) => tested.acquirer.inquire(key)))
      for (const [n, answer] of before.entries()) expect(after[n]).toEqual(answer ?? { kind: 'not_found' })
      expect(before).toContain(undefined)
    })

    describe('taken money', () => {
      async function taken(number: string, intent: 'sale' | 'hold'): Promise<FollowUp> {
        const asked = request(number, { intent })
        await callRail(() => tested.acquirer.authorize(asked), silenceMs)
        const { key: original, merchant, amount, currency } = asked
        if (intent === 'sale') return { key: randomUUID(), original, merchant, amount, currency }
        const capture = { key: randomUUID(), original, merchant, amount: cents(600), currency }
        await callRail(() => tested.acquirer.capture(capture), silenceMs)
        return { ...capture, key: randomUUID(), original: capture.key }
      }
      const again = (refund: FollowUp, change: Partial<FollowUp> = {}): FollowUp => ({
        ...refund,
        key: randomUUID(),
        ...change,
      })
      const tooMuch = { kind: 'declined', decline: 'exceeds_payment' }

      it.each(['sale', 'hold'] as const)('of a %s is refunded in parts, up to the amount', async (intent) => {
        const refund = await taken(tested.cards.approved, intent)
        const part = again(refund, { amount: cents(250) })
        const answer = await tested.acquirer.refund(part)
        expect(answer).toMatchObject({ kind: 'approved' })
        expect(await tested.acquirer.inquire(part.key)).toEqual(answer)
        const left = cents(refund.amount - 250n)
        const beyond = again(refund, { amount: cents(left + 1n) })
        expect(await tested.acquirer.refund(beyond)).toMatchObject(tooMuch)
        expect(await tested.acquirer.inquire(beyond.key)).toMatchObject(tooMuch)
        expect(await tested.acquirer.refund(again(refund, { amount: left }))).toMatchObject({
          kind: 'approved',
        })
        expect(await tested.acquirer.refund(again(refund, { amount: cents(1) }))).toMatchObject(tooMuch)
      })

      it('is not found under other keys, merchants and currencies', async () => {
        const refund = await taken(tested.cards.approved, 'sale')
        const hold = request(tested.cards.approved, { intent: 'hold' })
        await tested.acquirer.authorize(hold)
        for (const wrong of [
          again(refund, { original: randomUUID() }),
          again(refund, { merchant: { id: 1002n, name: 'Sub Shop A' } }),
          again(refund, { currency: 'USD' }),
          again(refund, { original: hold.key }),
          await taken(tested.cards.declined[0]?.[0] ?? '', 'sale'),
        ]) {
          expect(await tested.acquirer.refund(wrong)).toMatchObject(tooMuch)
        }
      })

      it('is refunded once under one key, by any caller', async () => {
        const refund = again(await taken(tested.cards.approved, 'sale'), { amount: cents(600) })
        const other = await tested.restarted()
        const answers = await Promise.all(
          Array.from({ length: atOnce(20) }, (_, n) =>
            (n % 2 === 0 ? tested.acquirer : other).refund(refund),
          ),
        )
        expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
        expect(answers[0]).toMatchObject({ kind: 'approved' })
        expect(await tested.acquirer.refund(again(refund, { amount: cents(400) }))).toMatchObject({
          kind: 'approved',
        })
      })

      it('is never refunded twice by concurrent calls', async () => {
        const refund = await taken(tested.cards.approved, 'sale')
        const other = await tested.restarted()
        const answers = await Promise.all(
          Array.from({ length: atOnce(40) }, (_, n) =>
            (n % 2 === 0 ? tested.acquirer : other).refund(again(refund, { amount: cents(90) })),
          ),
        )
        expect(answers.filter(({ kind }) => kind === 'approved')).toHaveLength(atOnce(11))
      })

      it('is declined with the reason, or refunded without an answer, by the card', async () => {
        const { followUps } = tested.cards
        if (followUps === undefined) return
        const [number, decline] = followUps.declined
        const refused = await taken(number, 'sale')
        expect(await tested.acquirer.refund(refused)).toMatchObject({ kind: 'declined', decline })
        for (const [silent, kind] of [
          [followUps.silentThenApproved, 'approved'],
          [followUps.silentThenDeclined, 'declined'],
        ] as const) {
          const refund = await taken(silent, 'sale')
          expect(await callRail(() => tested.acquirer.refund(refund), silenceMs)).toMatchObject({
            kind: 'unknown',
          })
          expect(await (await tested.restarted()).inquire(refund.key)).toMatchObject({ kind })
        }
      })
    })

    describe('holds', () => {
      async function holdOf(amount: bigint, number = tested.cards.approved): Promise<FollowUp> {
        const { key, merchant, currency, ...rest } = request(number, {
          intent: 'hold',
          amount: cents(amount),
        })
        await callRail(() => tested.acquirer.authorize({ key, merchant, currency, ...rest }), silenceMs)
        return { key: randomUUID(), original: key, merchant, amount: cents(amount), currency }
      }
      const follow = (hold: FollowUp, change: Partial<FollowUp> = {}): FollowUp => ({
        ...hold,
        key: randomUUID(),
        ...change,
      })
      const held = async ({ original }: FollowUp, otherwise: bigint) =>
        (await tested.held?.(original)) ?? otherwise

      const tooMuch = { kind: 'declined', decline: 'exceeds_hold' }

      it('are captured in parts, and the rest is released', async () => {
        const hold = await holdOf(1000n)
        const captured = follow(hold, { amount: cents(600) })
        const answer = await tested.acquirer.capture(captured)
        expect(answer).toMatchObject({ kind: 'approved' })
        expect(await tested.acquirer.inquire(captured.key)).toEqual(answer)
        const beyond = follow(hold, { amount: cents(401) })
        expect(await tested.acquirer.capture(beyond)).toMatchObject(tooMuch)
        expect(await tested.acquirer.inquire(beyond.key)).toMatchObject(tooMuch)
        expect(await tested.acquirer.release(follow(hold, { amount: cents(401) }))).toMatchObject(tooMuch)
        expect(await tested.acquirer.capture(follow(hold, { amount: cents(300) }))).toMatchObject({
          kind: 'approved',
        })
        expect(await held(hold, 100n)).toBe(100n)
        const released = { ...follow(hold), amount: 'all' as const }
        const given = await tested.acquirer.release(released)
        expect(given).toMatchObject({ kind: 'approved' })
        expect(await tested.acquirer.inquire(released.key)).toEqual(given)
        expect(await held(hold, 0n)).toBe(0n)
        expect(await tested.acquirer.capture(follow(hold, { amount: cents(1) }))).toMatchObject(tooMuch)
      })

      it('are released in parts, or only whole', async () => {
        const hold = await holdOf(1000n)
        const released = follow(hold, { amount: cents(300) })
        const answer = await tested.acquirer.release(released)
        const isWholeAlone = lacks('partial releases')
        expect(answer).toMatchObject(
          isWholeAlone ? { kind: 'declined', decline: 'not_permitted' } : { kind: 'approved' },
        )
        expect(await tested.acquirer.inquire(released.key)).toEqual(answer)
        const left = isWholeAlone ? 1000n : 700n
        expect(await held(hold, left)).toBe(left)
        const beyond = follow(hold, { amount: cents(left + 1n) })
        expect(await tested.acquirer.release(beyond)).toMatchObject(tooMuch)
        expect(await tested.acquirer.release(follow(hold, { amount: cents(left) }))).toMatchObject({
          kind: 'approved',
        })
        expect(await held(hold, 0n)).toBe(0n)
      })

      it('are valid until they are returned, if the acquirer says so', async () => {
        const { inquireHold } = tested.acquirer
        if (inquireHold === undefined) return
        const hold = await holdOf(1000n)
        expect(await inquireHold(hold.original)).toEqual({ kind: 'held' })
        await tested.acquirer.release({ ...follow(hold), amount: 'all' as const })
        expect(await inquireHold(hold.original)).toEqual({ kind: 'ended' })
        const sale = request(tested.cards.approved)
        await tested.acquirer.authorize(sale)
        expect(await inquireHold(sale.key)).toEqual({ kind: 'not_found' })
        expect(await inquireHold(randomUUID())).toEqual({ kind: 'not_found' })
      })

      it('are not found under other keys, merchants and currencies, or for sales', async () => {
        const hold = await holdOf(1000n)
        const sale = request(tested.cards.approved)
        await tested.acquirer.authorize(sale)
        const declined = await holdOf(1000n, tested.cards.declined[0]?.[0])
        for (const wrong of [
          follow(hold, { original: randomUUID() }),
          follow(hold, { merchant: { id: 1002n, name: 'Sub Shop A' } }),
          follow(hold, { currency: 'USD' }),
          follow(hold, { original: sale.key }),
          follow(declined),
        ]) {
          expect(await tested.acquirer.capture(wrong)).toMatchObject({
            kind: 'declined',
            decline: 'exceeds_hold',
          })
        }
        expect(await held(hold, 1000n)).toBe(1000n)
      })

      it('move once under one key, by any caller', async () => {
        const hold = await holdOf(1000n)
        const captured = follow(hold, { amount: cents(400) })
        const other = await tested.restarted()
        const answers = await Promise.all(
          Array.from({ length: atOnce(20) }, (_, n) =>
            (n % 2 === 0 ? tested.acquirer : other).capture(captured),
          ),
        )
        expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
        expect(answers[0]).toMatchObject({ kind: 'approved' })
        expect(await other.inquire(captured.key)).toEqual(answers[0])
        expect(await held(hold, 600n)).toBe(600n)
      })

      it('are never captured beyond the amount by concurrent calls', async () => {
        const hold = await holdOf(1000n)
        const other = await tested.restarted()
        const answers = await Promise.all(
          Array.from({ length: atOnce(40) }, (_, n) => {
            const acquirer = n % 2 === 0 ? tested.acquirer : other
            const one = follow(hold, { amount: cents(90) })
            return n % 4 < 2 || lacks('partial releases') ? acquirer.capture(one) : acquirer.release(one)
          }),
        )
        expect(answers.filter(({ kind }) => kind === 'approved')).toHaveLength(atOnce(11))
        const left = 1000n - 90n * BigInt(atOnce(11))
        expect(await held(hold, left)).toBe(left)
      })

      it('decline with the reason, and change nothing', async () => {
        const { followUps } = tested.cards
        if (followUps === undefined) return
        const [number, decline] = followUps.declined
        const hold = await holdOf(1000n, number)
        expect(await tested.acquirer.capture(follow(hold))).toMatchObject({ kind: 'declined', decline })
        expect(await tested.acquirer.release(follow(hold))).toMatchObject({ kind: 'declined', decline })
        expect(await held(hold, 1000n)).toBe(1000n)
      })

      it('have decided before the inquiry, even without an answer', async () => {
        const { followUps } = tested.cards
        if (followUps === undefined) return
        for (const [number, kind] of [
          [followUps.silentThenApproved, 'approved'],
          [followUps.silentThenDeclined, 'declined'],
        ] as const) {
          const hold = await holdOf(1000n, number)
          const [captured, released] = [
            follow(hold, { amount: cents(1) }),
            follow(hold, { amount: cents(2) }),
          ]
          for (const answer of await Promise.all([
            callRail(() => tested.acquirer.capture(captured), silenceMs),
            callRail(() => tested.acquirer.release(released), silenceMs),
          ]))
            expect(answer).toMatchObject({ kind: 'unknown' })
          const restarted = await tested.restarted()
          for (const { key } of [captured, released]) {
            expect(await tested.acquirer.inquire(key)).toMatchObject({ kind })
            expect(await restarted.inquire(key)).toMatchObject({ kind })
          }
        }
      })
    })
  })
}
