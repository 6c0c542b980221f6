// A customer's attempt to pay from a third party's online wallet (PAYPAL), and the ways it may go.
import { column, type RowOf, table } from '../storage/tables/table.ts'

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

/** Attempts to pay from an online wallet. A later one never inherits the outcome of one before. */
export const walletAttempts = table(
  'online_wallet_attempts',
  {
    /** The wallet's key of our order. */
    id: column.uuid(),
    walletId: column.bigint(),
    operationId: column.uuid(),
    /** Put into the page when it was made, so that a double click sends the same attempt. */
    pageToken: column.uuid(),
    state: column.text<AttemptState>(),
    amount: column.cents(),
    currency: column.text(),
    returnUrl: column.text(),
    /** Where the customer decides; undefined until the wallet has told. */
    approveUrl: column.text().optional(),
    /** Why no money came, in a word of the wallet. */
    failure: column.text().optional(),
    /** How often the wallet was asked where the order stands. */
    inquiries: column.integer(),
  },
  {
    /** What the wallet calls the payment. */
    reference: column.text().optional(),
    createdAt: column.instant(),
    modifiedAt: column.instant(),
    dueAt: column.instant().optional(),
  },
)

/** One attempt. */
export type WalletAttempt = RowOf<typeof walletAttempts>
