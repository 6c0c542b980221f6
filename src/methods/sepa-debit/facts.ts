// SEPA: direct debits.
import type { MethodFacts } from '../facts.ts'

export const sepaDebit = {
  code: 'SEPA',
  names: { pt: 'Débito direto SEPA', en: 'SEPA direct debit' },
  inSentence: { pt: 'débito direto', en: 'direct debit' },
  drawing: 'M15.5 4.7a4.2 4.2 0 1 0 0 6.6M6.5 7h6M6.5 9h6M18 4.5l2.5 3.5-2.5 3.5',
  page: {
    place: 6,
    path: 'sepa',
    icon: '<path d="M4 9.5L12 5l8 4.5"/><path d="M5 19.5h14M7 10v6.5M12 10v6.5M17 10v6.5"/>',
  },
  holds: false,
  recurring: false,
  byDefault: false,
  rails: ['directDebit'],
  fees: { SEPA: { ratePpm: 0, fixedCents: 30 } },
  payer: 'rail',
  refundable: true,
  paidLater: false,
} as const satisfies MethodFacts
