// WALLET: payments from a consumer's balance.
import type { MethodFacts } from '../facts.ts'

export const purseDrawing =
  'M18.5 5V3a1 1 0 0 0-1-1H6a1.5 1.5 0 0 0 0 3h12a1.5 1.5 0 0 1 1.5 1.5v6A1.5 1.5 0 0 1 18 14H6a1.5 1.5 0 0 1-1.5-1.5v-9M16 9.5h.5'

export const balance = {
  code: 'WALLET',
  names: { pt: 'Saldo Comporta', en: 'Comporta balance' },
  inSentence: { pt: 'carteira', en: 'wallet' },
  drawing: purseDrawing,
  page: {
    logsIn: true,
    place: 5,
    path: 'wallet',
    icon: '<path d="M18.5 8V5.5a1 1 0 0 0-1.2-1L5 7"/><rect x="3.5" y="7.5" width="17" height="12" rx="2.5"/><path d="M16.5 13.5v.01"/>',
  },
  holds: false,
  recurring: true,
  defaultPaymentMethod: 'WALLET',
  byDefault: false,
  rails: [],
  fees: { WALLET: { ratePpm: 5_000, fixedCents: 0 } },
  payer: 'consumer',
  refundable: true,
  paidLater: false,
} as const satisfies MethodFacts
