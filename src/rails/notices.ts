// Notices, which rails send by themselves: the gateway receives them here, and asks the rail what happened.
import type { Cents } from '../kernel/money.ts'
import type { IncomingTransfer, TransferTaken } from './credit-transfer.ts'
import type { MobileWalletNotice } from './mobile-wallet.ts'
import type { ReferencePayee } from './reference-network.ts'

/**
 * A refund that failed after it had been approved: the provider has its money again. Whole, and as the driver has read
 * it at its provider, not as a webhook says it.
 */
export interface FailedRefund {
  /** Our key of the refund. */
  readonly key: string
  /** Why, in a word of the provider, such as `expired_or_canceled_card`. */
  readonly reason: string
}

/**
 * A dispute (chargeback) as the driver has read it at its provider, with all that it has moved so far: so notices may
 * come in any order. Amounts are of the payment alone; what the provider charges for the dispute is its fee.
 */
export interface Dispute {
  /** What the provider calls it; one that takes money a second time has another id for that. */
  readonly id: string
  /** Our key of the payment, of the capture, or of the hold whose captures are meant. */
  readonly key: string
  /** Taken back from the gateway, in cents; 0 while the provider only asks. */
  readonly withdrawn: Cents
  /** Given to the gateway again, in cents, at most what was withdrawn. */
  readonly reinstated: Cents
  /** In a word of the provider, such as `fraudulent`. */
  readonly reason: string
}

/**
 * The gateway as its rails see it. A notice may come late, twice or never: what it is about is asked of the rail, so
 * that a forged one does nothing, and what was not reported is asked about later. Each may throw; then it may be sent again.
 */
export interface Notices {
  /**
   * Something happened to a card payment, a capture, release or refund of this key.
   *
   * @param walletId whose it is, where that is known: then it is found without a search
   */
  card(key: string, walletId?: bigint): Promise<void>
  /** Something happened to a payment or mandate of the mobile wallet, or to what followed a payment. */
  mobileWallet(notice: MobileWalletNotice, walletId?: bigint): Promise<void>
  /** Something happened to the online wallet's order, or refund, of this key. */
  onlineWallet(key: string, walletId?: bigint): Promise<void>
  /** The bank answered the direct debit, the transfer, or the refund of this key. */
  bankOrder(key: string, walletId?: bigint): Promise<void>
  /** Money arrived on the gateway's account; the entry of one key counts once. */
  incomingTransfer(transfer: IncomingTransfer): Promise<TransferTaken>
  /** A refund that the rail had approved failed afterwards; the same one counts once. */
  refundFailed(refund: FailedRefund): Promise<void>
  /** A completed payment is disputed, or a dispute has gone on; each amount of one id counts once. */
  dispute(dispute: Dispute): Promise<void>
  /** What the reference network asks and reports. */
  readonly references: ReferencePayee
}
