// Accounts, and postings that move an amount between two.
import type { Cents } from '../kernel/money.ts'
import { column, table } from '../storage/tables/table.ts'

/** The wallet of the gateway's own accounts. */
export const gatewayWalletId = 0n

/** A positive balance is owed to the owner. A negative one of `clearing:…` is owed to us by the rail. */
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

/** Only these accounts have rolled-up balances. */
export interface WalletAccount extends AccountName {
  readonly kind: 'merchant' | 'consumer'
}

/** Takes `amount` from `debit` and adds it to `credit`. It is in cents, above zero. */
export interface Posting {
  readonly debit: AccountName
  readonly credit: AccountName
  readonly amount: Cents
}

export type PostingPurpose = 'settle' | 'split' | 'suspense' | 'charge'

/** @public Tested against the schema. */
export const accounts = table('accounts', {
  /** The gateway's own accounts have numbers below zero. Their postings have no index. */
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
    /** Always above zero. */
    amount: column.cents(),
    createdAt: column.instant(),
  },
  {
    /** The order of all postings, which the database sets (decision 0015). */
    writtenIn: column.bigint(),
  },
)

/** The balance after the posting `upto`. @public Tested against the schema. */
export const balanceRollups = table('balance_rollups', {
  accountId: column.bigint(),
  upto: column.bigint(),
  balance: column.bigint(),
})
