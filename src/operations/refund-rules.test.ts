// Refundable amounts, refusals, and shares of a returned refund.
import { expect, it } from 'vitest'
import { cents } from '../kernel/money.ts'
import type { Operation } from './model.ts'
import { decideRefund, sharesOfReturn } from './rules.ts'

const paid = { type: 'PAYMENT', status: 'COMPLETED', method: 'CC', amount: 1000n, refunded: 0n, cameBack: 0n }
const operation = (changed: object) => ({ ...paid, ...changed }) as unknown as Operation

it.each([
  ['the whole amount', {}, undefined, 1000n],
  ['a part', {}, 1, 1n],
  ['exactly the amount', {}, 1000, 1000n],
  ['the rest', { refunded: 999n }, undefined, 1n],
  ['a capture', { type: 'CAPTURE' }, 500, 500n],
  ['one cent too many', {}, 1001, 'amount_exceeds_remaining: amount must be at most 10.00'],
  ['more than the rest', { refunded: 400n }, 601, 'amount_exceeds_remaining: amount must be at most 6.00'],
  ['nothing', {}, 0, 'below_minimum_amount: amount must be at least 0.01'],
  ['zero', { refunded: 1000n }, 0, 'below_minimum_amount: amount must be at least 0.01'],
  [
    'an amount that includes a returned refund',
    { refunded: 100n, cameBack: 400n },
    501,
    'amount_exceeds_remaining: amount must be at most 5.00',
  ],
  ['a fully refunded payment', { refunded: 1000n }, undefined, 'not_refundable: nothing is left to refund'],
  [
    'an authorization',
    { type: 'AUTH' },
    undefined,
    'not_refundable: only a PAYMENT or CAPTURE is refundable; the operation is of type AUTH',
  ],
  ['a failed payment', { status: 'FAIL' }, 1, 'not_refundable: the operation must be COMPLETED; it is FAIL'],
  ['a reference', { method: 'MB' }, 1, 'not_refundable: payments by MB cannot be refunded'],
  ['a reference, where the wallet allows it', { method: 'MB', mbRefunds: true }, 1, 1n],
  [
    'a reference again after its return',
    { method: 'MB', mbRefunds: true, cameBack: 1000n },
    undefined,
    1000n,
  ],
  [
    'a payment without a method',
    { method: undefined },
    1,
    'not_refundable: a payment without a method cannot be refunded',
  ],
] as const)('refunds %s', (_, changed, asked, outcome) => {
  const decided = decideRefund(operation(changed), asked === undefined ? undefined : cents(asked), {
    mbRefunds: false,
    ...changed,
  })
  const text = decided.ok ? decided.value : `${decided.refusal.kind}: ${decided.refusal.reason}`
  expect(text).toBe(outcome)
})

const divided = (...amounts: number[]) =>
  operation({
    type: 'REFUND',
    amount: -100n,
    refundSplit: {
      takes: 'proportion',
      shareRefunds: amounts.map((amount, position) => ({ position, amount: cents(amount) })),
    },
  })

it.each([
  [
    [60, 30],
    100,
    [
      [0, 60n],
      [1, 30n],
    ],
  ],
  [
    [60, 30],
    50,
    [
      [0, 30n],
      [1, 15n],
    ],
  ],
  [
    [61, 30],
    50,
    [
      [0, 30n],
      [1, 15n],
    ],
  ],
  [[61, 1], 50, [[0, 30n]]],
  [[60, 0], 100, [[0, 60n]]],
])('of shares of %j, %i of 100 cents that came back go as %o', (shares, back, expected) => {
  const returned = sharesOfReturn(divided(...shares), cents(back))
  expect(returned?.shareRefunds.map(({ position, amount }) => [position, amount])).toEqual(expected)
  expect(returned).toMatchObject({ takes: 'proportion' })
})

it('a refund that came back in parts gives the shares their amounts', () => {
  const parts = [33, 33, 34].map((back, index) =>
    sharesOfReturn(divided(61, 30), cents(back), cents(33 * index)),
  )
  const ofPosition = (position: number) =>
    parts.map((part) => part?.shareRefunds.find((share) => share.position === position)?.amount)
  expect([ofPosition(0), ofPosition(1)]).toEqual([
    [20n, 20n, 21n],
    [9n, 10n, 11n],
  ])
})

it('no share gets a part of an undivided refund', () => {
  expect(sharesOfReturn(operation({ amount: -100n }), cents(100))).toBeUndefined()
})
