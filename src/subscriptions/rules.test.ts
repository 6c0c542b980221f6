// Which charges are taken: one row per rule, the refusal last.
import { describe, expect, it } from 'vitest'
import { cents } from '../kernel/money.ts'
import { instant } from '../kernel/time.ts'
import type { Subscription } from './model.ts'
import { endNoLaterThan, endsAt, lastDayOfCard, mayCharge, mostInAMonth } from './rules.ts'

const at = (text: string) => instant(Date.parse(text))

const monthly: Subscription = {
  id: '0199a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b',
  walletId: 1n,
  status: 'APPROVED',
  amount: cents(2000),
  currency: 'EUR',
  frequency: 1,
  period: 'MONTH',
  startDate: '2026-01-31',
  endDate: '2026-06-30',
  underApproval: false,
  cycle: 1,
  cycleCharged: cents(1500),
  createdAt: at('2026-01-01T00:00:00Z'),
  modifiedAt: at('2026-01-01T00:00:00Z'),
}

describe('a charge', () => {
  it.each<[string, Partial<Subscription>, number, string, string]>([
    ['of what is left', {}, 500, '2026-03-01T12:00:00Z', 'cycle 1'],
    ['of a cent more', {}, 501, '2026-03-01T12:00:00Z', 'period_total_reached'],
    ['in the first second', { cycle: 0, cycleCharged: cents(0) }, 2000, '2026-01-31T00:00:00Z', 'cycle 0'],
    ['a second before the start', { cycle: 0 }, 1, '2026-01-30T23:59:59Z', 'illegal_state'],
    ['in the last second of a cycle', {}, 2000, '2026-03-30T22:59:59Z', 'period_total_reached'],
    ['in the first second of the next', {}, 2000, '2026-03-30T23:00:00Z', 'cycle 2'],
    ['in the last second of the last day', {}, 2000, '2026-06-30T22:59:59Z', 'cycle 5'],
    ['a second later', {}, 1, '2026-06-30T23:00:00Z', 'illegal_state'],
    ['long after, without an end', { endDate: undefined }, 2000, '2031-06-30T12:00:00Z', 'cycle 65'],
    ['by a clock behind another process', { cycle: 2 }, 501, '2026-03-30T22:59:59Z', 'period_total_reached'],
    ['before the customer accepted', { status: 'NEW' }, 1, '2026-03-01T12:00:00Z', 'illegal_state'],
    ['of a failed one', { status: 'FAILED' }, 1, '2026-03-01T12:00:00Z', 'illegal_state'],
    ['of an expired one', { status: 'EXPIRED' }, 1, '2026-03-01T12:00:00Z', 'illegal_state'],
    ['of a canceled one', { status: 'CANCELED' }, 1, '2026-03-01T12:00:00Z', 'illegal_state'],
    ['of a voided one', { status: 'VOIDED' }, 1, '2026-03-01T12:00:00Z', 'illegal_state'],
  ])('%s', (_, change, amount, moment, outcome) => {
    const decided = mayCharge({ ...monthly, ...change }, cents(amount), at(moment))
    expect(decided.ok ? `cycle ${decided.value.cycle.index}` : decided.refusal.kind).toBe(outcome)
  })

  it('is refused with what is left, and until when', () => {
    const refused = mayCharge(monthly, cents(501), at('2026-03-01T12:00:00Z'))
    expect(refused).toMatchObject({
      ok: false,
      refusal: {
        reason: 'payment.amount must be at most 5.00, which is left through 2026-03-30 of 20.00 per cycle',
      },
    })
  })

  it('is refused with nothing left where a mandate was lowered below what was charged', () => {
    const lowered = { ...monthly, amount: cents(1000) }
    expect(mayCharge(lowered, cents(1), at('2026-03-01T12:00:00Z'))).toMatchObject({
      ok: false,
      refusal: { reason: expect.stringContaining('payment.amount must be at most 0.00, which is left') },
    })
    expect(mayCharge(lowered, cents(1000), at('2026-03-31T12:00:00Z')).ok).toBe(true)
  })
})

describe('the end', () => {
  it.each([
    [2, 2028, '2028-02-29'],
    [2, 2027, '2027-02-28'],
    [12, 2030, '2030-12-31'],
  ])('of a card good through %i/%i is %s', (month, year, day) => {
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

describe('as much as one month of the calendar can see', () => {
  it.each([
    ['MONTH', 1, '2026-03-01', 1000],
    // From the 15th the month holds the end of one cycle and the beginning of the next.
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
