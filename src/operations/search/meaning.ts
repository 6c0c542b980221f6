// Meanings of a search text: terms, ids, an amount.
import { type Cents, cents } from '../../kernel/money.ts'

export interface Meaning {
  /** In lower case. A stored text is found if it begins with one of them. */
  readonly terms: readonly string[]
  readonly ids:
    | {
        readonly first: string
        readonly last: string
        /** True if the range covers less than a second, so that few ids of other things are in it. */
        readonly isPrecise: boolean
      }
    | undefined
  readonly amount: Cents | undefined
}

/** Shorter texts match too much. */
const termLengthMin = 3
/** An id of six digits covers four and a half hours. */
const idLengthMin = 6
const preciseLengthMin = 10
const termLengthMax = 100

export function meaningOf(text: string): Meaning {
  const typed = text.trim().toLowerCase()
  const joined = typed.replaceAll(/[\s]+/g, '')
  const terms = [typed, joined]
  if (/^\d{9}$/.test(joined)) terms.push(`+351${joined}`)
  if (/^00\d{6,15}$/.test(joined)) terms.push(`+${joined.slice(2)}`)
  const known = terms
    .filter((term) => term.length >= termLengthMin)
    .map((term) => term.slice(0, termLengthMax))
  return { terms: [...new Set(known)], ids: idsOf(joined), amount: amountOf(joined) }
}

function idsOf(text: string): Meaning['ids'] {
  const digits = text.replaceAll('-', '')
  if (digits.length < idLengthMin || digits.length > 32 || !/^[0-9a-f]+$/.test(digits)) return undefined
  return {
    first: uuidOf(digits.padEnd(32, '0')),
    last: uuidOf(digits.padEnd(32, 'f')),
    isPrecise: digits.length >= preciseLengthMin,
  }
}

function uuidOf(digits: string): string {
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** Reads an amount such as `12`, `12.5`, `12,50`, `1.234,50`, `€12.50` or `-12.50`. */
function amountOf(text: string): Cents | undefined {
  const written = text.replace(/^[-−]?€?|€$|eur$/g, '').replace(/^[-−]/, '')
  const match = /^(\d{1,3}(?:[.,]\d{3})+|\d{1,7})(?:[.,](\d{1,2}))?$/.exec(written)
  if (match === null) return undefined
  const [, whole = '', fraction = ''] = match
  const amount = BigInt(whole.replaceAll(/[.,]/g, '')) * 100n + BigInt(fraction.padEnd(2, '0'))
  return amount > 0n ? cents(amount) : undefined
}
