// What every acquirer behind the port must do, whoever stands there.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cents } from '../../src/kernel/money.ts'
import {
  type CardAcquirer,
  type CardAuthorisation,
  callRail,
  type DeclineReason,
} from '../../src/rails/index.ts'

export interface AcquirerUnderTest {
  readonly acquirer: CardAcquirer
  /** Numbers of cards with a known outcome. */
  readonly cards: {
    readonly approved: string
    readonly declined: readonly (readonly [number: string, reason: DeclineReason])[]
    /** Decided, but the call never answers; where the acquirer has such cards. */
    readonly silent?: { readonly approved: string; readonly declined: string }
  }
  /** The same acquirer seen by a process that knows nothing of the first one's calls. */
  restarted(): Promise<CardAcquirer>
  /** How often money moved under a key, and how much; where the acquirer's books can be read. */
  movements?(key: string): Promise<readonly bigint[]>
  close(): Promise<void>
}

const silenceMs = 300
const crowd = 200

/** Shows that an implementation of {@link CardAcquirer} keeps its promises. */
export function describeCardAcquirer(name: string, make: () => Promise<AcquirerUnderTest>): void {
  describe(`${name} as a card acquirer`, () => {
    let tested: AcquirerUnderTest
    beforeAll(async () => {
      tested = await make()
    })
    afterAll(() => tested.close())

    const request = (number: string, change: Partial<CardAuthorisation> = {}): CardAuthorisation => ({
      key: randomUUID(),
      merchant: { id: 1001n, name: 'Demo Shop' },
      amount: cents(1000),
      currency: 'EUR',
      intent: 'sale',
      card: { number, expiry: { month: 12, year: 2035 }, vcode: '123', name: 'Ana Sousa' },
      ...change,
    })

    it.each(['sale', 'hold'] as const)('approves a %s with a reference and a code', async (intent) => {
      const answer = await tested.acquirer.authorise(request(tested.cards.approved, { intent }))
      expect(answer).toMatchObject({ kind: 'approved' })
      if (answer.kind !== 'approved') return
      expect(answer.reference.length).toBeGreaterThan(0)
      expect(answer.approvalCode).toMatch(/^[0-9A-Z]{6}$/)
    })

    it('declines with the reason', async () => {
      for (const [number, decline] of tested.cards.declined) {
        const asked = request(number)
        const answer = await tested.acquirer.authorise(asked)
        expect(answer).toMatchObject({ kind: 'declined', decline })
        expect(await tested.acquirer.inquire(asked.key)).toEqual(answer)
      }
    })

    it('answers a repeated key as the first time and moves money once', async () => {
      const asked = request(tested.cards.approved)
      const first = await tested.acquirer.authorise(asked)
      expect(await tested.acquirer.authorise(asked)).toEqual(first)
      expect(await tested.acquirer.inquire(asked.key)).toEqual(first)
      expect((await tested.movements?.(asked.key)) ?? [1000n]).toEqual([1000n])
    })

    it('answers one key alike when it is asked many times at once', async () => {
      const asked = request(tested.cards.approved)
      const answers = await Promise.all(Array.from({ length: 20 }, () => tested.acquirer.authorise(asked)))
      expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
      expect((await tested.movements?.(asked.key)) ?? [1000n]).toEqual([1000n])
    })

    it('keeps the callers of a crowd apart', async () => {
      const [declinedNumber, decline] = tested.cards.declined[0] ?? ['', '']
      const asked = Array.from({ length: crowd }, (_, n) =>
        request(n % 3 === 0 ? declinedNumber : tested.cards.approved, { amount: cents(n + 1) }),
      )
      const answers = await Promise.all(asked.map((one) => tested.acquirer.authorise(one)))
      for (const [n, answer] of answers.entries()) {
        expect(answer).toMatchObject(n % 3 === 0 ? { kind: 'declined', decline } : { kind: 'approved' })
      }
      const references = answers.map((answer) => ('reference' in answer ? answer.reference : undefined))
      expect(new Set(references).size).toBe(crowd)
      const last = asked.at(-1) as CardAuthorisation
      expect((await tested.movements?.(last.key)) ?? [last.amount]).toEqual([last.amount])
    })

    it('knows nothing of a key it was never asked under', async () => {
      expect(await tested.acquirer.inquire(randomUUID())).toEqual({ kind: 'not_found' })
    })

    it('tells the truth to a process that was not there', async () => {
      const asked = request(tested.cards.approved)
      const answer = await tested.acquirer.authorise(asked)
      const acquirer = await tested.restarted()
      expect(await acquirer.inquire(asked.key)).toEqual(answer)
      expect(await acquirer.authorise(asked)).toEqual(answer)
      expect((await tested.movements?.(asked.key)) ?? [1000n]).toEqual([1000n])
    })

    it('has decided by the time it is asked again, even where it never answered', async () => {
      const { silent } = tested.cards
      if (silent === undefined) return
      for (const [number, kind] of [
        [silent.approved, 'approved'],
        [silent.declined, 'declined'],
      ] as const) {
        const asked = request(number)
        expect(await callRail(tested.acquirer.authorise(asked), silenceMs)).toMatchObject({ kind: 'unclear' })
        const truth = await tested.acquirer.inquire(asked.key)
        expect(truth).toMatchObject({ kind })
        expect(await (await tested.restarted()).inquire(asked.key)).toEqual(truth)
      }
    })
  })
}
