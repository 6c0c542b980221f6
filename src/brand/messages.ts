// Words of buttons, in Portuguese and English.
import type { ButtonType, Culture } from './model.ts'

export interface BrandWords {
  readonly language: string
  readonly types: Readonly<Record<ButtonType, string>>
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
    description: (action, methods) => described(action, 'with', methods),
  },
}

function described(action: string, by: string, methods: readonly string[]): string {
  const list = methods.length === 0 ? '' : `: ${methods.join(', ')}`
  return `${action} ${by} Comporta${list}`
}
