// Notices, which rails send by themselves: the gateway receives them here, and asks the rail what happened.
import type { IncomingTransfer, TransferTaken } from './credit-transfer.ts'
import type { MobileWalletNotice } from './mobile-wallet.ts'
import type { ReferencePayee } from './reference-network.ts'

/**
 * The gateway as its rails see it. A notice may come late, twice or never: what it is about is asked of the rail, so
 * that a forged one does nothing, and what was not reported is asked about later. Each may throw; then it may be sent again.
 */
export interface Notices {
  /** Something happened to the customer's card payment of this key. */
  card(key: string): Promise<void>
  /** Something happened to a payment or mandate of the mobile wallet. */
  mobileWallet(notice: MobileWalletNotice): Promise<void>
  /** Something happened to the online wallet's order of this key. */
  onlineWallet(key: string): Promise<void>
  /** The bank answered the direct debit, or the transfer, of this key. */
  bankOrder(key: string): Promise<void>
  /** Money arrived on the gateway's account; the entry of one key counts once. */
  incomingTransfer(transfer: IncomingTransfer): Promise<TransferTaken>
  /** What the reference network asks and reports. */
  readonly references: ReferencePayee
}
