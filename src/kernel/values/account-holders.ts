// Names of account holders, as banks accept them.
import { holdsCardNumber } from './card-numbers.ts'

/** Of the name in a bank's order file. */
const lengthMax = 70

/** Invisible marks are refused, because they can show another name than the bank reads. */
export function holderProblemOf(name: string): 'missing' | 'invalid' | undefined {
  if (name === '') return 'missing'
  const isPlain = !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name) && /\p{L}/u.test(name)
  return isPlain && name.length <= lengthMax && !holdsCardNumber(name) ? undefined : 'invalid'
}
