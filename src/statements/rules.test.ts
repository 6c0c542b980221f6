// Statements from daily totals, and fees by month.
import { expect, it } from 'vitest'
import { cents } from '../kernel/money.ts'
import type { DayTotal } from './model.ts'
import { feesByMonth, statementOf } from './rules.ts'

const total = (
  day: string | undefined,
  kind: string,
  method: string,
  gross: number,
  fee: number,
  entries: number,
) =>
  ({
    day,
    kind,
    method,
    gross: cents(gross),
    fee: cents(fee),
    entries: BigInt(entries),
  }) as unknown as DayTotal

const totals = [
  total(undefined, 'payment', 'CC', 1000, 25, 4),
  total('2026-02-28', 'payment', 'CC', 500, 10, 2),
  total('2026-02-28', 'payment', 'MB', 200, 5, 1),
  total('2026-02-28', 'refund', 'CC', -100, 0, 1),
  total('2026-03-01', 'payment', 'CC', 300, 7, 3),
  total('2026-03-01', 'payout', 'BANK', -400, 0, 1),
  total('2026-03-01', 'share', '', -50, 0, 1),
  total('2026-03-01', 'other', '', 9, 0, 1),
]

it('has the balance before and after each day', () => {
  expect(statementOf(totals)).toEqual({
    opening: 975n,
    closing: 1412n,
    payments: { CC: 800n, MB: 200n },
    refunds: -100n,
    payouts: -400n,
    shares: -50n,
    other: 9n,
    fees: -22n,
    entries: 10,
    days: [
      {
        day: '2026-02-28',
        opening: 975n,
        closing: 1560n,
        payments: { CC: 500n, MB: 200n },
        refunds: -100n,
        payouts: 0n,
        shares: 0n,
        other: 0n,
        fees: -15n,
        entries: 4,
      },
      {
        day: '2026-03-01',
        opening: 1560n,
        closing: 1412n,
        payments: { CC: 300n },
        refunds: 0n,
        payouts: -400n,
        shares: -50n,
        other: 9n,
        fees: -7n,
        entries: 6,
      },
    ],
  })
})

it('is empty without movements', () => {
  expect(statementOf([])).toMatchObject({ opening: 0n, closing: 0n, payments: {}, entries: 0, days: [] })
})

it('adds up the fees of payments by month and method, oldest first', () => {
  const more = [
    total('2026-02-01', 'payment', 'CC', 100, 1, 1),
    total('2025-12-31', 'payment', 'MB', 40, 4, 1),
  ]
  expect(feesByMonth([...totals, ...more])).toEqual([
    { month: '2025-12', method: 'MB', volume: 40n, fees: -4n, payments: 1 },
    { month: '2026-02', method: 'CC', volume: 600n, fees: -11n, payments: 3 },
    { month: '2026-02', method: 'MB', volume: 200n, fees: -5n, payments: 1 },
    { month: '2026-03', method: 'CC', volume: 300n, fees: -7n, payments: 3 },
  ])
})
