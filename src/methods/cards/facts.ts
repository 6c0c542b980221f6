// CC: payment cards.
import type { MethodFacts } from '../facts.ts'

export const cardDrawing =
  'M6 2.5h12a1.5 1.5 0 0 1 1.5 1.5v8a1.5 1.5 0 0 1-1.5 1.5H6A1.5 1.5 0 0 1 4.5 12V4A1.5 1.5 0 0 1 6 2.5zM4.5 6h15M7.5 10.5h3'

export const cards = {
  code: 'CC',
  names: { pt: 'Cartão', en: 'Card' },
  inSentence: { pt: 'cartão', en: 'card' },
  drawing: cardDrawing,
  page: {
    place: 1,
    path: 'card',
    icon: '<rect x="3" y="5.5" width="18" height="13" rx="2.5"/><path d="M3 10h18M6.5 15h4"/>',
  },
  holds: true,
  recurring: 'by_default',
  defaultPaymentMethod: 'CC',
  byStoredCard: true,
  byDefault: true,
  rails: ['acquirer', 'threeDSecure'],
  fees: { CC: { ratePpm: 10_000, fixedCents: 15 } },
  payer: 'rail',
  refundable: true,
  paidLater: false,
} as const satisfies MethodFacts
