// Checks of fields, by name.
import { withoutMarks } from '../../../src/kernel/values/pasted.ts'
import { digitsOf, isCardNumber, isSecurityCode } from './card-number.ts'
import { expiryProblem } from './expiry.ts'
import { isIban } from './regroup.ts'

export type Problem = 'missing' | 'invalid' | 'expired'

export interface Surroundings {
  /** Card number of the same form. */
  readonly numberDigits: string
  /** `YYYY-MM` on the gateway's clock. */
  readonly thisMonth: string
}

type Rule = (value: string, around: Surroundings) => Problem | undefined

const rules: Readonly<Record<string, Rule | undefined>> = {
  number: (value) => invalidUnless(isCardNumber(digitsOf(value))),
  expiry: (value, { thisMonth }) => expiryProblem(value, thisMonth),
  vcode: (value, { numberDigits }) => invalidUnless(isSecurityCode(value, numberDigits)),
  // Thirteen digits in a name are probably a card number in the wrong field.
  name: (value) => invalidUnless(!holdsManyDigits(value)),
  fullname: (value) => invalidUnless(!holdsManyDigits(value)),
  email: (value) => invalidUnless(/^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/.test(value)),
  pin: (value) => invalidUnless(/^\d{4,8}$/.test(value)),
  holder: (value) => invalidUnless(!holdsManyDigits(value)),
  iban: (value) => invalidUnless(isIban(value)),
  phone: (value) => invalidUnless(/^\+?[\d\s().-]{6,}$/.test(withoutMarks(value).trim())),
}

/** A field without a rule must only have a value. */
export function problemOf(name: string, value: string, around: Surroundings): Problem | undefined {
  const written = value.trim()
  if (written === '') return 'missing'
  return rules[name]?.(written, around)
}

function holdsManyDigits(value: string): boolean {
  return /\d{13}/.test(value.replace(/[\s.-]/g, ''))
}

function invalidUnless(valid: boolean): 'invalid' | undefined {
  return valid ? undefined : 'invalid'
}
