// Messages of the card fields in Portuguese and English.
import type { Locale } from '../messages.ts'

export type InputName = 'number' | 'expiry' | 'vcode' | 'name'

export interface Words {
  readonly tag: string
  readonly title: string
  readonly labels: Readonly<Record<InputName, string>>
  readonly placeholders: Readonly<Partial<Record<InputName, string>>>
  readonly codeHint: string
  readonly codeHintAmex: string
  /** By problem of the card form. */
  readonly problems: Readonly<Record<InputName, Readonly<Record<string, string>>>>
}

const number = '1234 5678 9012 3456'

export const words: Readonly<Record<Locale, Words>> = {
  pt: {
    tag: 'pt-PT',
    title: 'Dados do cartão',
    labels: {
      number: 'Número do cartão',
      expiry: 'Validade',
      vcode: 'Código de segurança',
      name: 'Nome no cartão',
    },
    placeholders: { number, expiry: 'MM / AA' },
    codeHint: '3 algarismos no verso',
    codeHintAmex: '4 algarismos na frente',
    problems: {
      number: {
        missing: 'Introduza o número do cartão.',
        invalid: 'Este número de cartão está errado. Confirme os algarismos.',
      },
      expiry: {
        missing: 'Introduza a validade do cartão.',
        invalid: 'Introduza a validade com mês e ano, por exemplo 08 / 29.',
        expired: 'Este cartão já não é válido. Confirme a data ou use outro cartão.',
      },
      vcode: {
        missing: 'Introduza o código de segurança.',
        invalid: 'O código tem 3 algarismos, no verso (American Express: 4, na frente).',
      },
      name: {
        missing: 'Introduza o nome que está no cartão.',
        invalid: 'Introduza o nome como está no cartão, sem o número.',
      },
    },
  },
  en: {
    tag: 'en',
    title: 'Card details',
    labels: {
      number: 'Card number',
      expiry: 'Expiry date',
      vcode: 'Security code',
      name: 'Name on card',
    },
    placeholders: { number, expiry: 'MM / YY' },
    codeHint: '3 digits on the back',
    codeHintAmex: '4 digits on the front',
    problems: {
      number: {
        missing: 'Enter the card number.',
        invalid: 'This card number is wrong. Check the digits.',
      },
      expiry: {
        missing: 'Enter the expiry date of the card.',
        invalid: 'Enter the expiry date as month and year, such as 08 / 29.',
        expired: 'This card is no longer valid. Check the date or use another card.',
      },
      vcode: {
        missing: 'Enter the security code.',
        invalid: 'The code has 3 digits, on the back (American Express: 4, on the front).',
      },
      name: {
        missing: 'Enter the name on the card.',
        invalid: 'Enter the name as it is on the card, without the number.',
      },
    },
  },
}

/** Default: Portuguese, as on the hosted pages. */
export function localeOf(tag: string): Locale {
  return /^en\b/i.test(tag.replace('_', '-')) ? 'en' : 'pt'
}
