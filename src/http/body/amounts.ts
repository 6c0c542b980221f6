// Amounts on the wire: the digits as written become cents and cents become digits, never through floating point.
import { isLosslessNumber } from 'lossless-json'
import { Type } from 'typebox'
import { type Cents, cents } from '../../kernel/money.ts'
import { ok, type Result, refuse } from '../../kernel/result.ts'
import { readAs } from './read-as.ts'

const decimalsMax = 2
/** Far above every documented maximum, and far below the largest double that still tells cents apart. */
const wholeDigitsMax = 12
const literalPattern = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/

/** An amount in a body: a JSON number or a numeric string. {@link parseAmount} reads it. */
export const amountSchema = Type.Unsafe<number | string>({
  anyOf: [{ type: 'number' }, { type: 'string', maxLength: 40 }],
  description: 'A JSON number or a numeric string, at most 2 decimals.',
  ...readAs('number'),
})

/**
 * The cents that `value` is written as: 10, 10.5, "10.50", 1e1 alike. May be zero or negative; ranges are
 * the rules' matter.
 *
 * Refusals: missing_parameter when absent; invalid_parameter, naming `field`, for what is no decimal
 * number, has more than two decimals that are not zero, or more than 12 digits before the point.
 */
export function parseAmount(value: unknown, field: string): Result<Cents> {
  if (value === undefined || value === null) return refuse('missing_parameter', `${field} is required`)
  const literal = literalOf(value)
  const match = literal === undefined ? null : literalPattern.exec(literal)
  if (match === null) {
    return refuse('invalid_parameter', `${field} must be a number such as 10.50, or the same as a string`)
  }
  const [, sign, whole = '', fraction = '', exponent = '0'] = match
  const { integer, decimals } = shiftPoint(whole, fraction, Number(exponent))
  if (integer.length > wholeDigitsMax) {
    return refuse('invalid_parameter', `${field} must have at most ${wholeDigitsMax} digits before the point`)
  }
  if (decimals.length > decimalsMax) {
    return refuse('invalid_parameter', `${field} must have at most ${decimalsMax} decimals`)
  }
  const amount = BigInt(integer + decimals.padEnd(decimalsMax, '0'))
  return ok(cents(sign === '-' ? -amount : amount))
}

/** What was written. A double between 1e-6 and 1e21 prints the digits that it was written with. */
function literalOf(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : undefined
  if (isLosslessNumber(value)) return value.value
  return typeof value === 'string' ? value.trim() : undefined
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

/**
 * Cents as the JSON number with the same digits. Exact: a double carries 15 significant digits, and no
 * amount has more.
 */
export function amountOnWire(amount: Cents): number {
  return Number(amount) / 100
}
