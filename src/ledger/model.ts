// The books: accounts, and postings that each move an amount from one account to another.
import type { Cents } from '../kernel/money.ts'
import { column, table } from '../storage/tables/table.ts'

/** The gateway's own accounts belong to this wallet, which no merchant has. */
export const gatewayWalletId = 0n

/**
 * What an account holds. A positive balance is owed to its owner: `merchant` and `consumer` to the wallet,
 * `fees` to the gateway, `suspense` to who paid it; `clearing:…` is negative by what the rail of that method still owes us,
 * `bank_charges` by what banks have charged the gateway, less what it passed on.
 */
export type AccountKind =
  | 'merchant'
  | 'consumer'
  | 'fees'
  | 'suspense'
  | 'bank_charges'
  | `clearing:${string}`

export interface AccountName {
  readonly walletId: bigint
  readonly kind: AccountKind
}

/** The account of a wallet's own money: the only kind whose balance is rolled up and read while money moves. */
export interface WalletAccount extends AccountName {
  readonly kind: 'merchant' | 'consumer'
}

/** Takes `amount`, in cents and above zero, from the balance of `debit` and adds it to that of `credit`. */
export interface Posting {
  readonly debit: AccountName
  readonly credit: AccountName
  readonly amount: Cents
}

/**
 * Why a posting was written: an operation settled, its payment was divided afterwards, money came to or left suspense, or a
 * bank charged for an order.
 */
export type PostingPurpose = 'settle' | 'split' | 'suspense' | 'charge'

/** @public Compared with the schema. */
export const accounts = table('accounts', {
  /** Below zero for the gateway's own accounts, whose postings no index holds. */
  id: column.bigint(),
  walletId: column.bigint(),
  kind: column.text<AccountKind>(),
  currency: column.text(),
})

export const postings = table(
  'postings',
  {
    id: column.bigint(),
    walletId: column.bigint(),
    operationId: column.uuid(),
    purpose: column.text<PostingPurpose>(),
    debitAccount: column.bigint(),
    creditAccount: column.bigint(),
    /** In cents, above zero. */
    amount: column.cents(),
    createdAt: column.instant(),
  },
  {
    /** Its place in the order of all (decision 0015); given by the database. */
    writtenIn: column.bigint(),
  },
)

/**
 * What each wallet's account held after posting `upto`.
 *
 * @public Compared with the schema.
 */
export const balanceRollups = table('balance_rollups', {
  accountId: column.bigint(),
  upto: column.bigint(),
  balance: column.bigint(),
})
