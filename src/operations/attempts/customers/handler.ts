// The contract of a payment method for customers' attempts.

import type { Instant } from '../../../kernel/time.ts'
import type { Method } from '../../../methods/list.ts'
import type { MayStart } from '../../../rails/index.ts'
import type { Executor } from '../../../storage/index.ts'
import type { Wallet } from '../../../wallets/index.ts'
import type { AttemptOwner, CustomerAttempt } from '../model.ts'

export type AttemptAnswer =
  | {
      readonly kind: 'approved'
      readonly reference?: string | undefined
      readonly heldUntil?: Instant | undefined
    }
  | { readonly kind: 'declined'; readonly reason: string; readonly reference?: string | undefined }
  | { readonly kind: 'returned'; readonly reason: string }
  /** The rail declines the request if it still arrives. */
  | { readonly kind: 'cancelled'; readonly reason: string }
  /** The customer or a bank has not decided yet. */
  | {
      readonly kind: 'waiting'
      readonly details?: Readonly<Record<string, unknown>> | undefined
    }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'not_found' }

export type NextStep =
  | { readonly kind: 'ask' }
  | { readonly kind: 'declined'; readonly reason: string }
  | { readonly kind: 'wait' }

/** One payment method. The engine decides when to call; each call ends in time, else it is `unknown`. */
export interface CustomerHandler<Details> {
  readonly method: Method
  readonly purposes: Readonly<Partial<Record<AttemptOwner, AttemptPurpose<Details>>>>
  /** `send again` needs a rail that handles repeated requests under one key; else the engine cancels. */
  readonly whenNotReceived: 'send again' | 'give up'
  /** The `error` of an attempt that was given up. */
  readonly notReceived: string
  /** Absent for methods whose attempts begin as ASKED. */
  look?(attempt: CustomerAttempt<Details>): Promise<NextStep>
  /** Calls `beforeSend` immediately before the request. */
  ask(attempt: CustomerAttempt<Details>, beforeSend: MayStart): Promise<AttemptAnswer>
  inquire(attempt: CustomerAttempt<Details>): Promise<AttemptAnswer>
  /** For inquiries over days; undefined for never. Also called for an APPROVED attempt that may be returned. */
  nextInquiry?(attempt: CustomerAttempt<Details>, now: Instant): Instant | undefined
  /** Books a return. Called again for a due RETURNED attempt with an undecided part. */
  returned?(attempt: CustomerAttempt<Details>, reason: string): Promise<void>
  /** Cancels the request at the rail, also if it has not arrived yet. */
  cancel?(attempt: CustomerAttempt<Details>): Promise<AttemptAnswer>
}

/** The purpose of an attempt: pay an operation, store a card, accept a subscription. */
export interface AttemptPurpose<Details> {
  /** Runs in the transaction that writes the attempt. False when it is too late. */
  choose(tx: Executor, attempt: CustomerAttempt<Details>): Promise<boolean>
  /** Begins the approval. False when the attempt was replaced. Throws limit_reached. */
  begin(tx: Executor, attempt: CustomerAttempt<Details>, wallet: Wallet): Promise<boolean>
  /** Can be repeated. `late`: settling has recorded the approval for reversal. `unknown`: ask again. */
  approved(attempt: CustomerAttempt<Details>, heldUntil?: Instant): Promise<'paid' | 'late' | 'unknown'>
  /** Can be repeated. False if another process has settled the attempt as paid. */
  declined(attempt: CustomerAttempt<Details>, reason: string): Promise<boolean>
  /** The attempt ended before any rail was asked. Can be repeated. */
  failed?(attempt: CustomerAttempt<Details>, reason: string): Promise<void>
}

export interface Begin<Details> {
  readonly dueAt: Instant
  readonly insertTarget?: ((tx: Executor) => Promise<boolean>) | undefined
  /** Adds details that are only known inside the transaction. */
  readonly prepare?: ((tx: Executor) => Promise<CustomerAttempt<Details>>) | undefined
  readonly afterInsert?: ((tx: Executor, attempt: CustomerAttempt<Details>) => Promise<void>) | undefined
}
