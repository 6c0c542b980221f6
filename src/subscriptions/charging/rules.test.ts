// Accepted and refused charges: one row for each rule.
import { describe, expect, it } from 'vitest'
import { cents } from '../../kernel/money.ts'
import { instant } from '../../kernel/time.ts'
import type { Subscription } from '../model.ts'
import { mayCharge } from './rules.ts'

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
  autoCharged: false,
  createdAt: at('2026-01-01T00:00:00Z'),
  modifiedAt: at('2026-01-01T00:00:00Z'),
}

describe('a charge', () => {
  it.each<[string, Partial<Subscription>, number, string, string]>([
    ['of the rest', {}, 500, '2026-03-01T12:00:00Z', 'cycle 1'],
    ['of one cent more', {}, 501, '2026-03-01T12:00:00Z', 'period_total_reached'],
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

  it('is refused with the rest and its last day', () => {
    const refused = mayCharge(monthly, cents(501), at('2026-03-01T12:00:00Z'))
    expect(refused).toMatchObject({
      ok: false,
      refusal: {
        reason: 'payment.amount must be at most 5.00, which is left through 2026-03-30 of 20.00 per cycle',
      },
    })
  })

  it('is refused if a mandate was lowered below the charged amount', () => {
    const lowered = { ...monthly, amount: cents(1000) }
    expect(mayCharge(lowered, cents(1), at('2026-03-01T12:00:00Z'))).toMatchObject({
      ok: false,
      refusal: { reason: expect.stringContaining('payment.amount must be at most 0.00, which is left') },
    })
    expect(mayCharge(lowered, cents(1000), at('2026-03-31T12:00:00Z')).ok).toBe(true)
  })
})
