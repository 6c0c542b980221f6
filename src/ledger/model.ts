// The books: accounts, and journals whose entries sum to zero.
import type { Cents } from '../kernel/money.ts'

/** The gateway's own accounts belong to this wallet, which no merchant has. */
export const gatewayWalletId = 0n

/**
 * What an account holds. A positive balance is owed to its owner: `merchant` and `consumer` to the wallet,
 * `fees` to the gateway; `clearing:…` is negative by what the rail of that method still owes us.
 */
export type AccountKind = 'merchant' | 'consumer' | 'fees' | `clearing:${string}`

export interface AccountName {
  readonly walletId: bigint
  readonly kind: AccountKind
}

/** A sum added to an account; negative takes away. Never zero. */
export interface Entry {
  readonly account: AccountName
  readonly amount: Cents
}

/** Why a journal was written: an operation settled, or its payment was divided afterwards. */
export type JournalPurpose = 'settle' | 'split'

/** One balanced movement, written with the operation that caused it. */
export interface Journal {
  readonly id: string
  readonly walletId: bigint
  readonly operationId: string
  readonly purpose: JournalPurpose
  readonly entries: readonly Entry[]
}
