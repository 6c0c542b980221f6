// Amounts and fees: half cents round up, and no fee exceeds its amount.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cents } from '../kernel/money.ts'
import { instant } from '../kernel/time.ts'
import { clearingOf, merchantAccount } from '../ledger/index.ts'
import { defaultFeeSchedule } from '../methods/list.ts'
import type { Operation } from './model.ts'
import {
  amountWithinRange,
  answersItself,
  askedSplit,
  feeFor,
  feeOf,
  feeToShow,
  isLimited,
  isRefundable,
  maySplit,
  monthEndOf,
  priceOf,
  settlePostings,
} from './rules.ts'

it.each([
  [0n, 'below_minimum_amount'],
  [-5n, 'below_minimum_amount'],
  [1n, undefined],
  [9_999_999n, undefined],
  [10_000_000n, 'above_maximum_amount'],
])('amount of %s cents: %s', (amount, kind) => {
  const result = amountWithinRange(cents(amount), 'payment.amount')
  expect(result.ok ? undefined : result.refusal.kind).toBe(kind)
})

const card = { ratePpm: 10_000, fixedCents: 15 }

describe('feeFor', () => {
  it.each([
    ['card on 10.00', 1000n, card, 25n],
    ['card on 0.50: 15.5 cents round up', 50n, card, 16n],
    ['card on 0.49: 15.49 cents round down', 49n, card, 15n],
    ['mobile wallet on 10.00', 1000n, { ratePpm: 15_000, fixedCents: 0 }, 15n],
    ['reference on 0.10 costs at most the amount', 10n, { ratePpm: 0, fixedCents: 50 }, 10n],
  ])('%s', (_, amount, rate, fee) => {
    expect(feeFor(cents(amount), rate)).toBe(fee)
  })

  it('is never above the amount and never negative', () => {
    fc.assert(
      fc.property(
        fc.bigInt(1n, 9_999_999n),
        fc.nat(1_000_000),
        fc.nat(500),
        (amount, ratePpm, fixedCents) => {
          const fee = feeFor(cents(amount), { ratePpm, fixedCents })
          return fee >= 0n && fee <= amount
        },
      ),
    )
  })
})

it.each([
  ['CC', 25n],
  ['MB', 50n],
  ['MB_INSTANT', 70n],
  ['MBWAY', 15n],
  ['PAYPAL', 64n],
  ['WALLET', 5n],
  ['SEPA', 30n],
  ['BANK', 0n],
] as const)('by default %s costs %i cents on 10.00', (method, fee) => {
  expect(feeFor(cents(1000), defaultFeeSchedule[method])).toBe(fee)
})

const paid = {
  type: 'PAYMENT',
  status: 'COMPLETED',
  method: 'CC',
  amount: cents(1000),
  refunded: cents(0),
  cameBack: cents(0),
} as const

describe('isRefundable', () => {
  it.each<[object, boolean]>([
    [{ method: 'CC' }, true],
    [{ method: 'MBWAY' }, true],
    [{ method: 'PAYPAL' }, true],
    [{ method: 'WALLET' }, true],
    [{ method: 'SEPA' }, true],
    [{ method: 'MB' }, false],
    [{ method: 'MB', mbRefunds: true }, true],
    [{ method: 'BANK', mbRefunds: true }, false],
    // Another account can be tried.
    [{ method: 'MB', mbRefunds: true, cameBack: cents(1000) }, true],
    [{ method: 'BANK' }, false],
    [{ method: undefined }, false],
    [{ type: 'CAPTURE' }, true],
    [{ type: 'AUTH' }, false],
    [{ type: 'REFUND' }, false],
    [{ status: 'PENDING' }, false],
    [{ refunded: cents(999) }, true],
    [{ refunded: cents(1000) }, false],
    [{ refunded: cents(500), cameBack: cents(499) }, true],
    [{ cameBack: cents(1000) }, false],
    // The return was clawed back.
    [{ refunded: cents(1000), cameBack: cents(400) }, false],
  ])('%o: %s', (changed, refundable) => {
    expect(isRefundable({ ...paid, ...changed }, { mbRefunds: false, ...changed })).toBe(refundable)
  })
})

it.each([
  ['MB', true, 'MB_INSTANT'],
  ['MB', false, 'MB'],
  ['MB', undefined, 'MB'],
  ['CC', true, 'CC'],
] as const)('%s, instant %s, has the price of %s', (method, isInstant, price) => {
  expect(priceOf(method, isInstant)).toBe(price)
})

it.each([
  ['PAYMENT', 25n],
  ['CAPTURE', 25n],
  ['AUTH', 0n],
  ['RELEASE', 0n],
  ['REFUND', 0n],
  ['USERTRANSFER', 0n],
  ['WALLETFUNDS', 0n],
] as const)('a %s of 10.00 costs %s cents', (type, fee) => {
  expect(feeOf({ type, amount: cents(1000) }, card)).toBe(fee)
})

it.each([
  ['PENDING', 'MB', -50n],
  ['PENDING', 'MBWAY', -15n],
  ['PENDING', 'CC', -3n],
  ['PENDING', undefined, -3n],
  ['NEW', 'MB', -3n],
  ['COMPLETED', 'MB', -3n],
] as const)('payment %s by %s, stored fee -3: shows %s', (status, method, fee) => {
  const payment = { ...paid, status, method, instant: false, fee: cents(-3) }
  expect(feeToShow(payment, defaultFeeSchedule)).toBe(fee)
})

it.each([
  ['REFUND', true],
  ['PAYMENT', false],
  ['CAPTURE', false],
] as const)('callbacks are silent for %s: %s', (type, itself) => {
  expect(answersItself(type)).toBe(itself)
})

it('an authorization can be captured for one calendar month', () => {
  const createdAt = instant(Date.parse('2026-01-31T10:00:00Z'))
  expect(monthEndOf({ createdAt })).toBe(Date.parse('2026-02-28T10:00:00Z'))
})

it.each([
  [null, null, false],
  [cents(1), null, true],
  [null, cents(1), true],
])('with %s a payment and %s a day a wallet is limited: %s', (paymentLimit, dayLimit, limited) => {
  expect(isLimited({ paymentLimit, dayLimit })).toBe(limited)
})

describe('settlePostings', () => {
  const accounts = { rail: clearingOf('CC'), own: merchantAccount(7n) }
  const fees = { walletId: 0n, kind: 'fees' }
  const into = (amount: bigint) => ({ debit: accounts.rail, credit: accounts.own, amount })
  const outOf = (amount: bigint) => ({ debit: accounts.own, credit: accounts.rail, amount })
  const fee = (amount: bigint) => ({ debit: accounts.rail, credit: fees, amount })

  it.each([
    ['PAYMENT', 1000, -25, [into(975n), fee(25n)]],
    ['CAPTURE', 1000, 0, [into(1000n)]],
    ['REFUND', -400, 0, [outOf(400n)]],
    ['WALLETFUNDS', -400, 0, [outOf(400n)]],
    ['WALLETFUNDS', 400, 0, [into(400n)]],
    ['AUTH', 1000, 0, []],
    ['RELEASE', 1000, 0, []],
  ] as const)('of a %s of %i cents with a fee of %i', (type, amount, charged, postings) => {
    const operation = { type, amount: cents(amount), fee: cents(charged) } as Operation
    expect(settlePostings[type](operation, () => accounts)).toEqual(postings)
  })

  it('none for types without postings', () => {
    const transfer = { type: 'USERTRANSFER' } as Operation
    expect(() => settlePostings.USERTRANSFER(transfer, () => accounts)).toThrow('USERTRANSFER')
  })
})

describe('a split', () => {
  const marketplace = { permissions: new Set(['split']), rights: new Set(['marketplace']) } as never
  const nobody = { permissions: new Set(), rights: new Set() } as never

  it.each([
    [['split'], ['marketplace'], true],
    [['split'], [], false],
    [[], ['marketplace'], false],
  ])('by a key with %j of a wallet with %o: %s', (permissions, rights, may) => {
    expect(
      maySplit({ permissions: new Set(permissions), rights: new Set(rights) } as never, 'split').ok,
    ).toBe(may)
  })

  const asked = (value: unknown, caller = marketplace, prices: readonly ('CC' | 'MB')[] = ['CC', 'MB']) =>
    askedSplit(
      async () =>
        ({ id: 8n, kind: 'merchant', publicId: 'S', splitFeeFixed: 0n, splitFeeVariableBp: 0 }) as never,
      {
        value,
        field: 'split',
        amount: cents(1000),
        wallet: { id: 7n, feeSchedule: defaultFeeSchedule } as never,
        caller,
        prices,
      },
    )

  it.each([undefined, null])('%s as split is no split, for any caller', async (value) => {
    expect(await asked(value, nobody)).toEqual({ ok: true, value: undefined })
  })

  it.each([
    ['9.50', ['CC', 'MB'], true],
    ['9.51', ['CC', 'MB'], false],
    ['9.51', ['CC'], true],
    ['9.50', ['MB', 'CC'], true],
    ['9.51', ['MB', 'CC'], false],
  ] as const)('with a fee of %s, paid by %j: %s', async (fee, prices, fits) => {
    const descriptors = [{ merchant_wallet: 'S', fraction: '1', fee_fixed: fee }]
    expect((await asked(descriptors, marketplace, prices)).ok).toBe(fits)
  })

  it('needs the right and the permission', async () => {
    expect(await asked([{ id: 'S', amount: 1 }], nobody)).toMatchObject({
      ok: false,
      refusal: { kind: 'access_denied' },
    })
  })
})
