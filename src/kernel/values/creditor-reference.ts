// Creditor references (ISO 11649) and SEPA creditor identifiers.

const prefix = 'RF'
const referenceLengthMin = 5
const referenceLengthMax = 25
const groupLength = 4

/** Makes the reference for `text`, which has at most 21 digits and capital letters. */
export function creditorReference(text: string): string {
  const remainder = mod97(`${text}${prefix}00`)
  return `${prefix}${String(98 - remainder).padStart(2, '0')}${text}`
}

export function isCreditorReference(reference: string): boolean {
  return (
    /^RF\d{2}[0-9A-Z]{1,21}$/.test(reference) &&
    reference.length <= referenceLengthMax &&
    mod97(reference.slice(4) + reference.slice(0, 4)) === 1
  )
}

/** Finds all candidates. The end of a reference is not marked, so two can begin at the same place. */
export function creditorReferencesIn(text: string): ReadonlySet<string> {
  const references = new Set<string>()
  for (const [, longest = ''] of lettersAndDigitsOf(text).matchAll(/(?=(RF\d{2}[0-9A-Z]{1,21}))/g))
    for (let end = referenceLengthMin; end <= longest.length; end++)
      if (isCreditorReference(longest.slice(0, end))) references.add(longest.slice(0, end))
  return references
}

export function lettersAndDigitsOf(text: string): string {
  return text.toUpperCase().replaceAll(/[^0-9A-Z]/g, '')
}

export function groupedReference(reference: string): string {
  return reference.match(new RegExp(`.{1,${groupLength}}`, 'g'))?.join(' ') ?? ''
}

/** The remainder of a division by 97. Letters count as 10 to 35 (ISO 7064). */
function mod97(text: string): number {
  let remainder = 0
  for (const character of text) {
    for (const digit of String(Number.parseInt(character, 36))) {
      remainder = (remainder * 10 + Number(digit)) % 97
    }
  }
  return remainder
}

export function creditorIdOf(text: string): string {
  return text.replaceAll(' ', '').toUpperCase()
}

/** Whether the check digits are right. They do not cover the business code (characters 5 to 7). */
export function isCreditorId(text: string): boolean {
  const [, country, digits, national] =
    /^([A-Z]{2})(\d{2})[A-Z0-9]{3}([A-Z0-9]{1,28})$/.exec(creditorIdOf(text)) ?? []
  if (country === undefined || digits === undefined || national === undefined) return false
  const numbers = [...`${national}${country}${digits}`].map((character) => Number.parseInt(character, 36))
  return BigInt(numbers.join('')) % 97n === 1n
}
