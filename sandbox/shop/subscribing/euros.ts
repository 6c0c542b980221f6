// Euros as the visitor reads them.
import { cents } from '../../../src/kernel/money.ts'
import { amountInWords } from '../../issuer/amounts.ts'
import type { Language } from '../../issuer/words.ts'

/** @param amount in cents */
export function eurosOf(amount: number | bigint, language: Language): string {
  return amountInWords({ amount: cents(amount), currency: 'EUR' }, language)
}
