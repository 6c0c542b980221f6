// Dependencies of the wallets module.
import type { Instant } from '../kernel/time.ts'
import type { Core } from '../module.ts'
import type { Executor } from '../storage/index.ts'
import type { RailCapabilities } from './model.ts'

export interface WalletsDeps extends Pick<Core, 'database' | 'clock' | 'random' | 'keyring' | 'mode'> {
  openAccounts(tx: Executor, walletId: bigint, kind: 'merchant' | 'consumer'): Promise<void>
  /** Counts today's payments before the wallet gets its first daily limit. */
  countDaySoFar?(tx: Executor, walletId: bigint, now: Instant): Promise<void>
  /** The methods that have a rail. The object is the same while nothing changes. Absent: every method. */
  readonly capabilitiesOf?: ((walletId: bigint) => RailCapabilities) | undefined
  /** Real time in milliseconds, for the age of cache entries. The sandbox cannot move it. */
  elapsed?(): number
}

/** The payload is the number of the changed wallet; empty if any may have changed. */
export const changesChannel = 'wallets'

export function signingSecretAssociatedData(publicId: string): string {
  return `wallet ${publicId} callback signing secret`
}

export function callbackSecretAssociatedData(publicId: string): string {
  return `wallet ${publicId} callback secret`
}
