// A direct debit: a customer's attempt to pay by SEPA, with what its debtor agreed to.
import type { Day } from '../kernel/lisbon.ts'
import type { CustomerAttempt } from '../operations/index.ts'

export interface DebitDetails {
  /** Whose account is debited; its IBAN in electronic form, without spaces. */
  readonly debtor: { readonly name: string; readonly iban: string }
  readonly mandate: {
    readonly id: string
    /** The words that the debtor agreed to. */
    readonly text: string
    readonly signedOn: Day
    /** Network address from which they agreed. */
    readonly signedFrom?: string | undefined
  }
  /** The day on which the bank is to collect. */
  readonly collectOn: Day
}

/** Its key is the bank's key of our order; it is APPROVED since `endedAt`. */
export type DirectDebit = CustomerAttempt<DebitDetails>
export type Debtor = DebitDetails['debtor']
