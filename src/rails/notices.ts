// The notices that rails send to the gateway.
import type { Cents } from '../kernel/money.ts'
import type { IncomingTransfer, TransferTaken } from './bank.ts'
import type { MobileWalletNotice } from './mobile-wallet.ts'
import type { ReferencePayee } from './reference-network.ts'

/**
 * A refund that failed after its approval, so the provider has the whole amount again. The driver must ask
 * the provider, and not trust the webhook.
 */
export interface FailedRefund {
  readonly key: string
  readonly reason: string
}

/**
 * A dispute (chargeback) with its totals so far, because notices can arrive in any order. Amounts exclude the
 * provider's fee for disputes.
 */
export interface Dispute {
  readonly id: string
  /** Our key of the payment, the capture or the hold. */
  readonly key: string
  readonly withdrawn: Cents
  /** The amount given back to the gateway, at most `withdrawn`. */
  readonly reinstated: Cents
  readonly reason: string
}

/**
 * The gateway's functions for its rails. A notice can be late, repeated or lost. The gateway asks the rail,
 * so a forged notice has no effect. If a call throws, the driver must send the notice again.
 */
export interface Notices {
  card(key: string, walletId?: bigint): Promise<void>
  mobileWallet(notice: MobileWalletNotice, walletId?: bigint): Promise<void>
  onlineWallet(key: string, walletId?: bigint): Promise<void>
  bankOrder(key: string, walletId?: bigint): Promise<void>
  incomingTransfer(transfer: IncomingTransfer): Promise<TransferTaken>
  refundFailed(refund: FailedRefund): Promise<void>
  dispute(dispute: Dispute): Promise<void>
  readonly references: ReferencePayee
}
