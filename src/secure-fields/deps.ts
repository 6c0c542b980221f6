// Dependencies of secure form fields.
import type { Core } from '../module.ts'

export interface FieldsMerchant {
  readonly id: bigint
  readonly publicId: string
  readonly name: string
  readonly secureFieldOrigins: readonly string[]
}

export interface SecureFieldsDeps
  extends Pick<Core, 'database' | 'clock' | 'random' | 'keyring' | 'baseUrl' | 'onError'> {
  walletOf(publicId: string): Promise<FieldsMerchant | undefined>
  readonly manifestPath: string
  /** In the sandbox without registered origins, pages on this machine may embed the fields. */
  readonly sandbox: boolean
}
