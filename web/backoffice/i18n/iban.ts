// Check digits of an IBAN.
import { withoutMarks } from '../../../src/kernel/values/pasted.ts'

export function isIban(text: string): boolean {
  const iban = withoutMarks(text).replaceAll(/[\s-]/g, '').toUpperCase()
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(iban)) return false
  const digits = [...(iban.slice(4) + iban.slice(0, 4))].map((one) => Number.parseInt(one, 36)).join('')
  return BigInt(digits) % 97n === 1n
}
