// What the operator's routes have in common: where they are, who may, and how ids are read.
import { isUuid } from '../../kernel/random.ts'
import { deny } from '../../kernel/result.ts'

/** Under which the operator's routes are. */
export const operatorPrefix = '/backoffice/api/operator/'

/** For reading, and for what moves no money and makes no secret. */
export const operators = { operator: true, concerns: 'gateway' } as const
/** For what moves money or makes a secret. */
export const confirmedOperators = { ...operators, confirmed: 'always' } as const
/** The same for what concerns a merchant, whose log has it. */
export const ofMerchant = { operator: true, concerns: 'path' } as const
/** The same for reading what would be booked for the merchant of `wallet_id`. */
export const ofNamedMerchant = { operator: true, concerns: 'query' } as const
export const confirmedOfMerchant = { ...ofMerchant, confirmed: 'always' } as const
export const confirmedOfSome = { ...confirmedOfMerchant, concerns: 'answer' } as const

/** @throws a refusal: not_found */
export function numberOf(text: string, what: string): bigint {
  if (/^\d{1,18}$/.test(text)) return BigInt(text)
  return deny('not_found', `there is no ${what} ${text.slice(0, 40)}`)
}

/** @throws a refusal: not_found */
export function uuidOf(text: string, what: string): string {
  const id = text.toLowerCase()
  if (isUuid(id)) return id
  return deny('not_found', `there is no ${what} ${text.slice(0, 40)}`)
}
