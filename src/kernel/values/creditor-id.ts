// Creditor identifiers of SEPA: as whom direct debits are collected.

/** As files and mandates carry it, however it was typed. */
export function creditorIdOf(text: string): string {
  return text.replaceAll(' ', '').toUpperCase()
}

/**
 * Whether its check digits are right. Country, check digits, business code of three, national part: the check digits
 * leave the business code out.
 */
export function isCreditorId(text: string): boolean {
  const [, country, digits, national] =
    /^([A-Z]{2})(\d{2})[A-Z0-9]{3}([A-Z0-9]{1,28})$/.exec(creditorIdOf(text)) ?? []
  if (country === undefined || digits === undefined || national === undefined) return false
  const numbers = [...`${national}${country}${digits}`].map((character) => Number.parseInt(character, 36))
  return BigInt(numbers.join('')) % 97n === 1n
}
