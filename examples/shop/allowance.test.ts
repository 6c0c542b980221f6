// Remaining allowance of a month.
import { expect, it } from 'vitest'
import { leftOn } from './allowance.ts'

const terms = { amount: 2500, startDate: '2026-01-31' }
const charge = (day: string, amount: number, state: 'SUCCESS' | 'NEW' | 'FAIL' | 'refused' = 'SUCCESS') => ({
  day,
  amount,
  state,
})

it.each([
  ['whole at the start', '2026-01-31', [], 2500, '2026-02-27'],
  ['less what was charged', '2026-02-01', [charge('2026-01-31', 1450)], 1050, '2026-02-27'],
  ['less what is being charged', '2026-02-01', [charge('2026-02-01', 1450, 'NEW')], 1050, '2026-02-27'],
  ['restored by a failed charge', '2026-02-01', [charge('2026-02-01', 1450, 'FAIL')], 2500, '2026-02-27'],
  ['unchanged by a refused charge', '2026-02-01', [charge('2026-02-01', 99, 'refused')], 2500, '2026-02-27'],
  ['new in a month that is shorter', '2026-02-28', [charge('2026-02-27', 2500)], 2500, '2026-03-30'],
  ['never below nothing', '2026-02-01', [charge('2026-02-01', 2600)], 0, '2026-02-27'],
] as const)('is %s', (_, today, charges, amount, until) => {
  expect(leftOn(today, terms, charges)).toEqual({ amount, until })
})

it('lasts no longer than the subscription', () => {
  expect(leftOn('2026-02-01', { ...terms, endDate: '2026-02-10' }, [])).toEqual({
    amount: 2500,
    until: '2026-02-10',
  })
})
