// BANK: incoming transfers that top up a wallet.
import type { MethodFacts } from '../facts.ts'

export const bankTransfer = {
  code: 'BANK',
  names: { pt: 'Transferência bancária', en: 'Bank transfer' },
  inSentence: { pt: 'transferência bancária', en: 'bank transfer' },
  drawing: 'M5 6l7-4 7 4zM7 6v6M10.5 6v6M13.5 6v6M17 6v6M4.5 13.5h15',
  holds: false,
  recurring: false,
  byDefault: false,
  rails: ['creditTransfer'],
  fees: { BANK: { ratePpm: 0, fixedCents: 0 } },
  payer: 'rail',
  refundable: false,
  paidLater: false,
} as const satisfies MethodFacts
