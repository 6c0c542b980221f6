// Shared parts of the operator's routes.
import { isUuid } from '../../kernel/random.ts'
import { deny } from '../../kernel/result.ts'

export const operatorPrefix = '/backoffice/api/operator/'

/** For routes that read, or that move no money and create no secret. */
export const operators = { operator: true, concerns: 'gateway' } as const
/** For routes that move money or create a secret. */
export const confirmedOperators = { ...operators, confirmed: 'always' } as const
/** The action is logged for the merchant in the path. */
export const ofMerchant = { operator: true, concerns: 'path' } as const
/** The action is logged for the merchant of `wallet_id`. */
export const ofNamedMerchant = { operator: true, concerns: 'query' } as const
export const confirmedOfMerchant = { ...ofMerchant, confirmed: 'always' } as const
export const confirmedOfSome = { ...confirmedOfMerchant, concerns: 'answer' } as const

export function numberOf(text: string, what: string): bigint {
  if (/^\d{1,18}$/.test(text)) return BigInt(text)
  return deny('not_found', `there is no ${what} ${text.slice(0, 40)}`)
}

export function uuidOf(text: string, what: string): string {
  const id = text.toLowerCase()
  if (isUuid(id)) return id
  return deny('not_found', `there is no ${what} ${text.slice(0, 40)}`)
}
