// JSON parser that keeps all digits.
import { amountFields } from '../generated/tables.ts'

const amounts: ReadonlySet<string> = new Set(amountFields)

/** This JavaScript engine does not show the digits of a number, so amounts could lose digits. */
export class EngineTooOldError extends Error {
  override readonly name = 'EngineTooOldError'

  constructor() {
    super('@comporta/sdk needs Node 22 or newer: older ones lose digits of amounts when they read JSON')
  }
}

type Reviver = (key: string, value: unknown, context?: { readonly source: string }) => unknown
/** TypeScript does not know the third argument of a reviver yet. */
const parse = JSON.parse as (text: string, reviver: Reviver) => unknown

/**
 * Parses JSON without losing digits. Amounts become text with at least two decimals, and numbers that JavaScript
 * cannot hold become text. Throws a SyntaxError.
 */
export function readJson(text: string): unknown {
  return parse(text, (key, value, context) => {
    if (typeof value !== 'number') return value
    if (context === undefined) throw new EngineTooOldError()
    const { source } = context
    if (amounts.has(key)) return withCents(source)
    return String(value) === source || !Number.isInteger(value) || Number.isSafeInteger(value)
      ? value
      : source
  })
}

/** Writes `10` as `10.00` and `10.5` as `10.50`. A price with more decimals keeps them. */
function withCents(digits: string): string {
  const [whole = '', fraction = ''] = digits.split('.')
  return /e/i.test(digits) ? digits : `${whole}.${fraction.padEnd(2, '0')}`
}
