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
  /** In the sandbox, a merchant without registered origins may embed the fields in pages of this machine. */
  readonly sandbox: boolean
}
