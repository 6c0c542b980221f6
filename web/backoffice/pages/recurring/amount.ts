// Amounts as people type them.

/** The euros that a text names, with a comma or a point before the cents; undefined for what is no amount above zero. */
export function amountOf(text: string): number | undefined {
  const plain = text.trim().replace(',', '.')
  const amount = /^\d{1,9}(\.\d{1,2})?$/.test(plain) ? Number(plain) : 0
  return amount > 0 ? amount : undefined
}
