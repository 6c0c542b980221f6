// What the module of wallets depends on, and the associated data of its secrets.

import type { Instant } from '../kernel/time.ts'
import type { Core } from '../module.ts'
import type { Executor } from '../storage/index.ts'
import type { RailCapabilities } from './model.ts'

export interface WalletsDeps extends Pick<Core, 'database' | 'clock' | 'random' | 'keyring' | 'mode'> {
  /** Opens the ledger accounts of a wallet in the transaction that makes it. */
  openAccounts(tx: Executor, walletId: bigint, kind: 'merchant' | 'consumer'): Promise<void>
  /** Counts what a merchant has taken today, in the transaction that gives it a limit for a day. */
  countDaySoFar?(tx: Executor, walletId: bigint, now: Instant): Promise<void>
  /** What there are rails for; the same object while nothing changes. Absent: every method. */
  readonly capabilitiesOf?: ((walletId: bigint) => RailCapabilities) | undefined
  /** Milliseconds of real time since any fixed moment, for the age of what is cached. */
  elapsed?(): number
}

/** The channel of changes: the payload is the number of the wallet that changed, empty when any may have. */
export const changesChannel = 'wallets'

/** The associated data with which the key is sealed that a wallet's callbacks are signed with. */
export function signingSecretAssociatedData(publicId: string): string {
  return `wallet ${publicId} callback signing secret`
}

/** The associated data with which a wallet's callback secret is sealed. */
export function callbackSecretAssociatedData(publicId: string): string {
  return `wallet ${publicId} callback secret`
}
