// Captures and releases: refusals, and no sequence takes too much.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cents } from '../kernel/money.ts'
import { instant } from '../kernel/time.ts'
import { type Operation, openedOperation } from '../operations/index.ts'
import { decideCapture, decideRelease, wholeRelease } from './rules.ts'

const now = instant(1_800_000_000_000)

function authorizationOf(change: Partial<Operation> = {}): Operation {
  const asked = {
    id: '0199a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b',
    walletId: 1001n,
    type: 'AUTH',
    status: 'COMPLETED',
    method: 'CC',
    amount: cents(1000),
    currency: 'EUR',
    channel: 'API',
    createdAt: now,
  } as const
  return { ...openedOperation(asked), expires: instant(now + 1000), ...change }
}

const partly = { captured: cents(400), captures: 1, released: cents(100) }

it.each<[string, Partial<Operation>, bigint | undefined, string | bigint, string | bigint]>([
  ['the rest', {}, undefined, 1000n, 1000n],
  ['a part', {}, 300n, 300n, 300n],
  ['exactly the rest', {}, 1000n, 1000n, 1000n],
  ['one cent too many', {}, 1001n, 'amount_exceeds_remaining', 'amount_exceeds_remaining'],
  ['19 cents', {}, 19n, 'below_minimum_amount', 'below_minimum_amount'],
  ['20 cents', {}, 20n, 20n, 20n],
  ['the rest after a capture', partly, undefined, 500n, 'illegal_state'],
  ['more than the rest after a capture', partly, 501n, 'amount_exceeds_remaining', 'illegal_state'],
  ['the rest after a release', { released: cents(600) }, undefined, 400n, 400n],
  ['the last ten cents', { released: cents(990) }, undefined, 10n, 10n],
  ['after a full release', { released: cents(1000) }, undefined, 'illegal_state', 'amount_exceeds_remaining'],
  [
    'after a full capture',
    { captured: cents(1000), captures: 2 },
    undefined,
    'amount_exceeds_remaining',
    'illegal_state',
  ],
  ['the tenth', { captured: cents(900), captures: 9 }, 50n, 50n, 'illegal_state'],
  ['the eleventh', { captured: cents(900), captures: 10 }, 50n, 'too_many_captures', 'illegal_state'],
  [
    'the eleventh, of nothing',
    { captured: cents(1000), captures: 10 },
    undefined,
    'too_many_captures',
    'illegal_state',
  ],
  ['before it is accepted', { status: 'NEW' }, undefined, 'illegal_state', 'illegal_state'],
  ['while the acquirer decides', { status: 'PENDING' }, undefined, 'illegal_state', 'illegal_state'],
  ['after it failed', { status: 'FAIL' }, undefined, 'illegal_state', 'illegal_state'],
  ['after it was voided', { status: 'VOIDED' }, undefined, 'illegal_state', 'illegal_state'],
  ['at the end of its month', { expires: now }, undefined, 'illegal_state', 'illegal_state'],
  ['a millisecond before', { expires: instant(now + 1) }, undefined, 1000n, 1000n],
  ['after it lapsed', { lapsedAt: now }, undefined, 'illegal_state', 'illegal_state'],
])('%s', (_, change, amount, captured, released) => {
  const authorization = authorizationOf(change)
  const asked = amount === undefined ? undefined : cents(amount)
  for (const [decide, expected] of [
    [decideCapture, captured],
    [decideRelease, released],
  ] as const) {
    const decided = decide(authorization, asked, now)
    expect(decided.ok ? decided.value : decided.refusal.kind).toBe(expected)
  }
})

describe('any sequence', () => {
  const step = fc.record({
    verb: fc.constantFrom('capture', 'release'),
    amount: fc.option(fc.bigInt(1n, 1200n), { nil: undefined }),
    fails: fc.boolean(),
  })

  /** A refusal or decline changes nothing. */
  function after(
    before: Operation,
    { verb, amount, fails }: { verb: string; amount: bigint | undefined; fails: boolean },
  ) {
    const asked = amount === undefined ? undefined : cents(amount)
    const decided = (verb === 'capture' ? decideCapture : decideRelease)(before, asked, now)
    if (!decided.ok || fails) return before
    const { value } = decided
    expect(value).toBe(asked ?? before.amount - before.captured - before.released)
    if (verb === 'capture')
      return { ...before, captured: cents(before.captured + value), captures: before.captures + 1 }
    expect(before.captures).toBe(0)
    return { ...before, released: cents(before.released + value) }
  }

  it('takes at most the authorized amount, in at most 10 captures, and releases nothing after one', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        let authorization = authorizationOf()
        for (const one of steps) {
          authorization = after(authorization, one)
          expect(authorization.captured + authorization.released).toBeLessThanOrEqual(authorization.amount)
          expect(authorization.captures).toBeLessThanOrEqual(10)
        }
      }),
    )
  })
})

it('releases only the whole rest at a provider without partial releases', () => {
  const partly = authorizationOf({ released: cents(400) })
  expect(wholeRelease(partly, cents(600))).toMatchObject({ ok: true })
  expect(wholeRelease(partly, cents(599))).toMatchObject({
    ok: false,
    refusal: { kind: 'illegal_state', reason: expect.stringContaining('amount must be 6.00') },
  })
})
