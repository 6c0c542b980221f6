// A postal address that a customer types.
import { holdsCardNumber } from '../kernel/values/card-numbers.ts'
import { hasPostalCodes, isCountry } from '../kernel/values/countries.ts'
import type { Address } from '../operations/index.ts'
import type { FieldProblem, PageField } from '../pages/index.ts'

export interface AddressForm {
  readonly street?: string | undefined
  readonly postalcode?: string | undefined
  readonly city?: string | undefined
  readonly country?: string | undefined
}

export type ReadAddress =
  | { readonly ok: true; readonly address: Address }
  | { readonly ok: false; readonly problems: Readonly<Partial<Record<PageField, FieldProblem>>> }

const textLengthMax = 255
/** Matches postal codes of any country; their formats are not checked. */
const postalcodePattern = /^[\p{L}\p{Nd}][\p{L}\p{Nd} .-]{0,18}[\p{L}\p{Nd}]$/u
const portuguesePattern = /^(\d{4})[ -]?(\d{3})$/
/** Control characters, line ends, and marks that change the text direction: labels cannot print them. */
const unprintable = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu

export function readAddress(form: AddressForm): ReadAddress {
  const street = lineOf(form.street)
  const city = lineOf(form.city)
  const country = lineOf(form.country).toUpperCase()
  const postalcode = postalcodeOf(form.postalcode, country)
  const problems: Partial<Record<PageField, FieldProblem>> = {}
  for (const [name, text] of [
    ['street', street],
    ['city', city],
  ] as const) {
    if (text === '') problems[name] = 'missing'
    else if (text.length > textLengthMax || holdsCardNumber(text) || !/\p{L}/u.test(text))
      problems[name] = 'invalid'
  }
  if (postalcode === '') {
    if (hasPostalCodes(country)) problems.postalcode = 'missing'
  } else if (postalcode === undefined || holdsCardNumber(postalcode)) problems.postalcode = 'invalid'
  if (country === '') problems.country = 'missing'
  else if (!isCountry(country)) problems.country = 'invalid'
  return Object.keys(problems).length > 0 || postalcode === undefined
    ? { ok: false, problems }
    : {
        ok: true,
        address: {
          address: street,
          city,
          country,
          ...(postalcode === '' ? {} : { postalcode }),
          typed: true,
        },
      }
}

function lineOf(typed: string | undefined): string {
  return (typed ?? '').replace(unprintable, ' ').trim()
}

/** Portugal: `1000-001`. Empty: the customer typed no code. Undefined: the code is invalid. */
function postalcodeOf(typed: string | undefined, country: string): string | undefined {
  const text = lineOf(typed)
    .normalize('NFKC')
    .replace(/\s*[\p{Pd}\u2212]\s*/gu, '-')
    .toUpperCase()
  if (text === '') return ''
  if (country !== 'PT') return postalcodePattern.test(text) ? text : undefined
  const [, area, rest] = portuguesePattern.exec(text) ?? []
  return area === undefined ? undefined : `${area}-${rest}`
}
