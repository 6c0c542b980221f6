// Brand, groups and check digit of card numbers.
import type { Grouping } from './regroup.ts'

export type Brand = 'visa' | 'mastercard' | 'amex'

interface BrandRule {
  readonly prefix: RegExp
  readonly lengths: readonly number[]
  readonly codeLength: number
}

/** Card networks that have a logo. A card of another network needs a valid length and check digit. */
const brands: Readonly<Record<Brand, BrandRule>> = {
  visa: { prefix: /^4/, lengths: [13, 16, 18, 19], codeLength: 3 },
  mastercard: {
    prefix: /^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/,
    lengths: [16],
    codeLength: 3,
  },
  amex: { prefix: /^3[47]/, lengths: [15], codeLength: 4 },
}

const numberLengthMin = 12
const numberLengthMax = 19

export function digitsOf(text: string): string {
  return text.replace(/\D/g, '')
}

export function brandOf(digits: string): Brand | undefined {
  return (Object.keys(brands) as Brand[]).find((brand) => brands[brand].prefix.test(digits))
}

/**
 * Groups of four digits, or 4-6-5 for American Express. There is no space at the end, so that Backspace deletes a
 * digit.
 */
export function groupDigits(digits: string): string {
  const kept = digits.slice(0, numberLengthMax)
  const groups = brandOf(kept) === 'amex' ? /^(\d{1,4})(\d{1,6})?(\d{1,5})?(\d+)?/ : undefined
  if (groups === undefined) return kept.replace(/\d{4}(?=\d)/g, '$& ')
  return (groups.exec(kept) ?? []).slice(1).filter(Boolean).join(' ')
}

export function isCardNumber(digits: string): boolean {
  if (digits.length < numberLengthMin || digits.length > numberLengthMax) return false
  const brand = brandOf(digits)
  if (brand !== undefined && !brands[brand].lengths.includes(digits.length)) return false
  return hasCheckDigit(digits)
}

/** Checks the last digit by the Luhn formula. */
function hasCheckDigit(digits: string): boolean {
  let sum = 0
  for (let place = 0; place < digits.length; place++) {
    const digit = Number(digits[digits.length - 1 - place])
    const doubled = place % 2 === 1 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}

/** If the card network is unknown, both lengths are allowed. */
export function isSecurityCode(code: string, numberDigits: string): boolean {
  if (!/^\d{3,4}$/.test(code)) return false
  const brand = brandOf(numberDigits)
  return brand === undefined || brands[brand].codeLength === code.length
}

export const cardNumberGrouping: Grouping = { charactersOf: digitsOf, group: groupDigits }
