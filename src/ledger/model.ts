// Accounts, and postings that move an amount between two.
import type { Cents } from '../kernel/money.ts'
import { column, table } from '../storage/tables/table.ts'

/** The wallet of the gateway's own accounts. */
export const gatewayWalletId = 0n

/** A positive balance is owed to the account's owner; a rail owes us the negative balance of `clearing:…`. */
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

/** The accounts with rolled-up balances; no other kind has them. */
export interface WalletAccount extends AccountName {
  readonly kind: 'merchant' | 'consumer'
}

/** Takes `amount`, in cents and above zero, from `debit` and adds it to `credit`. */
export interface Posting {
  readonly debit: AccountName
  readonly credit: AccountName
  readonly amount: Cents
}

export type PostingPurpose = 'settle' | 'split' | 'suspense' | 'charge'

/** @public Compared with the schema. */
export const accounts = table('accounts', {
  /** Below zero for the gateway's own accounts, whose postings have no index. */
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
    /** The order of all postings, set by the database (decision 0015). */
    writtenIn: column.bigint(),
  },
)

/** The balance after posting `upto`. @public Compared with the schema. */
export const balanceRollups = table('balance_rollups', {
  accountId: column.bigint(),
  upto: column.bigint(),
  balance: column.bigint(),
})
