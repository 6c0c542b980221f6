// Bank charges that explain the difference between an entry and its transactions.
import { expect, it } from 'vitest'
import { cents } from '../../kernel/money.ts'
import type { Direction, Transaction } from '../incoming/messages.ts'
import { type Charge, withCharges } from './rules.ts'

const charge = (amount: number, change: Partial<Charge> = {}): Charge => ({
  amount: cents(amount),
  currency: 'EUR',
  ...change,
})
const transaction = (amount: number, ...charges: Charge[]): Transaction => ({
  ...{ amount: cents(amount), party: {}, references: [], charges },
})

it.each<[string, Direction, number, Charge[], Transaction[], (number | undefined)[] | undefined]>([
  ['a returned debit, charged in the entry', 'debit', 2350, [charge(350)], [transaction(2000)], [350]],
  ['charged in the transaction', 'debit', 2350, [], [transaction(2000, charge(350))], [350]],
  ['said twice', 'debit', 2350, [charge(350)], [transaction(2000, charge(350))], [350]],
  ['in two parts', 'debit', 2350, [charge(50)], [transaction(2000, charge(300))], [350]],
  ['a credit of which it is kept', 'credit', 1950, [charge(50)], [transaction(2000)], [50]],
  [
    'of which a part was given back',
    'debit',
    2300,
    [charge(350), charge(50, { isCredited: true })],
    [transaction(2000)],
    [300],
  ],
  [
    'of each of several',
    'debit',
    4650,
    [],
    [transaction(2000, charge(350)), transaction(2000, charge(300))],
    [350, 300],
  ],
  [
    'of one of several',
    'debit',
    4350,
    [],
    [transaction(2000, charge(350)), transaction(2000)],
    [350, undefined],
  ],
  [
    'of several at once',
    'debit',
    4350,
    [charge(350)],
    [transaction(2000), transaction(2000)],
    [350, undefined],
  ],
  ['a cent too few', 'debit', 2351, [charge(350)], [transaction(2000)], undefined],
  ['none', 'debit', 2350, [], [transaction(2000)], undefined],
  ['in dollars', 'debit', 2350, [charge(350, { currency: 'USD' })], [transaction(2000)], undefined],
  ['a credit of more', 'credit', 1216, [charge(100)], [transaction(1116)], undefined],
  ['a debit of less', 'debit', 1650, [charge(350)], [transaction(2000)], undefined],
])('%s', (_, direction, amount, charges, transactions, expected) => {
  const explained = withCharges({ direction, amount: cents(amount), charges }, transactions)
  expect(explained?.map((one) => (one.charge === undefined ? undefined : Number(one.charge)))).toEqual(
    expected,
  )
  expect(explained?.map((one) => one.amount)).toEqual(expected && transactions.map((one) => one.amount))
})

it('assigns a shared charge to none of the transactions', () => {
  const both = [transaction(2000), transaction(2000)]
  expect(
    withCharges({ direction: 'debit', amount: cents(4350), charges: [charge(350)] }, both),
  ).toMatchObject([{ isShared: true }, {}])
})
