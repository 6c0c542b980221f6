// A customer's attempt to pay by direct debit.
import type { Day } from '../../kernel/lisbon.ts'
import type { CustomerAttempt } from '../../operations/for-methods.ts'
import type { Creditor, DebtorAddress } from '../../rails/index.ts'

export interface DebitDetails {
  readonly debtor: {
    readonly name: string
    readonly iban: string
    readonly address?: DebtorAddress | undefined
  }
  readonly mandate: {
    readonly id: string
    readonly text: string
    readonly creditorId: string
    readonly signedOn: Day
    readonly signedFrom?: string | undefined
    readonly signedWith?: string | undefined
  }
  readonly email?: string | undefined
  /** The company that collects. Absent: the gateway's bank. */
  readonly agent?: string | undefined
  /** The agent e-mails its own mandate, and collects after the debtor's answer. */
  readonly isMandateSent?: boolean | undefined
  /** Id of the mandate that the agent made; it replaces ours on the bank statement. */
  readonly mandateOfAgent?: string | undefined
  readonly collectOn: Day
}

export interface DebitTerms {
  readonly creditor: Creditor
  readonly mandateText: string
}

/** Its key is our key at the bank; APPROVED since `endedAt`. */
export type DirectDebit = CustomerAttempt<DebitDetails>
export type Debtor = DebitDetails['debtor']
