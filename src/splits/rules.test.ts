// Splits lose and create no cent, and refunds return to zero.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Cents, cents } from '../kernel/money.ts'
import { parseRational, type Rational, rational } from '../kernel/values/rational.ts'
import { divide, exactShare, withoutNegativeShares } from './divide.ts'
import { explainDivision } from './explain.ts'
import type { AskedShare, BookedShare, RefundSource, ShareRefund } from './model.ts'
import { type DividedPayment, planRefund } from './plan-refund.ts'

/** Fewer for the many runs of mutation tests. */
const numRuns = Number(process.env.PROPERTY_RUNS ?? 10_000)
/** Seconds each; ten times as long on a busy machine. */
const timeoutMs = 120_000
const half = rational(1n, 2n)

function asked(walletId: bigint, fraction: Rational, fees: Partial<AskedShare> = {}): AskedShare {
  return { walletId, publicId: `wallet${walletId}`, fraction, feeFixed: cents(0), feeVariableBp: 0, ...fees }
}

const fractionsOf = (...texts: string[]) => texts.map((text) => parseRational(text) as Rational)

describe('the example of SPEC.md: three wallets, one with 0.5, the others 1/4 each', () => {
  const shares = fractionsOf('0.5', '1/4', '1/4').map((fraction, index) => asked(BigInt(index), fraction))

  it('rounds each, and the largest upward rounding loses the extra cent', () => {
    const division = divide(cents(975), shares)
    expect(division.shares.map(({ rounded }) => rounded)).toEqual([488n, 244n, 244n])
    expect(division.shares.map(({ lostCent }) => lostCent)).toEqual([true, false, false])
    expect(division.shares.map(({ amount }) => amount)).toEqual([487n, 244n, 244n])
    expect(division.owner).toBe(0n)
  })

  it('explains each step', () => {
    expect(explainDivision(cents(1000), divide(cents(975), shares))).toMatchObject({
      amount: '10.00',
      fee: '0.25',
      net: '9.75',
      shares: [
        { fraction: '1/2', exact: '39/8', rounded: '4.88', lost_cent: true, amount: '4.87' },
        { fraction: '1/4', exact: '39/16', rounded: '2.44', lost_cent: false, amount: '2.44' },
        { fraction: '1/4' },
      ],
      owner: '0.00',
    })
  })
})

it.each<[string, string[], bigint, bigint[], bigint]>([
  ['the later of two equal roundings loses the cent', ['1/2', '1/2'], 5n, [3n, 2n], 0n],
  [
    'the owner keeps the rest of fractions',
    ['0.3333', '0.3333', '0.3333'],
    100_00n,
    [3333n, 3333n, 3333n],
    1n,
  ],
  ['thirds lose no cent', ['1/3', '1/3', '1/3'], 100_00n, [3333n, 3333n, 3333n], 1n],
  ['two sevenths', ['2/7', '2/7', '2/7'], 9_999_999n, [2857143n, 2857143n, 2857143n], 1428570n],
])('%s', (_, fractions, net, amounts, owner) => {
  const division = divide(
    cents(net),
    fractionsOf(...fractions).map((fraction, index) => asked(BigInt(index), fraction)),
  )
  expect(division.shares.map(({ amount }) => amount)).toEqual(amounts)
  expect(division.owner).toBe(owner)
})

it('gives the fees of a share to the owner', () => {
  const fees = { feeVariableBp: 1000, feeFixed: cents(30) }
  const division = divide(cents(975), [asked(1n, half, fees)])
  // 0.9 × 1/2 × 9.75 − 0.30 = 4.0875
  expect(division.shares[0]?.amount).toBe(409n)
  expect(division.owner).toBe(566n)
})

it('refuses a share that its fixed fee makes negative', () => {
  const tooDear = [asked(1n, half), asked(2n, rational(1n, 100n), { feeFixed: cents(11) })]
  expect(withoutNegativeShares(cents(1000), tooDear, 'split')).toMatchObject({
    ok: false,
    refusal: { kind: 'invalid_split', reason: expect.stringContaining('split[1].fee_fixed') },
  })
  expect(withoutNegativeShares(cents(1100), tooDear, 'split').ok).toBe(true)
  expect(divide(cents(1000), tooDear).shares[1]?.amount).toBe(0n)
})

/** Known fractions, and any cut by any denominator. */
const fractions = fc
  .tuple(
    fc.array(
      fc.oneof(
        fc.constantFrom(...fractionsOf('1/3', '2/7', '0.3333', '1/4', '0.5', '1/100', '1')),
        fc
          .tuple(fc.bigInt(1n, 1000n), fc.bigInt(1n, 1000n))
          .map(([n, d]) => (n < d ? rational(n, d) : rational(d, n))),
      ),
      { minLength: 1, maxLength: 100 },
    ),
    fc.boolean(),
  )
  .map(([drawn, whole]) => {
    const sum = drawn.reduce((total, fraction) => total.add(fraction), rational(0n))
    return whole || sum.gt(1n) ? drawn.map((fraction) => fraction.div(sum)) : drawn
  })
/** Mostly few wallets, so that many cases take little time. */
const equal = fc
  .oneof({ weight: 9, arbitrary: fc.integer({ min: 1, max: 8 }) }, fc.integer({ min: 1, max: 100 }))
  .map((n) => Array.from({ length: n }, () => rational(1n, BigInt(n))))

const divided = fc
  .record({
    amount: fc.oneof(fc.bigInt(1n, 9_999_999n), fc.bigInt(1n, 300n)),
    fee: fc.bigInt(0n, 100n),
    fractions: fc.oneof(fractions, equal),
    fees: fc.array(
      fc.record({ feeVariableBp: fc.integer({ min: 0, max: 10_000 }), feeFixed: fc.bigInt(0n, 50n) }),
      {
        maxLength: 100,
      },
    ),
  })
  .map(({ amount, fee, fractions: parts, fees }) => {
    const net = cents(amount - (fee * amount) / 100n)
    const shares = parts.map((fraction, index) => {
      const { feeVariableBp = 0, feeFixed = 0n } = fees[index] ?? {}
      return asked(BigInt(index), fraction, { feeVariableBp, feeFixed: cents(feeFixed) })
    })
    return { amount: cents(amount), net, shares }
  })

it(
  'divides every cent, and each share is exact to half a cent, except the cent taken',
  () => {
    fc.assert(
      fc.property(divided, ({ net, shares }) => {
        const division = divide(net, shares)
        let sum = 0n
        for (const [index, { amount, rounded, lostCent }] of division.shares.entries()) {
          sum += amount
          const exact = exactShare(net, shares[index] as AskedShare)
          if (exact.s < 0n) expect(amount).toBe(0n)
          else if (rational(rounded).sub(exact).abs().gt(half)) expect(rounded).toBe(exact.toFraction())
          if (rounded - amount !== (lostCent ? 1n : 0n) || amount < 0n) expect(amount).toBe(rounded)
        }
        expect(sum).toBeLessThanOrEqual(net)
        expect(sum + division.owner).toBe(net)
        const losers = division.shares.filter(({ lostCent }) => lostCent).length
        if (losers > 0) expect(division.owner).toBe(0n)
      }),
      { numRuns },
    )
  },
  timeoutMs,
)

/** The expected state of a payment after refunds. */
class Books {
  readonly amount: Cents
  readonly shares: { readonly share: BookedShare; refunded: bigint }[]
  readonly proportionate: { readonly amount: Cents; readonly shareRefunds: readonly ShareRefund[] }[] = []
  refunded = 0n
  ownerGave = 0n

  constructor(amount: Cents, net: Cents, shares: readonly AskedShare[]) {
    this.amount = amount
    this.shares = divide(net, shares).shares.map((share, position) => ({
      share: { ...share, position, transferId: '', refunded: cents(0) },
      refunded: 0n,
    }))
  }

  get ownerGot(): bigint {
    return this.shares.reduce((rest, { share }) => rest - share.amount, this.amount as bigint)
  }

  get left(): bigint {
    return this.amount - this.refunded
  }

  get payment(): DividedPayment {
    const shares = this.shares.map(({ share, refunded }) => ({ ...share, refunded: cents(refunded) }))
    return { amount: this.amount, refunded: cents(this.refunded), shares, proportionate: this.proportionate }
  }

  /** False when the plan was refused. */
  refund(amount: bigint, listed?: Parameters<typeof planRefund>[2]): boolean {
    const plan = planRefund(this.payment, cents(amount), listed)
    if (!plan.ok) return false
    const { shareRefunds, owner, source } = plan.value
    expect(shareRefunds.reduce((sum, part) => sum + part.amount, owner as bigint)).toBe(amount)
    expect(owner).toBeGreaterThanOrEqual(0n)
    for (const { position, amount: taken } of shareRefunds) {
      const kept = this.shares[position] as (typeof this.shares)[number]
      kept.refunded += taken
      expect(taken).toBeGreaterThan(0n)
      expect(kept.refunded).toBeLessThanOrEqual(kept.share.amount)
    }
    if (source === 'proportion') this.proportionate.push({ amount: cents(amount), shareRefunds })
    this.ownerGave += owner
    this.refunded += amount
    return true
  }
}

const cut = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 8 })
const partOf = (part: number, whole: bigint): bigint => {
  const drawn = BigInt(Math.floor(part * Number(whole)))
  return drawn === 0n ? 1n : drawn
}

it(
  'refunds in proportion end at exactly zero everywhere',
  () => {
    fc.assert(
      fc.property(divided, cut, ({ amount, net, shares }, parts) => {
        const books = new Books(amount, net, shares)
        // Until the last refund, one party may bear the rounding of all parties.
        const tolerance = BigInt(shares.length + 1)
        for (const part of parts) {
          if (books.left === 0n) break
          books.refund(partOf(part, books.left))
          for (const { share, refunded } of books.shares) {
            const level = rational(books.refunded, amount).mul(share.amount)
            if (level.sub(refunded).abs().gt(tolerance)) expect(refunded).toBe(level.toFraction())
          }
        }
        if (books.left > 0n) books.refund(books.left)
        expect(books.left).toBe(0n)
        for (const { share, refunded } of books.shares) expect(refunded).toBe(share.amount)
        expect(books.ownerGave).toBe(books.ownerGot)
      }),
      { numRuns },
    )
  },
  timeoutMs,
)

interface Wish {
  readonly source: RefundSource
  readonly part: number
  /** The first wallet of a listed refund. */
  readonly first: number
  readonly two: boolean
}

function wishFor(books: Books, { source, part, first, two }: Wish): boolean {
  const amount = partOf(part, books.left)
  if (source === 'proportion') return books.refund(amount)
  if (source === 'owner') return books.refund(amount, [])
  const wallets = new Set([first, first + (two ? 1 : 0)].map((at) => BigInt(at % books.shares.length)))
  const fraction = rational(1n, BigInt(wallets.size))
  return books.refund(
    amount,
    [...wallets].map((walletId) => ({ walletId, fraction })),
  )
}

it(
  'refunds of every kind in any order never take more than a share got, and are exact',
  () => {
    const wish = fc.record<Wish>({
      source: fc.constantFrom('proportion', 'listed', 'owner'),
      part: fc.double({ min: 0, max: 1, noNaN: true }),
      first: fc.nat(99),
      two: fc.boolean(),
    })
    fc.assert(
      fc.property(divided, fc.array(wish, { maxLength: 8 }), ({ amount, net, shares }, wishes) => {
        const books = new Books(amount, net, shares)
        for (const one of wishes) {
          if (books.left === 0n) break
          if (!wishFor(books, one)) expect(one.source).toBe('listed')
        }
        if (books.left > 0n) expect(books.refund(books.left)).toBe(true)
        expect(books.refunded).toBe(amount)
        // Unless the owner gave for others, each party has given its whole part.
        if (books.ownerGave === books.ownerGot)
          for (const { share, refunded } of books.shares) expect(refunded).toBe(share.amount)
      }),
      { numRuns },
    )
  },
  timeoutMs,
)
