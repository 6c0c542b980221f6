// Days and amounts of payouts by schedule.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addDays } from '../kernel/lisbon.ts'
import { cents } from '../kernel/money.ts'
import { isTargetDay } from '../kernel/target-days.ts'
import type { Frequency } from './model.ts'
import { checkedDay, dueAtOn, nextPayoutDay, payoutAmount, transferAmount } from './rules.ts'

describe('the next day', () => {
  it.each([
    ['none', undefined, '2026-11-23', undefined],
    ['daily', undefined, '2026-11-23', '2026-11-24'],
    ['daily', undefined, '2026-11-27', '2026-11-30'],
    ['daily', undefined, '2026-12-24', '2026-12-28'],
    ['weekly', 1, '2026-11-23', '2026-11-30'],
    ['weekly', 5, '2026-11-23', '2026-11-27'],
    ['weekly', 5, '2026-12-21', '2026-12-28'],
    ['monthly', 1, '2026-11-23', '2026-12-01'],
    ['monthly', 31, '2026-11-23', '2026-11-30'],
    ['monthly', 31, '2027-02-01', '2027-03-01'],
    ['monthly', 15, '2026-11-15', '2026-12-15'],
    ['monthly', 5, '2026-11-23', '2026-12-07'],
  ] as const)('%s on %s, after %s, is %s', (frequency, day, today, expected) => {
    expect(nextPayoutDay({ frequency, day }, today)).toBe(expected)
  })

  it.each([
    ['2027-03-28', '2027-03-28T05:00:00Z'],
    ['2027-10-31', '2027-10-31T06:00:00Z'],
    ['2027-07-01', '2027-07-01T05:00:00Z'],
  ])('%s is due at 06:00 by the clocks of Lisbon, also if they change', (day, expected) => {
    expect(dueAtOn(day)).toBe(Date.parse(expected))
  })

  it('is later than today, within five weeks, and a bank day', () => {
    const asked = fc.oneof(
      fc.constant({ frequency: 'daily', day: undefined } as const),
      fc.record({ frequency: fc.constant('weekly' as const), day: fc.integer({ min: 1, max: 5 }) }),
      fc.record({ frequency: fc.constant('monthly' as const), day: fc.integer({ min: 1, max: 31 }) }),
    )
    fc.assert(
      fc.property(asked, fc.nat(4000), (when, days) => {
        const today = addDays('2024-01-01', days)
        const next = nextPayoutDay(when, today) ?? ''
        expect(next > today && next < addDays(today, 37)).toBe(true)
        expect(isTargetDay(next)).toBe(true)
      }),
    )
  })
})

it.each([
  [1n, 0n, 0n, undefined],
  [1n, 0n, 1n, 1n],
  [5000n, 0n, 4999n, undefined],
  [5000n, 1000n, 5999n, undefined],
  [5000n, 1000n, 6000n, 5000n],
  [1n, 0n, -5n, undefined],
  [1n, 0n, 200_000_000_000n, 99_999_999_999n],
])('minimum %s, keep %s, available %s: pays out %s', (minimum, keep, available, expected) => {
  expect(payoutAmount({ minimum: cents(minimum), keep: cents(keep) }, available)).toBe(expected)
})

it.each([
  ['daily', 1, 'day must be left out of daily'],
  ['weekly', undefined, 'day is required: the day of the week'],
  ['weekly', 6, 'day must be the day of the week from 1 (Monday) to 5 (Friday)'],
  ['monthly', 0, 'day must be the day of the month from 1 to 31'],
  ['monthly', 32, 'day must be the day of the month from 1 to 31'],
] as const)('%s on %s is refused', (frequency: Frequency, day, reason) => {
  expect(checkedDay(frequency, day)).toMatchObject({
    ok: false,
    refusal: { reason: expect.stringContaining(reason) },
  })
})

it.each([
  [0, 'below_minimum_amount'],
  [-1, 'below_minimum_amount'],
  [100_000_000_000, 'above_maximum_amount'],
])('a transfer of %i cents is refused', (amount, kind) => {
  expect(transferAmount(cents(amount), 'amount')).toMatchObject({ ok: false, refusal: { kind } })
})
