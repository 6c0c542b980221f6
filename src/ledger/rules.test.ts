// Bookkeeping sums to zero for every amount and fee.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Cents, cents, sumOf } from '../kernel/money.ts'
import { balanced, clearingOf, merchantAccount, paidEntries } from './rules.ts'

/** A payment by card to a merchant. */
const paidByCard = (amount: Cents, fee: Cents) =>
  paidEntries(clearingOf('CC'), merchantAccount(7n), amount, fee)

it('books a payment as what the rail owes, the merchant gets and the gateway keeps', () => {
  expect(paidByCard(cents(1000), cents(25))).toEqual([
    { account: { walletId: 0n, kind: 'clearing:CC' }, amount: -1000n },
    { account: { walletId: 7n, kind: 'merchant' }, amount: 975n },
    { account: { walletId: 0n, kind: 'fees' }, amount: 25n },
  ])
})

it('writes no entry of zero', () => {
  expect(paidByCard(cents(30), cents(30))).toHaveLength(2)
  expect(paidByCard(cents(30), cents(0))).toHaveLength(2)
})

it('sums to zero for every amount and fee', () => {
  fc.assert(
    fc.property(fc.bigInt(1n, 9_999_999n), fc.bigInt(0n, 9_999_999n), (amount, fee) => {
      const entries = paidByCard(cents(amount), cents(fee % (amount + 1n)))
      expect(sumOf(entries.map((entry) => entry.amount))).toBe(0n)
    }),
  )
})

it('refuses what does not balance', () => {
  expect(() => balanced([{ account: merchantAccount(7n), amount: cents(1) }])).toThrow('sum to 1')
})
