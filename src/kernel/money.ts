// Money as whole cents, and amounts in requests and answers.
import type { LosslessNumber } from 'lossless-json'
import { ok, type Result, refuse } from './result.ts'

declare const centsBrand: unique symbol

/** An amount in whole cents of EUR. It is negative for money that goes back. */
export type Cents = bigint & { readonly [centsBrand]: 'Cents' }

export function cents(amount: bigint | number): Cents {
  return BigInt(amount) as Cents
}

export function decimalText(amount: bigint): string {
  const digits = String(amount < 0n ? -amount : amount).padStart(3, '0')
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

export function sumOf(amounts: Iterable<Cents>): Cents {
  let total = 0n
  for (const amount of amounts) total += amount
  return total as Cents
}

/** Far above all documented maximums. Doubles still distinguish cents of such amounts. */
const wholeDigitsMax = 12
const amountDecimalsMax = 2
const literalPattern = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/

/** Digits of floating-point noise: at most 0.0001 of the last decimal. */
const noiseAbove = /^0000|^0001$/
const noiseBelow = /^9999/

/** Reads 10.5 with two decimals as 1050. It rounds off floating-point noise. Undefined for no number. */
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

/** Three decimals are refused even if they are zeros, because they may be thousands. */
const typedEuros = /^\d{1,9}(?:[.,](?!\d{3}$)\d+)?$/

/** Reads an amount that a person typed, with a point or comma before the cents. Otherwise undefined. */
export function readTypedEuros(text: string): Cents | undefined {
  const amount = typedEuros.test(text) ? readDecimal(text.replace(',', '.'), 2) : undefined
  return typeof amount === 'bigint' ? cents(amount) : undefined
}

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

/**
 * Reads 10, 10.5, "10.50", 1e1; 10.299999999999999 is 10.30. Refusals: missing_parameter, invalid_parameter.
 */
export function parseAmount(value: unknown, field: string): Result<Cents> {
  if (value === undefined || value === null) return refuse('missing_parameter', `${field} is required`)
  const literal = literalOf(value)
  const amount = literal === undefined ? undefined : readDecimal(literal, amountDecimalsMax)
  switch (amount) {
    case undefined:
      return refuse('invalid_parameter', `${field} must be a number such as 10.50, or the same as a string`)
    case 'too many digits':
      return refuse(
        'invalid_parameter',
        `${field} must have at most ${wholeDigitsMax} digits before the point`,
      )
    case 'too many decimals':
      return refuse('invalid_parameter', `${field} must have at most ${amountDecimalsMax} decimals`)
    default:
      return ok(cents(amount))
  }
}

/** The number is exact: a double has 15 significant digits, and no amount has more. */
export function amountOnWire(amount: Cents): number {
  return Number(amount) / 100
}

/** Recognizes numbers of `lossless-json` without that library, which the command line need not load. */
function isLosslessNumber(value: unknown): value is LosslessNumber {
  return typeof value === 'object' && value !== null && 'isLosslessNumber' in value
}

/** The digits as they were sent. A double between 1e-6 and 1e21 prints the same ones. */
export function literalOf(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : undefined
  if (isLosslessNumber(value)) return value.value
  return typeof value === 'string' ? value.trim() : undefined
}

/** Rounds to whole cents if the difference is within 0.000001. Otherwise returns the value unchanged. */
export function roundNoise<Value>(value: Value): Value | number {
  if (typeof value !== 'number' && !isLosslessNumber(value)) return value
  const cents = readDecimal(String(value), amountDecimalsMax)
  return typeof cents === 'bigint' ? Number(cents) / 100 : value
}
