// Shares of a refund: listed wallets, the owner, or in proportion.
import { expect, it } from 'vitest'
import { cents } from '../kernel/money.ts'
import { rational } from '../kernel/values/rational.ts'
import type { BookedShare } from './model.ts'
import { type DividedPayment, planRefund } from './plan-refund.ts'

/** The share at `position` of 4.00, of wallet 10 and up. */
const share = (position: number, refunded = 0): BookedShare => ({
  position,
  walletId: BigInt(10 + position),
  publicId: `wallet${position}`,
  fraction: rational(2n, 5n),
  feeFixed: cents(0),
  feeVariableBp: 0,
  amount: cents(400),
  transferId: `transfer${position}`,
  refunded: cents(refunded),
})

/** 10.00, of which two wallets got 4.00 each. */
const payment = (...refunded: number[]): DividedPayment => ({
  amount: cents(1000),
  refunded: cents(0),
  shares: [share(0, refunded[0]), share(1, refunded[1])],
  proportionate: [],
})
const listed = (walletId: number, n: bigint, d: bigint) => ({
  walletId: BigInt(walletId),
  fraction: rational(n, d),
})
const planned = (...parameters: Parameters<typeof planRefund>) => {
  const result = planRefund(...parameters)
  if (!result.ok) return `${result.refusal.kind}: ${result.refusal.reason}`
  const { source, shareRefunds, owner, parts } = result.value
  return [source, shareRefunds.map(({ position, amount }) => [position, amount]), owner, parts.length]
}

it('from wallets in the order in which they are listed, the rest from the owner', () => {
  expect(planned(payment(), cents(400), [listed(11, 1n, 2n), listed(10, 1n, 4n)])).toEqual([
    'listed',
    [
      [1, 200n],
      [0, 100n],
    ],
    100n,
    2,
  ])
  const result = planRefund(payment(), cents(400), [listed(11, 1n, 2n)])
  expect(result.ok && result.value.shareRefunds).toEqual([
    { position: 1, walletId: 11n, transferId: 'transfer1', amount: 200n },
  ])
})

it('from the owner alone where nobody is listed', () => {
  expect(planned(payment(), cents(400), [])).toEqual(['owner', [], 400n, 0])
})

it('from everybody where nothing is said, and from a share of which nothing is left not', () => {
  expect(planned(payment(), cents(500), undefined)).toEqual([
    'proportion',
    [
      [0, 200n],
      [1, 200n],
    ],
    100n,
    2,
  ])
  expect(planned(payment(400), cents(400), undefined)).toEqual(['proportion', [[1, 160n]], 240n, 2])
})

it('refused if a wallet has no share, or would give more than its rest', () => {
  expect(planned(payment(), cents(400), [listed(10, 1n, 2n), listed(12, 1n, 2n)])).toBe(
    'invalid_split: split[1].merchant_wallet must be a wallet that has a share',
  )
  expect(planned(payment(0, 300), cents(400), [listed(11, 1n, 4n)])).toEqual(['listed', [[1, 100n]], 300n, 1])
  expect(planned(payment(0, 300), cents(404), [listed(11, 1n, 4n)])).toBe(
    'invalid_split: split[0] must take at most 1.00, the rest of the share of 4.00',
  )
})
