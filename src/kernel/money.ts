// Money as whole cents, and the rounding that turns a rate into a fee.

declare const centsBrand: unique symbol

/** An amount of money in whole cents of EUR. Never a float; negative for money going back. */
export type Cents = bigint & { readonly [centsBrand]: 'Cents' }

/** Brands a whole number of cents. */
export function cents(amount: bigint | number): Cents {
  return BigInt(amount) as Cents
}

/** Cents as decimal text: `-12.50`. The digits never go through floating point. */
export function decimalText(amount: bigint): string {
  const digits = String(amount < 0n ? -amount : amount).padStart(3, '0')
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

export function sumOf(amounts: Iterable<Cents>): Cents {
  let total = 0n
  for (const amount of amounts) total += amount
  return total as Cents
}

const partsPerMillion = 1_000_000n

/** What one method costs a merchant: a part of the amount and a fixed sum. */
export interface FeeRate {
  /** Parts per million of the amount: 1% is 10 000. */
  readonly ratePpm: number
  /** Fixed part in cents. */
  readonly fixedCents: number
}

/**
 * The fee on `amount`: rate plus fixed part, rounded half up to the cent, never above the amount.
 * Returned positive; an operation shows it negative (CONTRACT section 6).
 */
export function feeFor(amount: Cents, rate: FeeRate): Cents {
  const exact = amount * BigInt(rate.ratePpm) + BigInt(rate.fixedCents) * partsPerMillion
  const rounded = roundHalfUp(exact, partsPerMillion)
  return (rounded > amount ? amount : rounded) as Cents
}

/** `numerator / denominator` (both positive) to the nearest whole, halves upwards. */
function roundHalfUp(numerator: bigint, denominator: bigint): bigint {
  return (2n * numerator + denominator) / (2n * denominator)
}
