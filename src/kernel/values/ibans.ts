// IBANs as people write them, and where their accounts are.
import { electronicFormatIBAN, isValidIBAN } from 'ibantools'
import { withoutMarks } from './pasted.ts'

/** The IBAN in its electronic form, whatever groups it; undefined for what is none. */
export function readIban(text: string): string | undefined {
  const iban = electronicFormatIBAN(withoutMarks(text))
  return iban !== null && isValidIBAN(iban) ? iban : undefined
}

/** How IBANs of the European Economic Area begin; those of its countries' territories begin so too. */
const eea = new Set(
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK'.split(' '),
)
/** Those of the other countries of SEPA (EPC409-09); Jersey, Guernsey and the Isle of Man have GB. */
const sepaOutsideEea = new Set('AD AL CH GB GI MC MD ME MK RS SM VA'.split(' '))

/** Whether transfers and debits of SEPA reach an account. @param iban in electronic form */
export function isSepaIban(iban: string): boolean {
  const country = iban.slice(0, 2)
  return eea.has(country) || sepaOutsideEea.has(country)
}

/** Whether banks want the address of who holds an account of SEPA (SEPA rulebooks, EPC153-10). @param iban in electronic form */
export function isOutsideEea(iban: string): boolean {
  return sepaOutsideEea.has(iban.slice(0, 2))
}

const countries = new Intl.DisplayNames('en', { type: 'region' })

/**
 * Why no transfer of SEPA reaches what was typed, to follow the name of its field; undefined if one does.
 *
 * @param iban what {@link readIban} made of it
 */
export function sepaProblemOf(iban: string | undefined): string | undefined {
  if (iban === undefined) return 'must be a valid IBAN such as PT50000201231234567890154'
  const country = iban.slice(0, 2)
  return isSepaIban(iban)
    ? undefined
    : `must be of an account in a SEPA country: ${countries.of(country)} (${country}) is not one`
}
