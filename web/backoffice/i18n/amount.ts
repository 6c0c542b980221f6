// Reading of typed amounts.

const pattern = /^\d{1,9}(?:[.,]\d{1,2})?$/

/** Reads an amount with a comma or point, and with spaces. */
export function amountIn(text: string): number | undefined {
  const typed = text.replaceAll(/[\s€]/g, '')
  return pattern.test(typed) ? Number(typed.replace(',', '.')) : undefined
}

/** Reads an amount that must be above zero. */
export function amountOf(text: string): number | undefined {
  const amount = amountIn(text)
  return amount === 0 ? undefined : amount
}
