// A customer's attempt to pay from a third party's online wallet (PAYPAL), and the ways it may go.
import type { Cents } from '../kernel/money.ts'

export type AttemptState = 'OPEN' | 'TAKING' | 'PAID' | 'DECLINED' | 'ABANDONED'

/**
 * Every way an attempt may go; one without any is over. Only TAKING can move money.
 *
 * @public Compared with its drawing in docs/states.
 */
export const walletAttemptTransitions: Readonly<Record<AttemptState, readonly AttemptState[]>> = {
  OPEN: ['TAKING', 'DECLINED', 'ABANDONED'],
  TAKING: ['PAID', 'DECLINED'],
  PAID: [],
  DECLINED: [],
  ABANDONED: [],
}

/** One attempt. A later one never inherits its outcome. */
export interface WalletAttempt {
  /** The wallet's key of our order. */
  readonly id: string
  readonly walletId: bigint
  readonly operationId: string
  /** Put into the page when it was made, so that a double click sends the same attempt. */
  readonly pageToken: string
  readonly state: AttemptState
  readonly amount: Cents
  readonly currency: string
  readonly returnUrl: string
  /** Where the customer decides; undefined until the wallet has told. */
  readonly approveUrl: string | undefined
  /** Why no money came, in a word of the wallet. */
  readonly failure: string | undefined
  /** How often the wallet was asked where the order stands. */
  readonly inquiries: number
}
