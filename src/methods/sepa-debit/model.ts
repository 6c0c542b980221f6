// A customer's attempt to pay by direct debit.
import type { Day } from '../../kernel/lisbon.ts'
import type { CustomerAttempt } from '../../operations/for-methods.ts'
import type { Creditor, DebtorAddress } from '../../rails/index.ts'

export interface DebitDetails {
  /** The IBAN has no spaces. */
  readonly debtor: {
    readonly name: string
    readonly iban: string
    /** For accounts outside the European Economic Area. */
    readonly address?: DebtorAddress | undefined
  }
  readonly mandate: {
    readonly id: string
    /** The accepted text. */
    readonly text: string
    readonly creditorId: string
    readonly signedOn: Day
    /** Network address and program of the debtor. */
    readonly signedFrom?: string | undefined
    readonly signedWith?: string | undefined
  }
  /** If the creditor needs it. */
  readonly email?: string | undefined
  /** The company that collects. Absent: the gateway's bank. */
  readonly agent?: string | undefined
  /** The day of the collection. */
  readonly collectOn: Day
}

/** Shown to the debtor before the acceptance. */
export interface DebitTerms {
  readonly creditor: Creditor
  /** In the debtor's language. */
  readonly mandateText: string
}

/** Its key is our key at the bank; APPROVED since `endedAt`. */
export type DirectDebit = CustomerAttempt<DebitDetails>
export type Debtor = DebitDetails['debtor']
