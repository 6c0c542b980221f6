// The figures of the first page.
import { expect, it } from 'vitest'
import { cents } from '../../kernel/money.ts'
import type { DayFigure } from '../../operations/index.ts'
import { firstDayOf, homeFigures } from './home-figures.ts'

const today = '2026-03-31'

function figure(day: string, given: Partial<DayFigure> = {}): DayFigure {
  return {
    ...{ day, type: 'PAYMENT', status: 'COMPLETED', method: 'CC', isOutgoing: false, operations: 2n },
    amount: cents(1050),
    ...given,
  }
}

it('adds up today, seven days and thirty days, and the periods before', () => {
  const figures = [
    figure('2026-01-31'),
    figure('2026-03-01'),
    figure('2026-03-24'),
    figure('2026-03-30', { type: 'AUTH', operations: 1n }),
    figure('2026-03-30', { type: 'CAPTURE', operations: 1n }),
    figure('2026-03-31'),
    figure('2026-03-31', { type: 'REFUND', isOutgoing: true, amount: cents(300), operations: 1n }),
    figure('2026-03-31', { type: 'REFUND', isOutgoing: false, amount: cents(100), operations: 1n }),
    figure('2026-03-31', { status: 'FAIL', method: 'MBWAY' }),
    figure('2026-03-31', { status: 'PENDING', method: 'MB' }),
  ]
  const home = homeFigures(figures, today)
  expect(home.today).toEqual({
    amount: 10.5,
    payments: 2,
    refunded: 3,
    amount_before: 10.5,
    payments_before: 1,
  })
  expect(home.week).toMatchObject({ amount: 21, payments: 3, amount_before: 10.5, payments_before: 2 })
  expect(home.month).toMatchObject({ amount: 31.5, payments: 5, amount_before: 21, payments_before: 4 })
  expect(home.methods).toEqual([
    { method: 'CC', of: 'payments', completed: 4, failed: 0, amount: 21 },
    { method: 'MBWAY', of: 'payments', completed: 0, failed: 2, amount: 0 },
    { method: 'CC', of: 'authorizations', completed: 1, failed: 0, amount: 10.5 },
  ])
  expect(home.days).toHaveLength(30)
  expect(home.days.at(-1)).toEqual({ day: today, amount: 10.5, payments: 2, refunded: 3 })
  expect(firstDayOf(today)).toBe('2026-01-31')
})
