// What secure form fields are handed by those who put them to work.
import type { Randomness } from '../kernel/random.ts'
import type { Keyring } from '../kernel/sealing.ts'
import type { Clock } from '../kernel/time.ts'
import type { Database } from '../storage/index.ts'

/** As much of a merchant as its card fields need. */
export interface FieldsMerchant {
  readonly id: bigint
  readonly publicId: string
  readonly name: string
  /** Origins of the merchant's pages that may embed the fields. */
  readonly secureFieldOrigins: readonly string[]
}

export interface SecureFieldsDeps {
  readonly database: Database
  readonly clock: Clock
  readonly random: Randomness
  readonly keyring: Keyring
  readonly baseUrl: string
  /** The merchant of a public id; undefined when there is none. */
  walletOf(publicId: string): Promise<FieldsMerchant | undefined>
  /** Path of `dist/web/manifest.json`. */
  readonly manifestPath: string
  /** Where no origin is registered, the sandbox lets pages on this machine try the fields. */
  readonly sandbox: boolean
  readonly onError: (error: unknown) => void
}
