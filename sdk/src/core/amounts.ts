// Exact amounts of money as decimal text.

/** Amount in euros as the gateway writes it, such as `10.50` or `-3.00`. */
export type Amount = string

/** Amount in euros to send: text, or a number with at most two decimals. */
export type AmountInput = Amount | number

const pattern = /^(-?)(\d+)(?:\.(\d{1,2})0*)?$/

/** Cents: `10.5` is `1050n`. Throws a RangeError for invalid amounts. */
export function toCents(amount: AmountInput): bigint {
  const [, sign, whole = '', fraction = ''] = pattern.exec(String(amount)) ?? []
  if (sign === undefined)
    throw new RangeError(`${amount} must be an amount with at most 2 decimals, such as 10.50`)
  const cents = BigInt(whole + fraction.padEnd(2, '0'))
  return sign === '-' ? -cents : cents
}

/** Amount of whole cents: `1050n` is `10.50`. */
export function fromCents(cents: bigint | number): Amount {
  const exact = BigInt(cents)
  const digits = String(exact < 0n ? -exact : exact).padStart(3, '0')
  return `${exact < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}
