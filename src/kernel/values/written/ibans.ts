// IBANs as people write them.
import { electronicFormatIBAN, isValidIBAN } from 'ibantools'
import { withoutMarks } from './pasted.ts'

/** The IBAN in its electronic form, whatever groups it; undefined for what is none. */
export function readIban(text: string): string | undefined {
  const iban = electronicFormatIBAN(withoutMarks(text))
  return iban !== null && isValidIBAN(iban) ? iban : undefined
}
