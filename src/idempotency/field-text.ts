// Fields that can be written in several ways, and the one text by which all of them are the same.
import { parsePhone } from '../kernel/phones.ts'
import { parseRational } from '../kernel/rational.ts'
import { canonicalJson, canonicalNumber } from './canonical-json.ts'
import { parseInstant } from './dates.ts'

const numberPattern = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?$/

/** What a reader does not understand is left as it stands. Undefined: as if the field were not there. */
const ways = {
  /** `1`, `"1"`, `"1.00"`. */
  number(value) {
    const literal = String(value).trim()
    return numberPattern.test(literal) ? canonicalNumber(literal) : canonicalJson(value)
  },
  /** `0.6`, `"3/5"`. */
  fraction: (value) => parseRational(String(value).trim())?.toFraction() ?? canonicalJson(value),
  /** Words and ids in any case. */
  word: (value) => canonicalJson(typeof value === 'string' ? value.toUpperCase() : value),
  /** One second in any zone. */
  moment(value) {
    const moment = parseInstant(value, '')
    return canonicalJson(moment.ok ? moment.value : value)
  },
  phone(value) {
    const phone = parsePhone(value, '')
    return canonicalJson(phone.ok ? phone.value : value)
  },
  /** A number and its decimal text. */
  decimal: (value) => canonicalJson(typeof value === 'number' ? String(value) : value),
  /** Digits in groups. */
  digits: (value) => canonicalJson(String(value).replace(/[\s-]/g, '')),
  /** Texts of which an empty one is none. */
  filled: (value) => (value === '' ? undefined : canonicalJson(value)),
  /** What other fields say already. */
  implied: () => undefined,
} as const satisfies Record<string, (value: unknown) => string | undefined>

export type ReadAs = keyof typeof ways

/** Put on the schema of a field, says which ways of writing its reader takes for one. */
export function readAs(how: ReadAs): { readonly 'x-read-as': ReadAs } {
  return { 'x-read-as': how }
}

/** The one text of what was written in a field with {@link readAs}. */
export function textReadAs(how: ReadAs, value: unknown): string | undefined {
  return ways[how](value)
}
