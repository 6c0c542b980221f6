// The one text of a field that can be written in several ways, by which all of them are the same.
import { parseInstant, type ReadAs } from '../http/index.ts'
import { canonicalJson, canonicalNumber } from '../kernel/values/canonical-json.ts'
import { parsePhone } from '../kernel/values/phones.ts'
import { parseRational } from '../kernel/values/rational.ts'

const numberPattern = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?$/

/** What a reader does not understand is left as it stands. */
const texts: Readonly<Record<ReadAs, (value: unknown) => string | undefined>> = {
  number(value) {
    const literal = String(value).trim()
    return numberPattern.test(literal) ? canonicalNumber(literal) : canonicalJson(value)
  },
  fraction: (value) => parseRational(String(value).trim())?.toFraction() ?? canonicalJson(value),
  word: (value) => canonicalJson(typeof value === 'string' ? value.toUpperCase() : value),
  moment(value) {
    const moment = parseInstant(value, '')
    return canonicalJson(moment.ok ? moment.value : value)
  },
  phone(value) {
    const phone = parsePhone(value, '')
    return canonicalJson(phone.ok ? phone.value : value)
  },
  decimal: (value) => canonicalJson(typeof value === 'number' ? String(value) : value),
  digits: (value) => canonicalJson(String(value).replace(/[\s-]/g, '')),
  filled: (value) => (value === '' ? undefined : canonicalJson(value)),
  implied: () => undefined,
}

/** The one text of what was written in a field with `readAs(how)`; undefined: as if the field were not there. */
export function textOfField(how: ReadAs, value: unknown): string | undefined {
  return texts[how](value)
}
