// What the pretend mobile wallet works with.
import type { Randomness } from '../../src/kernel/random.ts'
import type { Clock } from '../../src/kernel/time.ts'
import type { WalletNews } from '../../src/rails/index.ts'
import type { Database } from '../../src/storage/index.ts'

export interface PhoneContext {
  readonly database: Database
  readonly clock: Clock
  readonly random: Randomness
  /** Tells the gateway that something happened; it may be away, and asks by itself later. */
  readonly news: WalletNews
}

/** As the network prints it on receipts. */
export function newReference(random: Randomness): string {
  return Buffer.from(random.bytes(9)).toString('hex').toUpperCase()
}
