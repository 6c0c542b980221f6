// Amounts of money as exact decimals: texts such as `10.50`, never floating-point numbers.

/** An amount in euros as the gateway writes it, such as `10.50` or `-3.00`. */
export type Amount = string

/** An amount in euros to send: a text, or a number with at most two decimals. */
export type AmountInput = Amount | number

const pattern = /^(-?)(\d+)(?:\.(\d{1,2})0*)?$/

/** The cents of `amount`: `10.5` is `1050n`. Throws a RangeError for what is no number with at most two decimals. */
export function toCents(amount: AmountInput): bigint {
  const [, sign, whole = '', fraction = ''] = pattern.exec(String(amount)) ?? []
  if (sign === undefined)
    throw new RangeError(`${amount} must be an amount with at most 2 decimals, such as 10.50`)
  const cents = BigInt(whole + fraction.padEnd(2, '0'))
  return sign === '-' ? -cents : cents
}

/** Cents as an amount: `1050n` is `10.50`. Numbers must be whole. */
export function fromCents(cents: bigint | number): Amount {
  const exact = BigInt(cents)
  const digits = String(exact < 0n ? -exact : exact).padStart(3, '0')
  return `${exact < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}
