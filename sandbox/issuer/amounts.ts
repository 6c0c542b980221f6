// Amounts on the issuer's page.
import { decimalText } from '../../src/kernel/money.ts'
import type { Language } from './messages.ts'
import type { Challenge } from './model.ts'

const locales: Readonly<Record<Language, string>> = { pt: 'pt-PT', en: 'en-IE' }

/** An amount such as `10,00 €`. Empty if the card is only stored. */
export function amountInWords(
  { amount, currency }: Pick<Challenge, 'amount' | 'currency'>,
  language: Language,
): string {
  if (amount === undefined) return ''
  const decimal = decimalText(BigInt(amount)) as Intl.StringNumericLiteral
  const format = { minimumFractionDigits: 2, maximumFractionDigits: 2 } as const
  return currency !== undefined && /^[A-Z]{3}$/.test(currency)
    ? new Intl.NumberFormat(locales[language], { ...format, style: 'currency', currency }).format(decimal)
    : `${new Intl.NumberFormat(locales[language], format).format(decimal)} ${currency ?? ''}`
}
