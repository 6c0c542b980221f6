// IBANs and the countries of their accounts.
import { electronicFormatIBAN, isValidIBAN } from 'ibantools'
import { withoutMarks } from './pasted.ts'

/** Returns the IBAN without spaces. Undefined if `text` is not an IBAN. */
export function readIban(text: string): string | undefined {
  const iban = electronicFormatIBAN(withoutMarks(text))
  return iban !== null && isValidIBAN(iban) ? iban : undefined
}

/** Country codes of the European Economic Area. Territories have the codes of their countries. */
const eea = new Set(
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK'.split(' '),
)
/** Other countries of SEPA (EPC409-09). Jersey, Guernsey and the Isle of Man use GB. */
const sepaOutsideEea = new Set('AD AL CH GB GI MC MD ME MK RS SM VA'.split(' '))

export function isSepaIban(iban: string): boolean {
  const country = iban.slice(0, 2)
  return eea.has(country) || sepaOutsideEea.has(country)
}

/** Whether the account is in such a country: banks then require the holder's address (EPC153-10). */
export function isOutsideEea(iban: string): boolean {
  return sepaOutsideEea.has(iban.slice(0, 2))
}

const countries = new Intl.DisplayNames('en', { type: 'region' })

/** Why SEPA cannot reach the account, as words after the field's name. Undefined if it can. */
export function sepaProblemOf(iban: string | undefined): string | undefined {
  if (iban === undefined) return 'must be a valid IBAN such as PT50000201231234567890154'
  const country = iban.slice(0, 2)
  return isSepaIban(iban)
    ? undefined
    : `must be of an account in a SEPA country: ${countries.of(country)} (${country}) is not one`
}
