// MB: references to pay at ATMs and in home banking.
import type { MethodFacts } from '../facts.ts'
import { sepaDebit } from '../sepa-debit/facts.ts'

export const machineDrawing = 'M5.5 2.5h13v6h-13zM8 5.5h1M11.5 5.5h1M15 5.5h1M8.5 8.5v5h7v-5M10.5 11.5h3'

export const multibanco = {
  code: 'MB',
  names: { pt: 'Referência Multibanco', en: 'Multibanco reference' },
  inSentence: { pt: 'referência Multibanco', en: 'Multibanco reference' },
  drawing: machineDrawing,
  page: {
    place: 3,
    path: 'mb',
    icon: '<path d="M3 8.5v-3a1 1 0 0 1 1-1h16a1 1 0 0 1 1 1v3zM6.5 8.5v11h11v-11"/><path d="M9.5 12h5M9.5 15.5h5"/>',
  },
  holds: false,
  recurring: false,
  byDefault: true,
  rails: ['referenceNetwork'],
  fees: { MB: { ratePpm: 0, fixedCents: 50 }, MB_INSTANT: { ratePpm: 0, fixedCents: 70 } },
  instantFee: 'MB_INSTANT',
  payer: 'rail',
  refundable: false,
  refundedOver: sepaDebit.code,
  paidLater: true,
} as const satisfies MethodFacts
