// What a merchant's own team may change of its settings, as against its operator. Pure.

import { ok, type Result, refuse } from '../kernel/result.ts'
import type { Method } from '../methods/list.ts'
import type { MerchantExtras } from './merchants.ts'
import type { SettingsChanges } from './settings.ts'

/** Settings that are the merchant's own affair. All others cost money or allow something, and are its operator's. */
const ownFields = [
  'name',
  'email',
  'phone',
  'iban',
  'splitFeeFixed',
  'splitFeeVariableBp',
  'callbackUrl',
  'cardCallbackUrl',
  'selfEvents',
  'secureFieldOrigins',
  'brandColour',
  'termsUrl',
  'privacyUrl',
  'supportUrl',
  'supportEmail',
  'supportPhone',
  'pageLanguage',
] as const satisfies readonly (keyof SettingsChanges)[]

export type OwnChanges = Pick<SettingsChanges, (typeof ownFields)[number]> & {
  /** Those it offers, of the ones that its operator allows. */
  readonly methods?: readonly Method[]
}

export type OwnExtras = Pick<MerchantExtras, 'addStores' | 'renameStores' | 'logo'>

/**
 * The changes as `changeMerchant` takes them.
 *
 * Refusals: access_denied naming a setting that only the operator may change; invalid_parameter for a method that the
 * operator does not allow.
 */
export function ownSettings(
  { methods, ...changes }: OwnChanges,
  allowed: readonly Method[],
): Result<SettingsChanges> {
  const foreign = Object.keys(changes).find((field) => !ownFields.some((own) => own === field))
  if (foreign !== undefined)
    return refuse('access_denied', `${snakeCase(foreign)} is set by the operator of the gateway`)
  if (methods === undefined) return ok(changes)
  const unknown = methods.find((method) => !allowed.includes(method))
  if (unknown !== undefined)
    return refuse(
      'invalid_parameter',
      `methods may hold ${allowed.join(', ') || 'nothing'}, which the operator of the gateway allows; not ${JSON.stringify(unknown)}`,
    )
  return ok({ ...changes, methodsOff: allowed.filter((method) => !methods.includes(method)) })
}

function snakeCase(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
