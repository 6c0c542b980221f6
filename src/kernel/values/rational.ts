// Exact fractions for parts of money, and their rounding to cents.
import Fraction from 'fraction.js'

export type Rational = Fraction

export function rational(numerator: bigint, denominator = 1n): Rational {
  return new Fraction(numerator, denominator)
}

/** Payments need fewer digits. The limit bounds the work that a caller can cause. */
const quotientPattern = /^(\d{1,12})\s*\/\s*(\d{1,12})$/
/** 30 decimals are enough: a double prints at most 17 digits, a decimal type at most 28. */
const decimalPattern = /^(\d{1,12})(?:\.(\d{1,30}))?$/

export function parseRational(text: string): Rational | undefined {
  const [, numerator, denominator] = quotientPattern.exec(text) ?? []
  if (numerator !== undefined && denominator !== undefined) {
    return BigInt(denominator) === 0n ? undefined : rational(BigInt(numerator), BigInt(denominator))
  }
  const [, whole, decimals = ''] = decimalPattern.exec(text) ?? []
  return whole === undefined ? undefined : rational(BigInt(whole + decimals), 10n ** BigInt(decimals.length))
}

export function roundHalfUp({ s, n, d }: Rational): bigint {
  const doubled = 2n * s * n + d
  const quotient = doubled / (2n * d)
  return doubled % (2n * d) < 0n ? quotient - 1n : quotient
}
