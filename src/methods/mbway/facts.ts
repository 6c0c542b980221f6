// MBWAY: payments that people approve on their phone.
import type { MethodFacts } from '../facts.ts'

export const mbway = {
  code: 'MBWAY',
  names: { pt: 'MB WAY', en: 'MB WAY' },
  inSentence: { pt: 'MB WAY', en: 'MB WAY' },
  drawing:
    'M10 1.5h4a1.5 1.5 0 0 1 1.5 1.5v10a1.5 1.5 0 0 1-1.5 1.5h-4A1.5 1.5 0 0 1 8.5 13V3A1.5 1.5 0 0 1 10 1.5zM11.5 12h1M18 5.5a4 4 0 0 1 0 5M6 5.5a4 4 0 0 0 0 5',
  page: {
    place: 2,
    path: 'mbway',
    icon: '<rect x="6.5" y="2.5" width="11" height="19" rx="2.5"/><path d="M9.5 11.5l2 2 3.5-4M11 18.5h2"/>',
  },
  holds: true,
  recurring: 'by_default',
  defaultPaymentMethod: 'WALLET',
  onPhone: true,
  byDefault: true,
  rails: ['mobileWallet'],
  fees: { MBWAY: { ratePpm: 15_000, fixedCents: 0 } },
  payer: 'rail',
  refundable: true,
  paidLater: true,
} as const satisfies MethodFacts
