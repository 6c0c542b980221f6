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
  /** True if the agent e-mails its own mandate. It then collects after the debtor's answer. */
  readonly isMandateSent?: boolean | undefined
  /** The agent's id of the mandate, which the bank statement shows in place of ours. */
  readonly mandateOfAgent?: string | undefined
  readonly collectOn: Day
}

export interface DebitTerms {
  readonly creditor: Creditor
  readonly mandateText: string
}

/** The bank knows the debit by its key. `endedAt`: when it became APPROVED. */
export type DirectDebit = CustomerAttempt<DebitDetails>
export type Debtor = DebitDetails['debtor']
