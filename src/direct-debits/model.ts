// A direct debit: what its debtor agreed to, and how far the bank is with it.
import type { Day } from '../kernel/lisbon.ts'
import type { Cents } from '../kernel/money.ts'
import type { Instant } from '../kernel/time.ts'

export type DebitState = 'ORDERED' | 'WAITING' | 'PAID' | 'RETURNED'

/**
 * Every way a debit may go. PAID is where most stay; their debtors can have them returned for eight weeks.
 *
 * @public Compared with its drawing in docs/states.
 */
export const directDebitTransitions: Readonly<Record<DebitState, readonly DebitState[]>> = {
  ORDERED: ['WAITING', 'PAID', 'RETURNED'],
  WAITING: ['PAID', 'RETURNED'],
  PAID: ['RETURNED'],
  RETURNED: [],
}

/** Whose account is debited. */
export interface Debtor {
  readonly name: string
  /** In its electronic form, without spaces. */
  readonly iban: string
}

export interface DirectDebit {
  /** The bank's key of our order. */
  readonly id: string
  readonly walletId: bigint
  readonly operationId: string
  readonly pageToken: string
  readonly state: DebitState
  readonly amount: Cents
  readonly currency: 'EUR'
  readonly merchantName: string
  readonly debtor: Debtor
  readonly mandate: {
    readonly id: string
    /** The words that the debtor agreed to. */
    readonly text: string
    readonly signedOn: Day
    /** Network address from which they agreed. */
    readonly signedFrom: string | undefined
  }
  /** The day on which the bank is to collect. */
  readonly collectOn: Day
  /** Why it was returned, in a word of the bank. */
  readonly failure: string | undefined
  readonly inquiries: number
  readonly paidAt: Instant | undefined
}
