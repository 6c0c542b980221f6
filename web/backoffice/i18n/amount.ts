// Amounts as people type them. Pure.

const pattern = /^\d{1,9}(?:[.,]\d{1,2})?$/

/** Euros with a comma or a point before the cents, and spaces anywhere; undefined for what is no amount. */
export function amountIn(text: string): number | undefined {
  const typed = text.replaceAll(/[\s€]/g, '')
  return pattern.test(typed) ? Number(typed.replace(',', '.')) : undefined
}

/** The same above zero. */
export function amountOf(text: string): number | undefined {
  const amount = amountIn(text)
  return amount === 0 ? undefined : amount
}
