// Divided captures: within each capture, and exact in total.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Cents, cents, sumOf } from '../kernel/money.ts'
import { rational } from '../kernel/values/rational.ts'
import { type Divided, divide, exactShare } from './divide.ts'
import { divideCapture } from './divide-capture.ts'
import type { AskedShare } from './model.ts'

/** Fewer for the many runs of mutation tests. */
const numRuns = Number(process.env.PROPERTY_RUNS ?? 3000)
/** Seconds each; ten times as long on a busy machine. */
const timeoutMs = 120_000

interface Capture {
  readonly amount: bigint
  readonly net: bigint
}

const shareOf = (walletId: number, n: bigint, d: bigint, fees: Partial<AskedShare> = {}): AskedShare => ({
  walletId: BigInt(walletId),
  publicId: `wallet${walletId}`,
  fraction: rational(n, d),
  feeFixed: cents(0),
  feeVariableBp: 0,
  ...fees,
})

function divideAll(
  authorized: bigint,
  captures: readonly Capture[],
  asked: readonly AskedShare[],
): Divided[] {
  const divided: Divided[] = []
  for (const [index, { amount, net }] of captures.entries()) {
    const earlier = captures.slice(0, index)
    const before = {
      amount: sumOf(earlier.map((capture) => cents(capture.amount))),
      net: sumOf(earlier.map((capture) => cents(capture.net))),
      shares: totalsOf(divided, asked.length),
    }
    const capture = { authorized: cents(authorized), amount: cents(amount), net: cents(net), before }
    divided.push(divideCapture(capture, asked))
  }
  return divided
}

const totalsOf = (divided: readonly Divided[], count: number): Cents[] =>
  Array.from({ length: count }, (_, position) =>
    sumOf(divided.map(({ shares }) => shares[position]?.amount ?? cents(0))),
  )

const amountsOf = ({ shares }: Divided) => shares.map(({ amount }) => amount)

describe('captures of an authorization of 10.00 among thirds', () => {
  const thirds = [1, 2, 3].map((wallet) => shareOf(wallet, 1n, 3n))

  it('carry their cents over, until the totals are exact', () => {
    const captures = [1, 1, 1].map(() => ({ amount: 100n, net: 84n + 1n }))
    const divided = divideAll(1000n, captures, thirds)
    // 28.33 each, then 56.67, then 85: the owner's first cent is given with the second capture.
    expect(divided.map(amountsOf)).toEqual([
      [28n, 28n, 28n],
      [29n, 29n, 28n],
      [28n, 28n, 29n],
    ])
    expect(divided.map(({ owner }) => owner)).toEqual([1n, -1n, 0n])
  })

  it('bear fixed fees in proportion to the captured amount', () => {
    const [divided] = divideAll(
      1000n,
      [{ amount: 500n, net: 480n }],
      [shareOf(1, 1n, 2n, { feeFixed: cents(101) })],
    )
    // 1/2 of 4.80, less 1/2 of 1.01.
    expect(divided?.shares).toMatchObject([{ amount: 190n, feeFixed: 51n }])
  })

  it('give a share nothing while its fees exceed it, and less afterwards', () => {
    const dear = [shareOf(1, 1n, 1n, { feeFixed: cents(500) })]
    const divided = divideAll(
      1000n,
      [
        { amount: 20n, net: 5n },
        { amount: 980n, net: 955n },
      ],
      dear,
    )
    expect(divided.map(amountsOf)).toEqual([[0n], [460n]])
  })
})

const anyShares = fc
  .array(
    fc.record({
      weight: fc.bigInt(1n, 1000n),
      feeVariableBp: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 10_000 })),
      feeFixed: fc.oneof(fc.constant(0n), fc.bigInt(0n, 500n)),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .chain((drafts) =>
    fc.bigInt(0n, 500n).map((rest) => {
      const whole = drafts.reduce((sum, { weight }) => sum + weight, rest)
      return drafts.map(({ weight, feeVariableBp, feeFixed }, index) =>
        shareOf(index, weight, whole, { feeVariableBp, feeFixed: cents(feeFixed) }),
      )
    }),
  )

const anyCaptures = fc
  .array(
    fc.record({ amount: fc.oneof(fc.bigInt(20n, 5000n), fc.bigInt(20n, 99n)), fee: fc.bigInt(0n, 60n) }),
    {
      minLength: 1,
      maxLength: 10,
    },
  )
  .map((captures) => captures.map(({ amount, fee }) => ({ amount, net: fee < amount ? amount - fee : 0n })))

const capturedOf = (captures: readonly Capture[]) => captures.reduce((sum, { amount }) => sum + amount, 0n)
const netOf = (captures: readonly Capture[]) => captures.reduce((sum, { net }) => sum + net, 0n)

it(
  'no capture gives more than it took, the total is at most the income, and every cent has an owner',
  () => {
    fc.assert(
      fc.property(anyShares, anyCaptures, fc.bigInt(0n, 3000n), (asked, captures, uncaptured) => {
        const divided = divideAll(capturedOf(captures) + uncaptured, captures, asked)
        let kept = 0n
        for (const [index, { net, owner, shares }] of divided.entries()) {
          const given = sumOf(amountsOf(divided[index] as Divided))
          for (const { amount } of shares) expect(amount).toBeGreaterThanOrEqual(0n)
          expect(given).toBeLessThanOrEqual((captures[index] as Capture).amount)
          expect(given + owner).toBe(net)
          kept += owner
          expect(kept).toBeGreaterThanOrEqual(0n)
        }
      }),
      { numRuns },
    )
  },
  timeoutMs,
)

it(
  'without fixed fees, the totals of all captures equal those of one payment, except rounding',
  () => {
    fc.assert(
      fc.property(anyShares, anyCaptures, fc.bigInt(0n, 3000n), (drawn, captures, uncaptured) => {
        const asked = drawn.map((share) => ({ ...share, feeFixed: cents(0) }))
        // The gateway's fee leaves room for the cents of earlier captures.
        const paid = captures.filter(({ amount, net }) => amount - net >= BigInt(asked.length))
        fc.pre(paid.length > 0)
        const totals = totalsOf(divideAll(capturedOf(paid) + uncaptured, paid, asked), asked.length)
        const net = cents(netOf(paid))
        const atOnce = divide(net, asked)
        expect(sumOf(totals)).toBe(sumOf(atOnce.shares.map(({ amount }) => amount)))
        for (const [position, total] of totals.entries()) {
          const off = rational(total).sub(exactShare(net, asked[position] as AskedShare))
          expect(off.abs().lt(1n)).toBe(true)
        }
      }),
      { numRuns },
    )
  },
  timeoutMs,
)

it('one capture of the whole is divided like a payment', () => {
  fc.assert(
    fc.property(anyShares, fc.bigInt(20n, 9_999_999n), fc.bigInt(0n, 20n), (asked, amount, fee) => {
      const net = amount - fee
      const [captured] = divideAll(amount, [{ amount, net }], asked)
      const payment = divide(cents(net), asked)
      expect(amountsOf(captured as Divided)).toEqual(amountsOf(payment))
      expect(captured?.owner).toBe(payment.owner)
      expect(captured?.shares.map(({ feeFixed }) => feeFixed)).toEqual(asked.map(({ feeFixed }) => feeFixed))
    }),
    { numRuns },
  )
})

it('the parts of a fixed fee total the fee after a full capture', () => {
  fc.assert(
    fc.property(anyShares, anyCaptures, (asked, captures) => {
      const divided = divideAll(capturedOf(captures), captures, asked)
      for (const [position, { feeFixed }] of asked.entries()) {
        const parts = divided.map(({ shares }) => shares[position]?.feeFixed ?? cents(0))
        expect(sumOf(parts)).toBe(feeFixed)
      }
    }),
    { numRuns },
  )
})
