// Names of card brands as people write them.

const brandNames: Readonly<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  'american-express': 'American Express',
}

export function brandName(brand: string): string {
  return brandNames[brand] ?? brand
}
