// Money as whole cents, how it is written, and decimal numbers read by their digits: 10.299999999999999 is 10.30.

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

/** Far above every documented maximum, and far below the largest double that still distinguishes cents. */
export const wholeDigitsMax = 12
const literalPattern = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/

/** Digits behind the last decimal that are a ten-thousandth of it at most: for cents 0.000001. */
const noiseAbove = /^0000|^0001$/
const noiseBelow = /^9999/

/**
 * `literal` in units of its last decimal: 10.5 with two decimals is 1050. Noise of a ten-thousandth of that unit is
 * rounded away. Undefined for what is no decimal number.
 */
export function readDecimal(
  literal: string,
  decimalsMax: number,
): bigint | 'too many digits' | 'too many decimals' | undefined {
  const match = literalPattern.exec(literal)
  if (match === null) return undefined
  const [, sign, whole = '', fraction = '', exponent = '0'] = match
  const { integer, decimals } = shiftPoint(whole, fraction, Number(exponent))
  if (integer.length > wholeDigitsMax) return 'too many digits'
  const rest = decimals.slice(decimalsMax)
  const isBelow = noiseBelow.test(rest)
  if (rest !== '' && !isBelow && !noiseAbove.test(rest)) return 'too many decimals'
  const units =
    BigInt(integer + decimals.slice(0, decimalsMax).padEnd(decimalsMax, '0')) + (isBelow ? 1n : 0n)
  return sign === '-' ? -units : units
}

/** Euros as people type them. Three decimals are refused even if they are zeros: they may be thousands. */
const typedEuros = /^\d{1,9}(?:[.,](?!\d{3}$)\d+)?$/

/**
 * Euros that somebody typed, with a point or a comma before the cents; undefined for anything else. Noise of a sum in
 * floating point is rounded away, as {@link readDecimal} does.
 */
export function readTypedEuros(text: string): Cents | undefined {
  const amount = typedEuros.test(text) ? readDecimal(text.replace(',', '.'), 2) : undefined
  return typeof amount === 'bigint' ? cents(amount) : undefined
}

/** Moves the point by `exponent` places; zeros that say nothing are dropped at both ends. */
function shiftPoint(
  whole: string,
  fraction: string,
  exponent: number,
): { integer: string; decimals: string } {
  const digits = whole + fraction
  const point = whole.length + exponent
  const integer = point > 0 ? digits.slice(0, point).padEnd(point, '0') : ''
  const decimals = point < 0 ? digits.padStart(digits.length - point, '0') : digits.slice(Math.max(point, 0))
  return { integer: integer.replace(/^0+/, ''), decimals: decimals.replace(/0+$/, '') }
}
