// Amounts in the answers of commands.
import type { Cents } from '../kernel/money.ts'

/** Cents as decimal text: `-12.50`. */
export function decimal(amount: Cents): string {
  const digits = String(amount < 0n ? -amount : amount).padStart(3, '0')
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}
