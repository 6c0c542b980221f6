// The entry point of secure form fields: cards encrypted in our frame on merchants' pages.
import type { Result } from '../kernel/result.ts'
import type { Instant } from '../kernel/time.ts'
import type { Module } from '../module.ts'
import type { Worker } from '../storage/index.ts'
import { decryptCard } from './decrypt.ts'
import type { SecureFieldsDeps } from './deps.ts'
import { secureFieldSecrets } from './keys.ts'
import type { DecryptedCard, NewCardSecure } from './model.ts'
import { secureFieldsRoutes } from './routes.ts'
import { createCleaner } from './store.ts'

export { consume } from './decrypt.ts'
export type { FieldsMerchant, SecureFieldsDeps } from './deps.ts'
export type { CardUse, DecryptedCard, NewCardSecure } from './model.ts'

export interface SecureFields extends Module {
  readonly workers: { readonly secure_fields: Worker }
  readonly routes: NonNullable<Module['routes']>
  /** Call `consume` for the `use` in the transaction that uses the card. */
  decryptCard(publicId: string, newCardSecure: NewCardSecure, now: Instant): Promise<Result<DecryptedCard>>
}

export function createSecureFields(deps: SecureFieldsDeps): SecureFields {
  return {
    decryptCard: (publicId, newCardSecure, now) => decryptCard(deps, publicId, newCardSecure, now),
    routes: secureFieldsRoutes(deps),
    workers: { secure_fields: createCleaner(deps) },
    secrets: secureFieldSecrets,
  }
}
