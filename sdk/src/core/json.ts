// Reads JSON without losing a digit: amounts become texts, and so does any number that JavaScript cannot hold.
import { amountFields } from '../generated/tables.ts'

const amounts: ReadonlySet<string> = new Set(amountFields)

/** The engine does not hand out the digits of a number: amounts could not be read exactly. */
export class EngineTooOldError extends Error {
  override readonly name = 'EngineTooOldError'

  constructor() {
    super('@comporta/sdk needs Node 22 or newer: older ones lose digits of amounts when they read JSON')
  }
}

type Reviver = (key: string, value: unknown, context?: { readonly source: string }) => unknown
/** The third argument of a reviver is newer than TypeScript's own description of it. */
const parse = JSON.parse as (text: string, reviver: Reviver) => unknown

/** What `text` says, amounts with their digits as written and at least two decimals. Throws a SyntaxError for no JSON. */
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

/** `10` is `10.00` and `10.5` is `10.50`; a price of an item may have more decimals, and keeps them. */
function withCents(digits: string): string {
  const [whole = '', fraction = ''] = digits.split('.')
  return /e/i.test(digits) ? digits : `${whole}.${fraction.padEnd(2, '0')}`
}
