// What may be shown and stored of a card in the clear: more than one module shows it.

/** At most the first six and last four digits (PCI DSS 3.4.1). */
export interface CardSummary {
  /** The stored card's token, when it was paid with one. */
  readonly token?: string
  readonly last4: string
  readonly bin: string
  /** Brand in lower case, such as `visa`. */
  readonly type: string
  /** `MM/YYYY` */
  readonly valdate: string
}

/** CreditCard of SPEC.md. */
export interface CreditCard {
  readonly token: string
  readonly last4: string
  readonly type: string
  /** `MM/YYYY` */
  readonly valdate: string
  readonly expired: boolean
  readonly verification_status: 'VERIFIED' | 'UNVERIFIED'
  readonly bin: string
  readonly voided: boolean
  /** Shown to merchants that store cards. */
  readonly name?: string
}
