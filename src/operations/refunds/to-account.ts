// The contract of refunds to a bank account that somebody names.
import type { Result } from '../../kernel/result.ts'
import type { Instant } from '../../kernel/time.ts'
import type { Executor } from '../../storage/index.ts'
import type { Wallet } from '../../wallets/index.ts'
import type { ChildOperation, Operation } from '../model.ts'

export interface BankAccount {
  readonly name: string
  /** In electronic form, of a country in SEPA. */
  readonly iban: string
}

/** As it was sent, unchecked. */
export interface AskedAccount {
  readonly iban: unknown
  readonly name: unknown
}

export interface RefundTo {
  readonly wallet: Wallet
  /** Undefined: the payer names it. */
  readonly account: BankAccount | undefined
}

/** Refunds to a bank account, which the merchant names or the payer on a page. */
export interface AccountRefunds {
  /** Undefined: the payer names it. Refusals: missing_parameter, invalid_parameter, rail_unavailable, access_denied while suspended. */
  read(asked: AskedAccount, wallet: Wallet): Result<BankAccount | undefined>
  /** The last moment of the page. */
  pageEnds(now: Instant): Instant
  /** Writes where the refund goes, in the transaction that opens it. Throws limit_reached. */
  open(tx: Executor, refund: ChildOperation, payment: Operation, to: RefundTo): Promise<void>
  /** The part of the link that lets its holder name the account. It is never stored. */
  secretOf(refundId: string): string
  /** The link to the page of the refund; empty without one. */
  fieldsOf(refund: Operation): object
}
