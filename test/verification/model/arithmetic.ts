// The arithmetic of money, written independently of the gateway (SPEC.md "Split descriptor", CONTRACT section 6).
import type { Json } from '../world/notes.ts'

export function centsOf(amount: number | string): number {
  return Math.round(Number(amount) * 100)
}

export const euros = (cents: number) => (cents / 100).toFixed(2)

const prices: Readonly<Record<string, readonly [thousandths: number, fixed: number]>> = {
  CC: [10, 15],
  MB: [0, 50],
  MB_INSTANT: [0, 70],
  MBWAY: [15, 0],
  PAYPAL: [29, 35],
  WALLET: [5, 0],
  SEPA: [0, 30],
  BANK: [0, 0],
}

/**
 * The fee of a completed payment or capture in cents. Half cents are rounded up, and the fee is never above the
 * amount.
 */
export function feeOf(cents: number, method: string, isInstant: boolean): number {
  const [thousandths = 0, fixed = 0] = prices[isInstant && method === 'MB' ? 'MB_INSTANT' : method] ?? []
  return Math.min(cents, Math.floor((cents * thousandths + 500) / 1000) + fixed)
}

type Exact = readonly [bigint, bigint]

const plus = ([a, b]: Exact, [c, d]: Exact): Exact => [a * d + c * b, b * d]
const minus = (one: Exact, [c, d]: Exact): Exact => plus(one, [-c, d])
const times = ([a, b]: Exact, [c, d]: Exact): Exact => [a * c, b * d]
const isBelow = ([a, b]: Exact, [c, d]: Exact) => a * d < c * b
const nothing: Exact = [0n, 1n]

function exact(text: number | string): Exact {
  const [whole = '', below] = String(text).split('/')
  if (below !== undefined) return [BigInt(whole), BigInt(below)]
  const [digits = '', decimals = ''] = whole.split('.')
  return [BigInt(digits + decimals), 10n ** BigInt(decimals.length)]
}

/** Rounds half cents up. The result is at least 0. */
function rounded([a, b]: Exact): bigint {
  return a < 0n ? 0n : (2n * a + b) / (2n * b)
}

export function sharesOf(cents: number, fee: number, descriptors: readonly Json[]): number[] {
  const whole: Exact = [BigInt(cents), 1n]
  const given = descriptors.map(({ amount, amount_fraction }) => {
    if (amount_fraction !== undefined) return exact(amount_fraction)
    return amount === undefined ? undefined : ([BigInt(centsOf(amount)), BigInt(cents)] as Exact)
  })
  const sum = given.reduce<Exact>((all, one) => plus(all, one ?? nothing), nothing)
  const rest = minus([1n, 1n], sum)
  const count = BigInt(given.filter((one) => one === undefined).length)
  const net = minus(whole, [BigInt(fee), 1n])
  const shares = descriptors.map(({ fee_variable = 0, fee_fixed = 0 }, place) => {
    const fraction = given[place] ?? times(rest, [1n, count])
    const kept = minus([1n, 1n], exact(fee_variable))
    return minus(times(times(kept, fraction), net), [BigInt(centsOf(fee_fixed)), 1n])
  })
  return withinNet(shares, BigInt(cents - fee))
}

/**
 * While the rounded shares exceed the net amount, one of them loses a cent. It is
 * the share with the largest rounding, or the later of two equal ones.
 */
function withinNet(shares: readonly Exact[], net: bigint): number[] {
  const cents = shares.map(rounded)
  const upward = shares.map((share, place): Exact => minus([cents[place] ?? 0n, 1n], share))
  const losers = new Set<number>()
  while (cents.reduce((sum, one) => sum + one, 0n) > net) {
    let most: number | undefined
    for (const [place, up] of upward.entries())
      if (!losers.has(place) && !isBelow(up, upward[most ?? place] ?? nothing) && isBelow(nothing, up))
        most = place
    if (most === undefined) break
    losers.add(most)
    cents[most] = (cents[most] ?? 0n) - 1n
  }
  return cents.map(Number)
}
