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
  /** The name as it appears within a sentence and on a payment button. */
  readonly inSentence: InBothLanguages
  /** Drawing for payment buttons: path data in 24 × 16, without fill and without a trade mark. */
  readonly drawing: string
  /** Absent if customers cannot choose the method on a page. */
  readonly page?: {
    readonly place: number
    readonly path: string
    /** SVG elements in 24 × 24, without a trade mark. */
    readonly icon: string
    readonly logsIn?: boolean
  }
  readonly holds: boolean
  /** Whether it can be charged without the customer. `by_default`: allowed for every merchant. */
  readonly recurring: boolean | 'by_default'
  /** The method's name in `default_payment_method` of a subscription (SPEC, Subscription). */
  readonly defaultPaymentMethod?: string
  readonly byStoredCard?: boolean
  readonly onPhone?: boolean
  readonly byDefault: boolean
  /** The rails it needs. An empty list means our own ledger. */
  readonly rails: readonly RailName[]
  /** Default prices by name (CONTRACT section 6). The first has the method's name. */
  readonly fees: Readonly<Record<string, FeeRate>>
  /** The price of an instant payment. Default: the first. */
  readonly instantFee?: string
  readonly payer: 'rail' | 'consumer'
  readonly refundable: boolean
  /** Refunds go to a bank account over the rail of this method, if the wallet allows it (FEATURES M1). */
  readonly refundedOver?: string
  /** The customer pays later, so merchants see the expected fee before (CONTRACT section 6). */
  readonly paidLater: boolean
}
