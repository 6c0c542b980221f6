// Money as whole cents, and how it is written.

declare const centsBrand: unique symbol

/** An amount of money in whole cents of EUR. Never a float; negative for money going back. */
export type Cents = bigint & { readonly [centsBrand]: 'Cents' }

/** Brands a whole number of cents. */
export function cents(amount: bigint | number): Cents {
  return BigInt(amount) as Cents
}

/** Cents as decimal text: `-12.50`. The digits never go through floating point. */
export function decimalText(amount: bigint): string {
  const digits = String(amount < 0n ? -amount : amount).padStart(3, '0')
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

export function sumOf(amounts: Iterable<Cents>): Cents {
  let total = 0n
  for (const amount of amounts) total += amount
  return total as Cents
}
