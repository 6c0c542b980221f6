// BIZUM: a test method with phone number and bank app.
import type { MethodFacts } from '../facts.ts'

export const bizum = {
  code: 'BIZUM',
  names: { pt: 'Bizum', en: 'Bizum' },
  inSentence: { pt: 'Bizum', en: 'Bizum' },
  drawing: 'M6 2h12v12h-12z',
  page: { place: 7, path: 'bizum', icon: '<path d="M6 3h12v18h-12z"/>' },
  holds: false,
  recurring: false,
  byDefault: false,
  rails: ['onlineWallet'],
  fees: { BIZUM: { ratePpm: 10_000, fixedCents: 5 } },
  payer: 'rail',
  refundable: true,
  paidLater: false,
} as const satisfies MethodFacts
