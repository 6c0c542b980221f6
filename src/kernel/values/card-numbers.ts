// Card numbers: finds them in texts, and cuts them to the digits that may be shown (CONTRACT section 8).
import creditCardType from 'credit-card-type'
import { isValidIBAN } from 'ibantools'
import { withAsciiDigits } from './pasted.ts'

const lengthMin = 12
const lengthMax = 19

/** Whether length and check digit (Luhn) are right for the brand. */
export function isCardNumber(number: string): boolean {
  if (!/^\d+$/.test(number)) return false
  if (number.length < lengthMin || number.length > lengthMax) return false
  const [brand] = creditCardType(number)
  if (brand !== undefined && !lengthsOf(brand).includes(number.length)) return false
  return luhnSum(number) % 10 === 0
}

/** Old Visa cards have 13 digits, which the library does not list any more. */
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

const manyDigits = /\d(?:\D{0,3}\d){13}/
/** The separators between groups of a printed card, such as spaces, dashes and dots, in any script. */
const gap = String.raw`[^\p{L}\p{N}]{1,3}`
const fours = [4, 4, 4, '2,4'].map((digits) => String.raw`\d{${digits}}`).join(gap)
const groupsOfAmex = [4, 6, '4,5'].map((digits) => String.raw`\d{${digits}}`).join(gap)
/** Single digits or pairs with equal gaps. Amounts such as 12.50 have two decimals. */
const oneByOne = String.raw`(?<!(?<!\d)\d${gap})\d(?<one>${gap})\d(?:\k<one>\d){12,17}(?!\k<one>\d(?!\d))`
const inPairs = String.raw`(?<!(?<!\d)\d\d${gap})\d\d(?<two>${gap})\d\d(?:\k<two>\d\d){5,7}(?:\k<two>\d)?(?!\k<two>\d\d(?!\d))`
/** 14 to 19 digits, perhaps with an expiry. 13 are rare on cards and usual on articles (EAN-13). */
const cardLike = new RegExp(
  String.raw`(?<![0-9a-z])(?<before>[a-z]*)(?<digits>\d{14,19}|${fours}(?<last>${gap}\d{1,3})?|${groupsOfAmex}|${oneByOne}|${inPairs})(?=[a-z]*(?![0-9a-z]))`,
  'giu',
)
/** Four numbers of four digits with commas, no leading zero: these are amounts or years. */
const listOfNumbers = /^[1-9]\d{3}(?:[,;]\s[1-9]\d{3})+$/

/** Characters that nobody sees: of zero width, or marks on digits as on keycaps. */
const unseen = /[\p{DI}\p{Cf}\p{M}]/gu
const notAscii = /[^\0-\x7f]/
const ibanLike = /(?<![0-9a-z])[a-z]{2}\d{2}(?: ?[0-9a-z]{4}){2,7}(?: ?[0-9a-z]{1,3})?(?![0-9a-z])/gi

/** Finds digits of any script, grouped or percent-encoded. One in 25 random numbers matches too. */
export function holdsCardNumber(text: string): boolean {
  const decoded = text.includes('%') ? text.replace(/(?:%[0-9a-f]{2})+/gi, percentDecoded) : text
  const plain = notAscii.test(decoded)
    ? withAsciiDigits(decoded.normalize('NFKC')).replace(unseen, '')
    : decoded
  return manyDigits.test(plain) && nextCardNumber(withoutIbans(plain), 0) !== undefined
}

export function maskCardNumbers(text: string): string {
  let masked = ''
  let end = 0
  for (;;) {
    const found = nextCardNumber(text, end)
    if (found === undefined) return masked + text.slice(end)
    masked += `${text.slice(end, found.start)}[card number]`
    end = found.end
  }
}

function nextCardNumber(text: string, from: number): { start: number; end: number } | undefined {
  cardLike.lastIndex = from
  for (let match = cardLike.exec(text); match !== null; match = cardLike.exec(text)) {
    const { before = '', digits = '', last = '' } = match.groups ?? {}
    const start = match.index + before.length
    const withoutLast = digits.slice(0, digits.length - last.length)
    for (const written of last === '' ? [digits] : [digits, withoutLast]) {
      if (isOfNetwork(written.replace(/\D/g, '')) && !listOfNumbers.test(written)) {
        return { start, end: start + written.length }
      }
    }
    // The second group of a rejected match may be the begin of a card number.
    cardLike.lastIndex = match.index + 1
  }
  return undefined
}

function percentDecoded(encoded: string): string {
  try {
    return decodeURIComponent(encoded)
  } catch {
    return encoded
  }
}

/** Removes IBANs, because one in 25 looks like a card number. */
function withoutIbans(text: string): string {
  return text.replace(ibanLike, (written) =>
    isValidIBAN(written.replaceAll(' ', '').toUpperCase()) ? 'IBAN' : written,
  )
}

function isOfNetwork(number: string): boolean {
  return isCardNumber(number) && creditCardType(number).length > 0
}

/** At most the first six and the last four digits, which may be shown (PCI DSS 3.4.1). */
export interface CardSummary {
  readonly token?: string
  readonly last4: string
  readonly bin: string
  readonly type: string
  readonly valdate: string
}

export interface CreditCard {
  readonly token: string
  readonly last4: string
  readonly type: string
  readonly valdate: string
  readonly expired: boolean
  readonly verification_status: 'VERIFIED' | 'UNVERIFIED'
  readonly bin: string
  readonly voided: boolean
  readonly name?: string
}
