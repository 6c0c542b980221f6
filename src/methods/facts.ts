// The facts of a payment method, as plain data.
import type { RailName } from '../rails/rail-name.ts'

export interface FeeRate {
  readonly ratePpm: number
  readonly fixedCents: number
}

export interface InBothLanguages {
  readonly pt: string
  readonly en: string
}

export interface MethodFacts {
  readonly code: string
  readonly names: InBothLanguages
  /** For the middle of a sentence, on a payment button. */
  readonly inSentence: InBothLanguages
  /** For payment buttons: path data without fill, in 24 × 16. No trade mark. */
  readonly drawing: string
  /** Absent: customers cannot choose it. */
  readonly page?: {
    readonly place: number
    readonly path: string
    /** SVG elements in 24 × 24. No trade mark. */
    readonly icon: string
    readonly logsIn?: boolean
  }
  readonly holds: boolean
  /** Whether it can be charged without the customer. `by_default`: for all merchants. */
  readonly recurring: boolean | 'by_default'
  /** Its name in `default_payment_method` of a subscription (SPEC, Subscription). */
  readonly defaultPaymentMethod?: string
  readonly byStoredCard?: boolean
  readonly onPhone?: boolean
  readonly byDefault: boolean
  /** The rails it needs. Empty: our own ledger. */
  readonly rails: readonly RailName[]
  /** Default prices by name (CONTRACT section 6). The first has the method's name. */
  readonly fees: Readonly<Record<string, FeeRate>>
  /** The price of an instant payment. Default: the first. */
  readonly instantFee?: string
  readonly payer: 'rail' | 'consumer'
  /** CONTRACT section 6. */
  readonly refundable: boolean
  /** Refunds go to a bank account over the rail of this method, if the wallet allows it (FEATURES M1). */
  readonly refundedOver?: string
  /** Paid later, so merchants see the fee before (CONTRACT section 6). */
  readonly paidLater: boolean
}
