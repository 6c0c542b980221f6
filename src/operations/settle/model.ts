// The types of settling.
import type { Callbacks, NewEvent } from '../../callbacks/index.ts'
import type { AnswerToKeep, FirstAnswer } from '../../idempotency/index.ts'
import type { Instant } from '../../kernel/time.ts'
import type { CardSummary } from '../../kernel/values/card-numbers.ts'
import type { Ledger, Posting, WalletAccount } from '../../ledger/index.ts'
import type { Core } from '../../module.ts'
import type { Wallet } from '../../wallets/index.ts'
import type { Operation } from '../model.ts'
import type { Sharing } from '../shares/book.ts'

export interface Settlement {
  readonly status: 'COMPLETED' | 'FAIL' | 'VOIDED'
  readonly guard: SettleGuard
  readonly error?: string | undefined
  readonly card?: CardSummary | undefined
  readonly heldUntil?: Instant | undefined
  readonly railPaymentId?: string | undefined
  /** True if the request itself gets the result. A callback is sent only if the wallet wants it. */
  readonly silent?: boolean | undefined
  /** The consumer's balance that pays or is refunded, if there is no rail. */
  readonly payer?: WalletAccount
  /** Events to write if this settlement wins. Default: those of {@link SettlementExtension}. */
  readonly extraEvents?: readonly NewEvent[] | undefined
  readonly request?: AnsweredRequest | undefined
}

/** A request whose answer is stored with the settlement. */
export interface AnsweredRequest {
  readonly requestId: string
  answerOf(settled: Operation): FirstAnswer | undefined
}

export interface SettlementExtension {
  readonly sql: ExtensionSql
  events(settled: Operation): Promise<readonly NewEvent[]>
}

export interface SettleDeps extends Pick<Core, 'database' | 'clock' | 'random'> {
  readonly ledger: Ledger
  readonly wallets: { get(walletId: bigint): Promise<Wallet> }
  payerOf(payment: Pick<Operation, 'walletId' | 'id'>): Promise<bigint | undefined>
  /** Sends the written events. Call `wake` after the commit if they were not reserved for this process. */
  readonly callbacks: Pick<Callbacks, 'wake' | 'offer' | 'made'>
  readonly extension?: SettlementExtension | undefined
}

/** Returns undefined if another settlement won. If the rail approved too, the approval is reversed. */
export type Settle = (operation: Operation, settlement: Settlement) => Promise<Operation | undefined>

/** `answer` is the stored answer to {@link Settlement.request}. */
export type SettleAndAnswer = (
  operation: Operation,
  settlement: Settlement,
) => Promise<{ readonly operation: Operation; readonly answer: FirstAnswer | undefined } | undefined>

export type SettleOutcome = 'lost' | 'settled' | 'answered'

/** `attempt`: the latest attempt, decided by its rail. `awaited_attempt`: it still waits for the payment. */
export type SettleGuard =
  | { readonly kind: 'no_method_chosen' }
  | { readonly kind: 'no_rail_deciding' }
  | { readonly kind: 'attempt'; readonly attemptId: string }
  | { readonly kind: 'awaited_attempt'; readonly attemptId: string }

export interface SettledRow {
  readonly settled: Operation
  readonly guard: SettleGuard
  readonly at: Instant
  readonly event: NewEvent | undefined
  readonly extraEvents: readonly NewEvent[]
  readonly postings: readonly Posting[]
  readonly sharing: Sharing
  readonly answer?: AnswerToKeep | undefined
}

/** SQL that a higher module adds. `moved` names the rows of settled operations. */
export type ExtensionSql = (moved: string) => string
