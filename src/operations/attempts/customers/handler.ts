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
  /** If the request still arrives, the rail declines it. */
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

/** One payment method. The engine decides when to call it. A call that does not end in time is `unknown`. */
export interface CustomerHandler<Details> {
  readonly method: Method
  readonly purposes: Readonly<Partial<Record<AttemptOwner, AttemptPurpose<Details>>>>
  /** `send again` needs a rail that recognises a repeated key. With `give up` the engine cancels. */
  readonly whenNotReceived: 'send again' | 'give up'
  /** The `error` of an attempt that was given up. */
  readonly notReceived: string
  /** Finds the next step before the money is asked for. Methods whose attempts begin as ASKED omit it. */
  look?(attempt: CustomerAttempt<Details>): Promise<NextStep>
  /** Asks for the money. It calls `beforeSend` immediately before it sends the request. */
  ask(attempt: CustomerAttempt<Details>, beforeSend: MayStart): Promise<AttemptAnswer>
  inquire(attempt: CustomerAttempt<Details>): Promise<AttemptAnswer>
  /** When to ask again, over days; undefined for never. Also called for an APPROVED attempt (returns). */
  nextInquiry?(attempt: CustomerAttempt<Details>, now: Instant): Instant | undefined
  /** Books a return. The engine calls it again for a due RETURNED attempt if a part is undecided. */
  returned?(attempt: CustomerAttempt<Details>, reason: string): Promise<void>
  /** Cancels the request at the rail, even if it has not arrived there yet. */
  cancel?(attempt: CustomerAttempt<Details>): Promise<AttemptAnswer>
}

/** The purpose of an attempt: pay an operation, store a card, accept a subscription. */
export interface AttemptPurpose<Details> {
  /** Call it in the transaction that writes the attempt. Returns false if it is too late. */
  choose(tx: Executor, attempt: CustomerAttempt<Details>): Promise<boolean>
  /** Begins the approval. Returns false if the attempt was replaced. Throws limit_reached. */
  begin(tx: Executor, attempt: CustomerAttempt<Details>, wallet: Wallet): Promise<boolean>
  /** Can be repeated. `late`: too late, recorded for reversal by settling. `unknown`: ask again. */
  approved(attempt: CustomerAttempt<Details>, heldUntil?: Instant): Promise<'paid' | 'late' | 'unknown'>
  /** Can be repeated. Returns false if another process has settled the attempt as paid. */
  declined(attempt: CustomerAttempt<Details>, reason: string): Promise<boolean>
  /** Called after an attempt that ended before any rail was asked. Can be repeated. */
  failed?(attempt: CustomerAttempt<Details>, reason: string): Promise<void>
}

export interface Begin<Details> {
  readonly dueAt: Instant
  readonly insertTarget?: ((tx: Executor) => Promise<boolean>) | undefined
  /** Adds details that are only known inside the transaction. */
  readonly prepare?: ((tx: Executor) => Promise<CustomerAttempt<Details>>) | undefined
  readonly afterInsert?: ((tx: Executor, attempt: CustomerAttempt<Details>) => Promise<void>) | undefined
}
