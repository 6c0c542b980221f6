// Settings that a merchant's own team may change.
import { ok, type Result, refuse } from '../kernel/result.ts'
import type { Method } from '../methods/list.ts'
import type { MerchantExtras } from './merchants.ts'
import type { SettingsChanges } from './settings.ts'

/** The team may change these. The others cost money or grant rights, so only the operator changes them. */
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
  'embedOrigins',
  'brandColour',
  'termsUrl',
  'privacyUrl',
  'supportUrl',
  'supportEmail',
  'supportPhone',
  'pageLanguage',
] as const satisfies readonly (keyof SettingsChanges)[]

export type OwnChanges = Pick<SettingsChanges, (typeof ownFields)[number]> & {
  /** The methods that it offers, from those that its operator allows. */
  readonly methods?: readonly Method[]
}

export type OwnExtras = Pick<MerchantExtras, 'addStores' | 'renameStores' | 'logo'>

/** The changes for `changeMerchant`. Refusals: access_denied or invalid_parameter naming the setting. */
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
      `methods may contain ${allowed.join(', ') || 'nothing'}, which the operator allows; not ${JSON.stringify(unknown)}`,
    )
  return ok({ ...changes, methodsOff: allowed.filter((method) => !methods.includes(method)) })
}

function snakeCase(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
