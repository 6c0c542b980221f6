// A direct debit: a customer's attempt to pay by SEPA, with what its debtor agreed to.
import type { Day } from '../../kernel/lisbon.ts'
import type { CustomerAttempt } from '../../operations/for-methods.ts'
import type { Creditor, DebtorAddress } from '../../rails/index.ts'

export interface DebitDetails {
  /** Whose account is debited; its IBAN in electronic form, without spaces. */
  readonly debtor: {
    readonly name: string
    readonly iban: string
    /** There if the account is outside the European Economic Area. */
    readonly address?: DebtorAddress | undefined
  }
  readonly mandate: {
    readonly id: string
    /** The words that the debtor agreed to. */
    readonly text: string
    /** Whom they authorized. */
    readonly creditorId: string
    readonly signedOn: Day
    /** Network address from which they agreed, and the program that they used. */
    readonly signedFrom?: string | undefined
    readonly signedWith?: string | undefined
  }
  /** Where whoever collects needs it. */
  readonly email?: string | undefined
  /** Who collects it by itself; absent: the gateway's own bank, which has it among its orders. */
  readonly agent?: string | undefined
  /** The day on which the bank is to collect. */
  readonly collectOn: Day
}

/** What a debtor is shown before they agree. */
export interface DebitTerms {
  readonly creditor: Creditor
  /** The words to agree to, in the debtor's language. */
  readonly mandateText: string
}

/** Its key is the bank's key of our order; it is APPROVED since `endedAt`. */
export type DirectDebit = CustomerAttempt<DebitDetails>
export type Debtor = DebitDetails['debtor']
