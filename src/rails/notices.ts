// The notices that rails send to the gateway.
import type { Cents } from '../kernel/money.ts'
import type { IncomingTransfer, TransferTaken } from './credit-transfer.ts'
import type { MobileWalletNotice } from './mobile-wallet.ts'
import type { ReferencePayee } from './reference-network.ts'

/**
 * A refund that failed after its approval; the provider has the whole amount back. Read it from the provider, not from
 * the webhook.
 */
export interface FailedRefund {
  readonly key: string
  /** The provider's word, such as `expired_or_canceled_card`. */
  readonly reason: string
}

/**
 * A dispute (chargeback) with its totals so far, so that notices can arrive in any order. Amounts exclude the
 * provider's dispute fee.
 */
export interface Dispute {
  /** The provider's id; a second withdrawal has another id. */
  readonly id: string
  /** Our key of the payment, of the capture, or of the hold. */
  readonly key: string
  /** Taken from the gateway, in cents; 0 for a question only. */
  readonly withdrawn: Cents
  /** Returned to the gateway, in cents; at most `withdrawn`. */
  readonly reinstated: Cents
  /** The provider's word, such as `fraudulent`. */
  readonly reason: string
}

/**
 * The gateway, for its rails. A notice can be late, repeated or lost. The gateway asks the rail, so a forged notice has
 * no effect. If a call throws, send the notice again.
 */
export interface Notices {
  /** A card payment, capture, release or refund changed. `walletId` saves a search. */
  card(key: string, walletId?: bigint): Promise<void>
  mobileWallet(notice: MobileWalletNotice, walletId?: bigint): Promise<void>
  onlineWallet(key: string, walletId?: bigint): Promise<void>
  /** A direct debit, transfer or refund changed. */
  bankOrder(key: string, walletId?: bigint): Promise<void>
  /** Money arrived on the gateway's account; duplicate keys are dropped. */
  incomingTransfer(transfer: IncomingTransfer): Promise<TransferTaken>
  /** An approved refund failed; duplicates are dropped. */
  refundFailed(refund: FailedRefund): Promise<void>
  /** A completed payment is disputed, or its dispute changed. */
  dispute(dispute: Dispute): Promise<void>
  readonly references: ReferencePayee
}
