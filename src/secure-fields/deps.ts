// What secure form fields are handed by those who put them to work.
import type { Core } from '../module.ts'

/** As much of a merchant as its card fields need. */
export interface FieldsMerchant {
  readonly id: bigint
  readonly publicId: string
  readonly name: string
  /** Origins of the merchant's pages that may embed the fields. */
  readonly secureFieldOrigins: readonly string[]
}

export interface SecureFieldsDeps
  extends Pick<Core, 'database' | 'clock' | 'random' | 'keyring' | 'baseUrl' | 'onError'> {
  /** The merchant of a public id; undefined when there is none. */
  walletOf(publicId: string): Promise<FieldsMerchant | undefined>
  /** Path of `dist/web/manifest.json`. */
  readonly manifestPath: string
  /** Where no origin is registered, the sandbox lets pages on this machine try the fields. */
  readonly sandbox: boolean
}
