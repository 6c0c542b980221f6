// Where to deliver: asked on a page of its own before any method, of customers whose merchant asks for shipping.
import { holdsCardNumber } from '../kernel/card-numbers.ts'
import { isCountry } from '../kernel/countries.ts'
import type { Address } from '../operations/index.ts'
import type { Checkout } from './model.ts'
import type { FieldProblem, PageField } from './pages/index.ts'
import { subjectOf } from './subject-rules.ts'

/** What the form posts. Every field is whatever somebody sent. */
export interface DeliveryForm {
  readonly street?: string | undefined
  readonly postalcode?: string | undefined
  readonly city?: string | undefined
  readonly country?: string | undefined
}

export type ReadDelivery =
  | { readonly ok: true; readonly address: Address }
  | { readonly ok: false; readonly problems: Readonly<Partial<Record<PageField, FieldProblem>>> }

/** As long as the merchant may send it (CONTRACT section 2 keeps what is told as long as what is read). */
const textLengthMax = 255
/** Every country's has some of these; what it must look like only the customer's post knows. */
const postalcodePattern = /^[\p{L}\d][\p{L}\d .-]{0,18}[\p{L}\d]$/u
const portuguesePattern = /^(\d{4})[ -]?(\d{3})$/

/** Whether the customer has yet to say where to deliver; what the merchant sent is only a proposal. */
export function lacksDelivery(checkout: Checkout): boolean {
  return asksDelivery(checkout) && subjectOf(checkout).client?.address?.typed !== true
}

/** Whether the customer is asked at all. */
export function asksDelivery({ requiredFields }: Checkout): boolean {
  return requiredFields.shipping === true
}

/** The address that was typed, or what is wrong with each of its fields. */
export function readDelivery(form: DeliveryForm): ReadDelivery {
  const street = (form.street ?? '').trim()
  const city = (form.city ?? '').trim()
  const country = (form.country ?? '').trim().toUpperCase()
  const postalcode = postalcodeOf((form.postalcode ?? '').trim().toUpperCase(), country)
  const problems: Partial<Record<PageField, FieldProblem>> = {}
  for (const [name, text] of [
    ['street', street],
    ['city', city],
  ] as const) {
    if (text === '') problems[name] = 'missing'
    else if (text.length > textLengthMax || holdsCardNumber(text) || !/\p{L}/u.test(text))
      problems[name] = 'invalid'
  }
  if (postalcode === '') problems.postalcode = 'missing'
  else if (postalcode === undefined || holdsCardNumber(postalcode)) problems.postalcode = 'invalid'
  if (country === '') problems.country = 'missing'
  else if (!isCountry(country)) problems.country = 'invalid'
  return Object.keys(problems).length > 0 || postalcode === undefined
    ? { ok: false, problems }
    : { ok: true, address: { address: street, city, country, postalcode, typed: true } }
}

/** The code as it is written, in Portugal `1000-001`; empty when there is none, undefined when it is none. */
function postalcodeOf(text: string, country: string): string | undefined {
  if (text === '') return ''
  if (country !== 'PT') return postalcodePattern.test(text) ? text : undefined
  const [, area, rest] = portuguesePattern.exec(text) ?? []
  return area === undefined ? undefined : `${area}-${rest}`
}
