// Postings move the whole amount in the right direction.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Cents, cents, sumOf } from '../kernel/money.ts'
import { clearingOf, merchantAccount, mergedPostings, paidPostings } from './ledger.ts'

const paidByCard = (amount: Cents, fee: Cents) =>
  paidPostings(clearingOf('CC'), merchantAccount(7n), amount, fee)

it('a payment: the rail owes the merchant the net amount and the gateway the fee', () => {
  const clearing = { walletId: 0n, kind: 'clearing:CC' }
  expect(paidByCard(cents(1000), cents(25))).toEqual([
    { debit: clearing, credit: { walletId: 7n, kind: 'merchant' }, amount: 975n },
    { debit: clearing, credit: { walletId: 0n, kind: 'fees' }, amount: 25n },
  ])
})

it('writes no posting of zero', () => {
  expect(paidByCard(cents(30), cents(30))).toMatchObject([{ credit: { kind: 'fees' } }])
  expect(paidByCard(cents(30), cents(0))).toMatchObject([{ credit: { kind: 'merchant' } }])
})

it('moves the whole amount with any fee', () => {
  fc.assert(
    fc.property(fc.bigInt(1n, 9_999_999n), fc.bigInt(0n, 9_999_999n), (amount, fee) => {
      const postings = paidByCard(cents(amount), cents(fee % (amount + 1n)))
      expect(sumOf(postings.map((posting) => posting.amount))).toBe(amount)
      for (const posting of postings) expect(posting.amount > 0n).toBe(true)
    }),
  )
})

it('has one posting for each pair of accounts, and none within one account', () => {
  const [one, other] = [merchantAccount(7n), merchantAccount(8n)]
  const postings = [
    { debit: one, credit: other, amount: cents(3) },
    { debit: one, credit: one, amount: cents(9) },
    { debit: other, credit: one, amount: cents(1) },
    { debit: one, credit: other, amount: cents(4) },
  ]
  expect(mergedPostings(postings)).toEqual([
    { debit: one, credit: other, amount: 7n },
    { debit: other, credit: one, amount: 1n },
  ])
})

it('refuses a fee above the amount', () => {
  expect(() => paidByCard(cents(30), cents(31))).toThrow('a posting of -1 cents is negative')
})
