// PAYPAL: a PayPal account.
import type { MethodFacts } from '../facts.ts'

export const paypal = {
  code: 'PAYPAL',
  names: { pt: 'PayPal', en: 'PayPal' },
  inSentence: { pt: 'PayPal', en: 'PayPal' },
  drawing:
    'M12 2a6 6 0 0 1 0 12a6 6 0 0 1 0-12zM6 8h12M12 2c2 1.6 3 3.6 3 6s-1 4.4-3 6c-2-1.6-3-3.6-3-6s1-4.4 3-6z',
  page: {
    place: 4,
    path: 'paypal',
    icon: '<path d="M13.5 4H20v6.5M20 4l-9 9"/><path d="M18 14v5a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V7a1 1 0 0 1 1-1h5"/>',
  },
  holds: true,
  recurring: true,
  defaultPaymentMethod: 'WALLET',
  byDefault: false,
  rails: ['onlineWallet'],
  fees: { PAYPAL: { ratePpm: 29_000, fixedCents: 35 } },
  payer: 'rail',
  refundable: true,
  paidLater: false,
} as const satisfies MethodFacts
