// The digits of a reference: seven that identify it, two that check entity, number and amount (FACTS: MOD 97-10).
import type { Cents } from '../../../kernel/money.ts'
import type { ReferenceNumber } from '../model.ts'

const numberLength = 7
const amountLength = 8
const modulus = 97n

/**
 * The nine digits of a reference.
 *
 * @param amount what is to be paid; zero where the payer chooses. Its last eight digits count.
 */
export function referenceDigits(entity: string, number: ReferenceNumber, amount: Cents): string {
  const digits = String(number).padStart(numberLength, '0')
  const checked = entity + digits + String(amount).slice(-amountLength).padStart(amountLength, '0')
  const check = modulus + 1n - ((BigInt(checked) * 100n) % modulus)
  return digits + String(check).padStart(2, '0')
}

/** The number inside a reference, or undefined when it is not nine digits. The check digits are not verified. */
export function numberOf(ref: string): ReferenceNumber | undefined {
  return /^\d{9}$/.test(ref) ? Number(ref.slice(0, numberLength)) : undefined
}

/** Nine digits as people read them: `123 456 789`. */
export function inGroupsOfThree(ref: string): string {
  return ref.replace(/\d{3}(?=\d)/g, '$& ')
}
