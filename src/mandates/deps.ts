// What the module of mandates depends on.
import type { Randomness } from '../kernel/random.ts'
import type { Clock } from '../kernel/time.ts'
import type { MobileWallet } from '../rails/index.ts'
import type { Database, Executor } from '../storage/index.ts'
import type { Wallet } from '../wallets/index.ts'
import type { Mandate, MandateEventWord } from './model.ts'

/** A mandate as it was moved, with its merchant, who was read before the transaction: within it, only that is asked. */
export interface MovedMandate {
  readonly mandate: Mandate
  readonly event: MandateEventWord
  readonly byMerchant: boolean
  readonly wallet: Wallet
}

/** Called for SUBSCRIPTION mandates, in the transaction that writes or moves them. */
export interface SubscriptionMandates {
  /** A merchant asked for one by itself: the subscription that it names is to be opened. */
  opened(tx: Executor, mandate: Mandate): Promise<void>
  moved(tx: Executor, moved: MovedMandate): Promise<void>
  /** Whether anything is, or may come to be, charged under it; true of every mandate that names no subscription. */
  needs(mandate: Mandate): Promise<boolean>
}

export interface MandatesDeps {
  readonly database: Database
  readonly clock: Clock
  readonly random: Randomness
  readonly mode: 'sandbox' | 'production'
  readonly wallets: { get(walletId: bigint): Promise<Wallet> }
  readonly mobileWallet: MobileWallet
  readonly subscriptions: SubscriptionMandates
  /** Woken after events were committed. */
  readonly callbacks: { wake(): void }
  readonly onError: (error: unknown) => void
}

/** A silent network is an unclear answer after this. Real time: it bounds a network call. */
export const networkTimeoutMs = 8000
