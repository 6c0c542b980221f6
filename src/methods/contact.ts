// Name, e-mail and phone as a customer types them: checked alike for every method.
import { holdsCardNumber } from '../kernel/values/card-numbers.ts'
import { phoneOrText } from '../kernel/values/phones.ts'
import { isEmailAddress } from '../kernel/values/web-address.ts'
import type { Client } from '../operations/index.ts'
import type { FieldProblem, PageField } from '../pages/index.ts'

/** What a form posts of the customer. Every field is untrusted. */
export interface ContactForm {
  readonly email?: string | undefined
  readonly phone?: string | undefined
}

/** The same with the customer's own name, for methods that do not learn it from their rail. */
export interface CustomerForm extends ContactForm {
  readonly fullname?: string | undefined
}

/** The customer's data that the merchant requires. */
export interface ContactWanted {
  readonly name?: boolean
  readonly email?: boolean
  readonly phone?: boolean
}

const nameLengthMax = 100
const phonePattern = /^\+?[\d\s().-]{6,20}$/

/** What the merchant requires and is missing, and what is not an e-mail address or a phone number. */
export function contactProblems(
  requiredFields: ContactWanted,
  form: ContactForm,
): Partial<Record<PageField, FieldProblem>> {
  const problems: Partial<Record<PageField, FieldProblem>> = {}
  const email = (form.email ?? '').trim()
  const phone = (form.phone ?? '').trim()
  if (email === '') {
    if (requiredFields.email === true) problems.email = 'missing'
  } else if (!isEmailAddress(email) || holdsCardNumber(email)) problems.email = 'invalid'
  if (phone === '') {
    if (requiredFields.phone === true) problems.phone = 'missing'
  } else if (!phonePattern.test(phone) || holdsCardNumber(phone)) problems.phone = 'invalid'
  return problems
}

/** What the customer typed, without empty fields; the phone in E.164 where it is a number. */
export function contactOf(form: ContactForm): Client {
  const email = (form.email ?? '').trim()
  const phone = (form.phone ?? '').trim()
  return { ...(email === '' ? {} : { email }), ...(phone === '' ? {} : { phone: phoneOrText(phone) }) }
}

/** {@link contactProblems}, and those of the name. */
export function customerProblems(
  { requiredFields }: { readonly requiredFields: ContactWanted },
  form: CustomerForm,
): Partial<Record<PageField, FieldProblem>> {
  const problems = contactProblems(requiredFields, form)
  const name = (form.fullname ?? '').trim()
  if (name === '') {
    if (requiredFields.name === true) problems.fullname = 'missing'
  } else if (name.length > nameLengthMax || holdsCardNumber(name)) problems.fullname = 'invalid'
  return problems
}

/** {@link contactOf}, and the name. */
export function customerOf(form: CustomerForm): Client {
  const name = (form.fullname ?? '').trim()
  return { ...(name === '' ? {} : { name }), ...contactOf(form) }
}
