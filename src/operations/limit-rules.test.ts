// Limits set by the operator, exact to the cent.
import { expect, it } from 'vitest'
import { type Cents, cents } from '../kernel/money.ts'
import { overDay, withinPaymentLimit } from './rules.ts'

const limits = (paymentLimit: number | null, dayLimit: number | null) => ({
  paymentLimit: paymentLimit === null ? null : cents(paymentLimit),
  dayLimit: dayLimit === null ? null : cents(dayLimit),
})

it.each([
  [null, null, 9_999_999, undefined],
  [1000, null, 1000, undefined],
  [1000, null, 1001, 'amount must be at most 10.00, the largest payment'],
  [null, 5000, 5000, undefined],
  [null, 5000, 5001, 'amount must be at most 50.00, which is left today of the 50.00 a day'],
  [1000, 500, 501, 'amount must be at most 5.00, which is left today of the 5.00 a day'],
  [500, 1000, 501, 'amount must be at most 5.00, the largest payment'],
])('at most %s a payment and %s a day, %i cents: %s', (payment, day, amount, problem) => {
  const result = withinPaymentLimit(limits(payment, day), cents(amount), 'amount')
  if (problem === undefined) expect(result).toEqual({ ok: true, value: undefined })
  else {
    expect(result).toMatchObject({ ok: false, refusal: { kind: 'limit_reached' } })
    expect(JSON.stringify(result)).toContain(problem)
  }
})

it.each([
  [1000n, 0n, '10.00'],
  [1000n, 999n, '0.01'],
  [1000n, 1000n, '0.00'],
  [1000n, 1500n, '0.00'],
])('%s cents a day, %s taken: %s left', (day, taken, left) => {
  const refusal = overDay(day as Cents, taken, cents(2000), 'amount')
  expect(JSON.stringify(refusal)).toContain(
    `amount must be at most ${left}, which is left today of the 10.00`,
  )
})
