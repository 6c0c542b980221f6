// The facts of a payment method that the whole program may read without loading it.
import type { RailName } from '../rails/rail-name.ts'

/** The price of a method for a merchant: a part of the amount and a fixed sum. */
export interface FeeRate {
  /** Parts per million of the amount: 1% is 10 000. */
  readonly ratePpm: number
  /** Fixed part in cents. */
  readonly fixedCents: number
}

/** A word for people, in the languages of the pages. */
export interface InBothLanguages {
  readonly pt: string
  readonly en: string
}

/** Plain data: every layer may read it. */
export interface MethodFacts {
  /** As in SPEC.md, "method codes". */
  readonly code: string
  readonly names: InBothLanguages
  /** Within the sentence of a payment button's description. */
  readonly inSentence: InBothLanguages
  /** Its picture on payment buttons: path data without fill, in 24 × 16. Nobody's trade mark. */
  readonly drawing: string
  /** Its place on hosted pages; absent: customers cannot choose it. */
  readonly page?: {
    /** Its place among the others, from 1. */
    readonly place: number
    /** The last part of the address that its form is posted to. */
    readonly path: string
    /** SVG elements beside its name, in 24 × 24. Nobody's trade mark. */
    readonly icon: string
    /** Whether its form takes a PIN, so that tries are limited. */
    readonly logsIn?: boolean
  }
  /** Whether money can be held on it, for captures. */
  readonly holds: boolean
  /** Whether it can be charged again without the customer; `by_default`: merchants need not ask for that. */
  readonly recurring: boolean | 'by_default'
  /** How `default_payment_method` of a subscription calls it (SPEC, Subscription); only of those that can be charged again. */
  readonly defaultPaymentMethod?: string
  /** Whether it is charged again by a stored card. */
  readonly byStoredCard?: boolean
  /** Whether customers approve on their phone, which operations show; subscriptions are charged under a mandate given there. */
  readonly onPhone?: boolean
  /** Whether a new merchant has it. */
  readonly byDefault: boolean
  /** Rails without which it cannot be offered; none: our own ledger is its rail. */
  readonly rails: readonly RailName[]
  /** Its prices, by name; the default of CONTRACT section 6. The first is named as the method. */
  readonly fees: Readonly<Record<string, FeeRate>>
  /** The name of the price of an instant payment, where that is another one. */
  readonly instantFee?: string
  /** Who pays: a rail, by its clearing account, or a consumer, from a balance here. */
  readonly payer: 'rail' | 'consumer'
  /** Whether its payments can be given back (CONTRACT section 6). */
  readonly refundable: boolean
  /** Whether people pay by it in their own time, so that merchants see the fee before (CONTRACT section 6). */
  readonly paidLater: boolean
}
