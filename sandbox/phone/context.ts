// Dependencies of the simulated mobile wallet.
import type { Randomness } from '../../src/kernel/random.ts'
import type { Clock } from '../../src/kernel/time.ts'
import type { Notices } from '../../src/rails/index.ts'
import type { Database } from '../../src/storage/index.ts'

export interface PhoneContext {
  readonly database: Database
  readonly clock: Clock
  readonly random: Randomness
}

/** Sends the gateway a notice. If it fails, the gateway asks later. */
export type SendNotice = Notices['mobileWallet']

export function newReference(random: Randomness): string {
  return Buffer.from(random.bytes(9)).toString('hex').toUpperCase()
}
