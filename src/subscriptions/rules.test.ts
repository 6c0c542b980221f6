// The end of subscriptions, and the most in a calendar month.
import { describe, expect, it } from 'vitest'
import { cents } from '../kernel/money.ts'
import { instant } from '../kernel/time.ts'
import { endNoLaterThan, endsAt, lastDayOfCard, mostInAMonth, whyStopped } from './rules.ts'

const at = (text: string) => instant(Date.parse(text))

describe('the end', () => {
  it.each([
    [2, 2028, '2028-02-29'],
    [2, 2027, '2027-02-28'],
    [12, 2030, '2030-12-31'],
  ])('of a card valid through %i/%i is %s', (month, year, day) => {
    expect(lastDayOfCard({ month, year })).toBe(day)
  })

  it.each([
    ['2026-06-30', '2026-05-31', '2026-05-31'],
    ['2026-06-30', '2027-05-31', '2026-06-30'],
    [undefined, '2027-05-31', '2027-05-31'],
    [undefined, undefined, undefined],
    ['2026-06-30', undefined, '2026-06-30'],
  ])('%s, with a method that lasts until %s, is %s', (endDate, last, end) => {
    expect(endNoLaterThan({ endDate }, last)).toBe(end)
  })

  it('is midnight in Lisbon after the last day', () => {
    expect(endsAt('2026-06-30')).toBe(at('2026-06-30T23:00:00Z'))
    expect(endsAt(undefined)).toBeUndefined()
  })
})

describe('the most that one calendar month can contain', () => {
  it.each([
    ['MONTH', 1, '2026-03-01', 1000],
    // From the 15th, the month has the end of one cycle and the start of the next.
    ['MONTH', 1, '2026-03-15', 2000],
    ['MONTH', 12, '2026-03-31', 2000],
    ['WEEK', 1, '2026-03-01', 6000],
    ['WEEK', 2, '2026-03-01', 4000],
    ['DAY', 1, '2026-03-01', 31000],
    ['DAY', 31, '2026-03-01', 2000],
    ['DAY', 365, '2026-03-01', 2000],
  ] as const)('of 10.00 per %s × %i from %s is %i cents', (period, frequency, startDate, most) => {
    const terms = { amount: cents(1000), currency: 'EUR', period, frequency, startDate } as const
    expect(mostInAMonth(terms)).toBe(cents(most))
  })
})

it.each([
  ['CANCELED', 'subscription_canceled'],
  ['VOIDED', 'subscription_voided'],
  ['EXPIRED', undefined],
  ['APPROVED', undefined],
] as const)('reason to stop charges of a %s subscription: %s', (status, why) => {
  expect(whyStopped(status)).toBe(why)
})
