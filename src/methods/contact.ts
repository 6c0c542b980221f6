// Name, e-mail and phone that a customer types.
import { holdsCardNumber } from '../kernel/values/card-numbers.ts'
import { phoneOrText } from '../kernel/values/phones.ts'
import { isEmailAddress } from '../kernel/values/web-address.ts'
import type { Client } from '../operations/index.ts'
import type { FieldProblem, PageField } from '../pages/index.ts'

export interface ContactForm {
  readonly email?: string | undefined
  readonly phone?: string | undefined
}

/** The form for rails that do not report the customer's name. */
export interface CustomerForm extends ContactForm {
  readonly fullname?: string | undefined
}

export interface ContactWanted {
  readonly name?: boolean
  readonly email?: boolean
  readonly phone?: boolean
}

const nameLengthMax = 100
const phonePattern = /^\+?[\d\s().-]{6,20}$/

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

export function contactOf(form: ContactForm): Client {
  const email = (form.email ?? '').trim()
  const phone = (form.phone ?? '').trim()
  return { ...(email === '' ? {} : { email }), ...(phone === '' ? {} : { phone: phoneOrText(phone) }) }
}

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

export function customerOf(form: CustomerForm): Client {
  const name = (form.fullname ?? '').trim()
  return { ...(name === '' ? {} : { name }), ...contactOf(form) }
}
