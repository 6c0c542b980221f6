// A method of payment as the engine sees a customer's attempt: what its rail is asked, and what the attempt is for.

import type { Instant } from '../../../kernel/time.ts'
import type { Method } from '../../../methods/list.ts'
import type { MayStart } from '../../../rails/index.ts'
import type { Executor } from '../../../storage/index.ts'
import type { Wallet } from '../../../wallets/index.ts'
import type { AttemptOwner, CustomerAttempt } from '../model.ts'

/** What a rail said about a customer's attempt. */
export type AttemptAnswer =
  | {
      readonly kind: 'approved'
      readonly reference?: string | undefined
      /** Of a hold: until when it can be captured, where its rail says so. */
      readonly heldUntil?: Instant | undefined
    }
  | { readonly kind: 'declined'; readonly reason: string; readonly reference?: string | undefined }
  /** It was taken back, before or after it was approved. */
  | { readonly kind: 'returned'; readonly reason: string }
  /** It was cancelled before the customer or the rail decided; should it arrive after all, it is declined. */
  | { readonly kind: 'cancelled'; readonly reason: string }
  /** The rail has it, and somebody takes their time: the customer with a phone in hand, or a bank. */
  | {
      readonly kind: 'waiting'
      /** What is known since, to be added to the attempt's details. */
      readonly details?: Readonly<Record<string, unknown>> | undefined
    }
  | { readonly kind: 'unknown' }
  /** The rail has not received it so far. */
  | { readonly kind: 'not_found' }

/** What is next for an attempt that is OPEN. */
export type NextStep =
  /** The customer agreed: the rail is to be asked for the money. */
  | { readonly kind: 'ask' }
  | { readonly kind: 'declined'; readonly reason: string }
  /** The customer has not decided, or nobody says. */
  | { readonly kind: 'wait' }

/**
 * One method of payment. The engine says when the rail is asked, how often, and what follows; the handler only asks.
 * Every call ends in time: an answer that did not come is `unknown`.
 */
export interface CustomerHandler<Details> {
  readonly method: Method
  /** What attempts by this method are made for. */
  readonly subjects: Readonly<Partial<Record<AttemptOwner, AttemptPurpose<Details>>>>
  /**
   * `send again`: the rail takes a request under one key as often as it is sent, so what it has not received is sent
   * again while the customer may decide. `give up`: it is not, and is cancelled after some inquiries.
   */
  readonly whenNotReceived: 'send again' | 'give up'
  /** Why an attempt failed that was given up, in a word of the field. */
  readonly notReceived: string
  /** What is next while the attempt is OPEN; methods whose attempts begin as ASKED have none. */
  look?(attempt: CustomerAttempt<Details>): Promise<NextStep>
  /** Asks the rail for the money; `beforeSend` is asked immediately before the call. */
  ask(attempt: CustomerAttempt<Details>, beforeSend: MayStart): Promise<AttemptAnswer>
  /** What became of it. */
  inquire(attempt: CustomerAttempt<Details>): Promise<AttemptAnswer>
  /**
   * When the rail is asked next while it keeps to its last answer, where that takes days; undefined when never again. Of
   * an APPROVED attempt: whether it stays so.
   */
  nextInquiry?(attempt: CustomerAttempt<Details>, now: Instant): Instant | undefined
  /**
   * Ends an attempt that is APPROVED as RETURNED, with what follows from that; called again for one that is RETURNED and due,
   * because something was not decided yet.
   */
  returned?(attempt: CustomerAttempt<Details>, reason: string): Promise<void>
  /** Has the rail decline it should it still arrive, or forget what the customer has not answered. */
  cancel?(attempt: CustomerAttempt<Details>): Promise<AttemptAnswer>
}

/** What an attempt is for: an operation to be paid, a card to be stored, a subscription to be accepted. */
export interface AttemptPurpose<Details> {
  /** Makes the attempt the one that may decide, in the transaction that writes it; false when that is too late. */
  choose(tx: Executor, attempt: CustomerAttempt<Details>): Promise<boolean>
  /**
   * Hands the decision to the rail, in the transaction that marks the attempt; false when it was replaced. Throws
   * limit_reached where the merchant may not take the amount.
   *
   * @param wallet the merchant, read before the transaction: within it, `tx` alone may be asked
   */
  begin(tx: Executor, attempt: CustomerAttempt<Details>, wallet: Wallet): Promise<boolean>
  /**
   * The rail said yes. Repeated after a crash; it settles once. `late`: what the attempt was for has ended otherwise,
   * and settling has had the approval written down, to be reversed. `unknown`: something else must be known first.
   */
  approved(attempt: CustomerAttempt<Details>, heldUntil?: Instant): Promise<'paid' | 'late' | 'unknown'>
  /**
   * The rail said no. Repeated after a crash. False when the attempt has paid all the same: another process learnt of
   * its approval first.
   */
  declined(attempt: CustomerAttempt<Details>, reason: string): Promise<boolean>
  /** The attempt ended while it was OPEN: no rail was asked for money. Repeated after a crash. */
  failed?(attempt: CustomerAttempt<Details>, reason: string): Promise<void>
}

/** When an attempt that begins is looked at first. */
export interface Begin<Details> {
  readonly dueAt: Instant
  /** In place of the subject's `choose` and `begin`: writes what the attempt is for. */
  readonly open?: ((tx: Executor) => Promise<boolean>) | undefined
  /** The attempt with what is known of it only then, such as what was reserved for it. */
  readonly complete?: ((tx: Executor) => Promise<CustomerAttempt<Details>>) | undefined
  /** Writes what belongs to the attempt, after it. */
  readonly also?: ((tx: Executor, attempt: CustomerAttempt<Details>) => Promise<void>) | undefined
}
