// The digits of a reference: seven of number, two of check (MOD 97-10).
import type { Cents } from '../../../kernel/money.ts'
import type { ReferenceNumber } from '../model.ts'

const numberLength = 7
const amountLength = 8
const modulus = 97n

export function referenceDigits(entity: string, number: ReferenceNumber, amount: Cents): string {
  const digits = String(number).padStart(numberLength, '0')
  const checked = entity + digits + String(amount).slice(-amountLength).padStart(amountLength, '0')
  const check = modulus + 1n - ((BigInt(checked) * 100n) % modulus)
  return digits + String(check).padStart(2, '0')
}

/** Undefined unless nine digits. The check digits are not verified. */
export function numberOf(ref: string): ReferenceNumber | undefined {
  return /^\d{9}$/.test(ref) ? Number(ref.slice(0, numberLength)) : undefined
}

export function inGroupsOfThree(ref: string): string {
  return ref.replace(/\d{3}(?=\d)/g, '$& ')
}
