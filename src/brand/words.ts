// The words on buttons and of their descriptions, in Portuguese and English.
import type { ButtonType, Culture, DrawnMethod } from './model.ts'

export interface BrandWords {
  /** BCP 47. */
  readonly language: string
  readonly types: Readonly<Record<ButtonType, string>>
  readonly methods: Readonly<Record<DrawnMethod, string>>
  /** The accessible name of the button. */
  readonly description: (action: string, methods: readonly string[]) => string
}

export const brandWords: Readonly<Record<Culture, BrandWords>> = {
  PT: {
    language: 'pt-PT',
    types: {
      BUY: 'Comprar agora',
      CONFIRM: 'Confirmar',
      CONTINUE: 'Continuar',
      PAYMENT: 'Pagar agora',
      PURCHASE: 'Finalizar compra',
    },
    methods: {
      CC: 'cartão',
      MB: 'referência Multibanco',
      MBWAY: 'MB WAY',
      PAYPAL: 'PayPal',
      WALLET: 'carteira',
      SEPA: 'débito direto',
      BANK: 'transferência bancária',
    },
    description: (action, methods) => described(action, 'com', methods),
  },
  EN: {
    language: 'en',
    types: {
      BUY: 'Buy now',
      CONFIRM: 'Confirm',
      CONTINUE: 'Continue',
      PAYMENT: 'Pay now',
      PURCHASE: 'Complete purchase',
    },
    methods: {
      CC: 'card',
      MB: 'Multibanco reference',
      MBWAY: 'MB WAY',
      PAYPAL: 'PayPal',
      WALLET: 'wallet',
      SEPA: 'direct debit',
      BANK: 'bank transfer',
    },
    description: (action, methods) => described(action, 'with', methods),
  },
}

function described(action: string, by: string, methods: readonly string[]): string {
  const list = methods.length === 0 ? '' : `: ${methods.join(', ')}`
  return `${action} ${by} Comporta${list}`
}
