// Card numbers: what is one, and where one stands in a text that must not hold any (CONTRACT section 8).
import creditCardType from 'credit-card-type'
import { withAsciiDigits } from './digits.ts'

const lengthMin = 12
const lengthMax = 19

/** Digits of a possible length whose check digit (Luhn) and brand length are right. */
export function isCardNumber(number: string): boolean {
  if (!/^\d+$/.test(number)) return false
  if (number.length < lengthMin || number.length > lengthMax) return false
  const [brand] = creditCardType(number)
  if (brand !== undefined && !lengthsOf(brand).includes(number.length)) return false
  return luhnSum(number) % 10 === 0
}

/** Old Visa cards have 13 digits, which the library no longer lists. */
function lengthsOf(brand: { type: string; lengths: number[] }): readonly number[] {
  return brand.type === 'visa' ? [13, ...brand.lengths] : brand.lengths
}

function luhnSum(number: string): number {
  let sum = 0
  for (let index = 0; index < number.length; index++) {
    const digit = Number(number[number.length - 1 - index])
    const doubled = index % 2 === 1 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum
}

/** A quick look: fourteen digits, close together. */
const manyDigits = /\d(?:\D{0,2}\d){13}/
/** Between the groups in which cards are printed. */
const gap = String.raw`[\s._+/()-]{1,2}`
const groups = [4, 4, 4, '2,4'].map((digits) => String.raw`\d{${digits}}`).join(gap)
const groupsOfAmex = [4, 6, '4,5'].map((digits) => String.raw`\d{${digits}}`).join(gap)
/**
 * A word of 14 to 19 digits, with nothing but letters before and after them, or the same in groups. Thirteen are
 * history on cards, and daily life on articles (EAN-13).
 */
const cardLike = new RegExp(
  String.raw`(?<![0-9a-z])([a-z]*)(\d{14,19}|${groups}(?:${gap}\d{1,3})?|${groupsOfAmex})(?=[a-z]*(?![0-9a-z]))`,
  'gi',
)

/**
 * Whether a text that no card number belongs into holds one: whole, of a card network, and standing by itself, in
 * the digits of any script.
 * So does one in 25 random numbers of 16 digits, but none that begins with a year of this century.
 */
export function holdsCardNumber(text: string): boolean {
  const plain = withAsciiDigits(text)
  return manyDigits.test(plain) && maskCardNumbers(plain) !== plain
}

/** The text with every card number in it replaced by `[card number]`. */
export function maskCardNumbers(text: string): string {
  return text.replace(cardLike, (whole: string, before: string, digits: string) =>
    isOfNetwork(digits.replace(/\D/g, '')) ? `${before}[card number]` : whole,
  )
}

function isOfNetwork(number: string): boolean {
  return isCardNumber(number) && creditCardType(number).length > 0
}
